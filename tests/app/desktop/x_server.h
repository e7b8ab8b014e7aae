// Reads the clipboard of the X server as another program would.
#pragma once

#include <functional>
#include <string>

namespace convscope::app {

/// What the owner hands out as 'target' ("image/png"); empty when it has no such form, or does not answer within
/// 'seconds'. 'meanwhile' is called while it waits.
std::string x_clipboard(const char* target, double seconds, const std::function<void()>& meanwhile);

}  // namespace convscope::app
