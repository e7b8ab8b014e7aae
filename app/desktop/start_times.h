// Where the time to the first frame goes. Printed on standard error where $CONVSCOPE_TIMES is set; costs nothing
// otherwise. scripts/bench/window-cost makes a table of several starts.
#pragma once

namespace convscope::app {

/// Ends a part of the start: 'part' took the time since the part before, the first one since the process began.
void note_start(const char* part);
/// The first frame is on the screen: prints "convscope: first frame after 212 ms (180 of CPU time): 31 ms (28)
/// libraries, ...", once. The CPU time is that of all threads; on a busy machine it says more than the clock.
void note_first_frame();

}  // namespace convscope::app
