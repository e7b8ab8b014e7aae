// The keys that the app listens to, the same on Dear ImGui 1.86 (native key codes) and 1.87 on (named keys).
#pragma once

namespace convscope::app {

enum class Key {
    space,
    zero,
    one,
    two,
    three,
    four,
    five,
    six,
    seven,
    eight,
    nine,
    a,
    b,
    c,
    d,
    e,
    f,
    g,
    h,
    i,
    j,
    k,
    l,
    m,
    n,
    o,
    p,
    q,
    r,
    s,
    t,
    u,
    v,
    w,
    x,
    y,
    z,
    plus,
    equals,
    minus,
    comma,
    period,
    slash,
    left_bracket,
    right_bracket,
    f1,
    f2,
    f3,
    f4,
    f5,
    f6,
    f7,
    f8,
    f9,
    f10,
    f11,
    f12,
    escape,
    enter,
    tab,
    up,
    down,
    left,
    right,
    backspace,
    del,
    home,
    end,
    page_up,
    page_down,
    count
};

/// Pressed in this frame, without Alt. Repeats while held when 'repeat'.
bool pressed(Key, bool repeat = false);
bool pressed_with_alt(Key);
/// A key, a button or the wheel, in this frame.
bool any_input();
bool held(Key);
/// Once a frame, after the commands: what is held while a field is typed in began there.
void note_typing(bool typing);
/// Whether the key is held since a field was typed in: it is no command, whoever has the keyboard by now.
bool began_in_field(Key);
/// For the rest of this frame no key counts as pressed: what stands in front has taken them.
void take_keys();
/// The pointer rests on a field, which the arrows step in this frame; and whether that is so.
void take_arrows();
bool arrows_are_taken();
/// The key, if it was pressed in this frame, was not: for what is not ready to take it, and presses it later.
bool put_off(Key);
/// Pressed in this frame.
void press_now(Key);
/// Feeds the current context, as a window would. For the headless driver.
void feed_key(Key, bool down);
void feed_modifiers(bool ctrl, bool shift, bool alt = false);
/// Tells ImGui 1.86 where its own keys are when no window backend does. Nothing to do from 1.87 on.
void map_keys_for_headless();

}  // namespace convscope::app
