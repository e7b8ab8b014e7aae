// Requests to the X server itself.
#pragma once

#include <functional>
#include <string>

namespace convscope::app {

/// The server does not repeat a key that is down: on a busy machine one may be for longer than it waits.
void stop_key_repeat();

/// Waits until the window has every event that the server has sent.
void receive_x_events();

/// Reads the clipboard as another program would: what the owner hands out as 'target' ("image/png"); empty when it has
/// no such form, "no answer" when it hangs. 'meanwhile' is called while it waits.
std::string x_clipboard(const char* target, const std::function<void()>& meanwhile);

}  // namespace convscope::app
