#include "app/ui/input/keys.h"

#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace convscope::app {
namespace {

#if IMGUI_VERSION_NUM >= 18700
using Code = ImGuiKey;
#define CONVSCOPE_KEY(named, native) ImGuiKey_##named
#else
using Code = int;  // the GLFW backend of 1.86 numbers keys as GLFW does
#define CONVSCOPE_KEY(named, native) GLFW_KEY_##native
#endif

constexpr bool within(Key key, Key first, Key last) {
    return key >= first && key <= last;
}

/// Digits, letters and function keys are in a row in both numberings.
constexpr Code after(Code first, Key key, Key own_first) {
    return static_cast<Code>(static_cast<int>(first) + static_cast<int>(key) - static_cast<int>(own_first));
}

constexpr Code code(Key key) {
    if (within(key, Key::zero, Key::nine)) return after(CONVSCOPE_KEY(0, 0), key, Key::zero);
    if (within(key, Key::a, Key::z)) return after(CONVSCOPE_KEY(A, A), key, Key::a);
    if (within(key, Key::f1, Key::f12)) return after(CONVSCOPE_KEY(F1, F1), key, Key::f1);
    switch (key) {
        case Key::space:
            return CONVSCOPE_KEY(Space, SPACE);
        case Key::plus:
            return CONVSCOPE_KEY(KeypadAdd, KP_ADD);
        case Key::equals:
            return CONVSCOPE_KEY(Equal, EQUAL);
        case Key::minus:
            return CONVSCOPE_KEY(Minus, MINUS);
        case Key::comma:
            return CONVSCOPE_KEY(Comma, COMMA);
        case Key::period:
            return CONVSCOPE_KEY(Period, PERIOD);
        case Key::slash:
            return CONVSCOPE_KEY(Slash, SLASH);
        case Key::left_bracket:
            return CONVSCOPE_KEY(LeftBracket, LEFT_BRACKET);
        case Key::right_bracket:
            return CONVSCOPE_KEY(RightBracket, RIGHT_BRACKET);
        case Key::escape:
            return CONVSCOPE_KEY(Escape, ESCAPE);
        case Key::enter:
            return CONVSCOPE_KEY(Enter, ENTER);
        case Key::tab:
            return CONVSCOPE_KEY(Tab, TAB);
        case Key::up:
            return CONVSCOPE_KEY(UpArrow, UP);
        case Key::down:
            return CONVSCOPE_KEY(DownArrow, DOWN);
        case Key::left:
            return CONVSCOPE_KEY(LeftArrow, LEFT);
        case Key::right:
            return CONVSCOPE_KEY(RightArrow, RIGHT);
        case Key::backspace:
            return CONVSCOPE_KEY(Backspace, BACKSPACE);
        case Key::del:
            return CONVSCOPE_KEY(Delete, DELETE);
        case Key::home:
            return CONVSCOPE_KEY(Home, HOME);
        case Key::end:
            return CONVSCOPE_KEY(End, END);
        case Key::page_up:
            return CONVSCOPE_KEY(PageUp, PAGE_UP);
        case Key::page_down:
            return CONVSCOPE_KEY(PageDown, PAGE_DOWN);
        default:
            return Code{};
    }
}
#undef CONVSCOPE_KEY

/// Input that is consumed for the rest of a frame. The frame's number stands in half of ImGui's UserData pointer, and
/// so with its context: another context counts its own frames.
enum class Taken { keys = 0, arrows = 32 };
constexpr std::uintptr_t half = 0xFFFFFFFF;

std::uintptr_t this_frame() {
    return static_cast<std::uintptr_t>(ImGui::GetFrameCount()) & half;
}
void take(Taken what) {
    void*& kept = ImGui::GetIO().UserData;
    const auto at = static_cast<unsigned>(what);
    kept = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(kept) & ~(half << at)) | (this_frame() << at));
}
bool is_taken(Taken what) {
    const auto kept = reinterpret_cast<std::uintptr_t>(ImGui::GetIO().UserData);
    return (kept >> static_cast<unsigned>(what) & half) == this_frame();
}

}  // namespace

void take_keys() {
    take(Taken::keys);
    ImGui::GetIO().InputQueueCharacters.resize(0);
}

void take_arrows() {
    take(Taken::arrows);
}

bool arrows_are_taken() {
    return is_taken(Taken::arrows);
}

bool pressed(Key key, bool repeat) {
    return !ImGui::GetIO().KeyAlt && !is_taken(Taken::keys) && ImGui::IsKeyPressed(code(key), repeat);
}

bool pressed_with_alt(Key key) {
    return ImGui::GetIO().KeyAlt && !is_taken(Taken::keys) && ImGui::IsKeyPressed(code(key), false);
}

namespace {

std::bitset<static_cast<std::size_t>(Key::count)>& keys_of_fields() {
    static std::bitset<static_cast<std::size_t>(Key::count)> keys;
    return keys;
}

}  // namespace

void note_typing(bool typing) {
    auto& keys = keys_of_fields();
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = held(static_cast<Key>(i)) && (typing || keys[i]);
}

bool began_in_field(Key key) {
    return keys_of_fields()[static_cast<std::size_t>(key)];
}

bool any_input() {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseWheel != 0 || io.MouseWheelH != 0 || !io.InputQueueCharacters.empty()) return true;
    for (const bool clicked : io.MouseClicked)
        if (clicked) return true;
    for (int key = 0; key < static_cast<int>(Key::count); ++key)
        if (ImGui::IsKeyPressed(code(static_cast<Key>(key)), true)) return true;
    return false;
}

bool held(Key key) {
    return ImGui::IsKeyDown(code(key));
}

bool put_off(Key key) {
    constexpr float a_while = 1e-4F;  // it goes on being held
    if (!pressed(key)) return false;
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetKeyData(code(key))->DownDuration = a_while;
#else
    ImGui::GetIO().KeysDownDuration[code(key)] = a_while;
#endif
    return true;
}

void press_now(Key key) {
#if IMGUI_VERSION_NUM >= 18700
    ImGuiKeyData* data = ImGui::GetKeyData(code(key));
    data->Down = true;
    data->DownDuration = 0;
    ImGui::GetIO().AddKeyEvent(code(key), false);
#else
    ImGui::GetIO().KeysDownDuration[code(key)] = 0;
#endif
}

void feed_key(Key key, bool down) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(code(key), down);
#else
    io.KeysDown[code(key)] = down;
#endif
}

void feed_modifiers(bool ctrl, bool shift, bool alt) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
    io.AddKeyEvent(ImGuiMod_Shift, shift);
    io.AddKeyEvent(ImGuiMod_Alt, alt);
#else
    io.KeyCtrl = ctrl;
    io.KeyShift = shift;
    io.KeyAlt = alt;
#endif
}

void map_keys_for_headless() {
#if IMGUI_VERSION_NUM < 18700
    ImGuiIO& io = ImGui::GetIO();
    for (auto [own, native] : {std::pair{ImGuiKey_Tab, GLFW_KEY_TAB},
                               {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                               {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                               {ImGuiKey_UpArrow, GLFW_KEY_UP},
                               {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                               {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                               {ImGuiKey_Delete, GLFW_KEY_DELETE},
                               {ImGuiKey_Enter, GLFW_KEY_ENTER},
                               {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                               {ImGuiKey_Home, GLFW_KEY_HOME},
                               {ImGuiKey_End, GLFW_KEY_END},
                               {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
                               {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
                               {ImGuiKey_C, GLFW_KEY_C},
                               {ImGuiKey_V, GLFW_KEY_V},
                               {ImGuiKey_X, GLFW_KEY_X},
                               {ImGuiKey_A, GLFW_KEY_A},
                               {ImGuiKey_Z, GLFW_KEY_Z},
                               {ImGuiKey_Y, GLFW_KEY_Y},
                               {ImGuiKey_Space, GLFW_KEY_SPACE}})
        io.KeyMap[own] = native;
#endif
}

}  // namespace convscope::app
