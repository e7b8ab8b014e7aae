// Requests to the X server itself.
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace convscope::app {

/// The server does not repeat a key that is down: on a busy machine one may be for longer than it waits.
void stop_key_repeat();

/// Waits until the window has every event that the server has sent.
void receive_x_events();

/// What the window manager is told: the least width and height of the window in pixels; 0, 0 where it is told none.
std::pair<int, int> smallest_size(unsigned long x_window);

/// Reads the clipboard as another program would: what the owner hands out as 'target' ("image/png"); empty when it has
/// no such form, "no answer" when it hangs. 'meanwhile' is called while it waits.
std::string x_clipboard(const char* target, const std::function<void()>& meanwhile);

}  // namespace convscope::app
