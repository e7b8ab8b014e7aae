// Settings that the window and the headless driver share.
#pragma once

#include <imgui.h>

namespace convscope::app {

inline void set_up_imgui(ImGuiIO& io) {
    io.IniFilename = nullptr;  // the panels' places are kept in our own settings
    io.LogFilename = nullptr;
    io.ConfigDragClickToInputText = true;   // a click types, a drag drags
    io.ConfigInputTextCursorBlink = false;  // an idle app draws nothing
}

}  // namespace convscope::app
