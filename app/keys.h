// The keys that the app listens to, the same on Dear ImGui 1.86 (native key codes) and 1.87 on (named keys).
#pragma once

namespace convscope::app {

enum class Key {
    space,
    one,
    two,
    three,
    four,
    five,
    six,
    e,
    k,
    t,
    y,
    z,
    plus,
    equals,
    minus,
    f1,
    escape,
    enter,
    tab,
    up,
    down,
    left,
    right,
    backspace,
    home,
    end,
    a,
    h,
    page_up,
    page_down,
    count
};

/// Pressed in this frame. Repeats while held when 'repeat'.
bool pressed(Key, bool repeat = false);
bool held(Key);
/// Feeds the current context, as a window would. For the headless driver.
void feed_key(Key, bool down);
void feed_modifiers(bool ctrl, bool shift);
/// Tells ImGui 1.86 where its own keys are when no window backend does. Nothing to do from 1.87 on.
void map_keys_for_headless();

}  // namespace convscope::app
