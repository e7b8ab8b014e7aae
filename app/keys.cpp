#include "app/keys.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <array>
#include <utility>

namespace convscope::app {
namespace {

constexpr std::size_t index(Key key) {
    return static_cast<std::size_t>(key);
}

#if IMGUI_VERSION_NUM >= 18700
constexpr std::array<ImGuiKey, index(Key::count)> codes{
    ImGuiKey_Space,     ImGuiKey_1,         ImGuiKey_2,          ImGuiKey_3,         ImGuiKey_4,
    ImGuiKey_5,         ImGuiKey_6,         ImGuiKey_E,          ImGuiKey_K,         ImGuiKey_T,
    ImGuiKey_Y,         ImGuiKey_Z,         ImGuiKey_KeypadAdd,  ImGuiKey_Equal,     ImGuiKey_Minus,
    ImGuiKey_F1,        ImGuiKey_Escape,    ImGuiKey_Enter,      ImGuiKey_Tab,       ImGuiKey_UpArrow,
    ImGuiKey_DownArrow, ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Backspace, ImGuiKey_Home,
    ImGuiKey_End,       ImGuiKey_A,         ImGuiKey_H,          ImGuiKey_PageUp,    ImGuiKey_PageDown};
#else
// The GLFW backend of 1.86 numbers keys as GLFW does.
constexpr std::array<int, index(Key::count)> codes{
    GLFW_KEY_SPACE,  GLFW_KEY_1,     GLFW_KEY_2,     GLFW_KEY_3,    GLFW_KEY_4,       GLFW_KEY_5,
    GLFW_KEY_6,      GLFW_KEY_E,     GLFW_KEY_K,     GLFW_KEY_T,    GLFW_KEY_Y,       GLFW_KEY_Z,
    GLFW_KEY_KP_ADD, GLFW_KEY_EQUAL, GLFW_KEY_MINUS, GLFW_KEY_F1,   GLFW_KEY_ESCAPE,  GLFW_KEY_ENTER,
    GLFW_KEY_TAB,    GLFW_KEY_UP,    GLFW_KEY_DOWN,  GLFW_KEY_LEFT, GLFW_KEY_RIGHT,   GLFW_KEY_BACKSPACE,
    GLFW_KEY_HOME,   GLFW_KEY_END,   GLFW_KEY_A,     GLFW_KEY_H,    GLFW_KEY_PAGE_UP, GLFW_KEY_PAGE_DOWN};
#endif

}  // namespace

bool pressed(Key key, bool repeat) {
    return ImGui::IsKeyPressed(codes[index(key)], repeat);
}

bool held(Key key) {
    return ImGui::IsKeyDown(codes[index(key)]);
}

void feed_key(Key key, bool down) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(codes[index(key)], down);
#else
    io.KeysDown[codes[index(key)]] = down;
#endif
}

void feed_modifiers(bool ctrl, bool shift) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(ImGuiMod_Ctrl, ctrl);
    io.AddKeyEvent(ImGuiMod_Shift, shift);
#else
    io.KeyCtrl = ctrl;
    io.KeyShift = shift;
#endif
}

void map_keys_for_headless() {
#if IMGUI_VERSION_NUM < 18700
    ImGuiIO& io = ImGui::GetIO();
    for (auto [own, code] : {std::pair{ImGuiKey_Tab, GLFW_KEY_TAB},
                             {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
                             {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
                             {ImGuiKey_UpArrow, GLFW_KEY_UP},
                             {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
                             {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
                             {ImGuiKey_Enter, GLFW_KEY_ENTER},
                             {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
                             {ImGuiKey_Home, GLFW_KEY_HOME},
                             {ImGuiKey_End, GLFW_KEY_END},
                             {ImGuiKey_A, GLFW_KEY_A},
                             {ImGuiKey_Z, GLFW_KEY_Z},
                             {ImGuiKey_Y, GLFW_KEY_Y},
                             {ImGuiKey_Space, GLFW_KEY_SPACE}})
        io.KeyMap[own] = code;
#endif
}

}  // namespace convscope::app
