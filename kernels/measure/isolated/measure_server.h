// The inside of a process that measures for a sweep in another one.
#pragma once

#include "kernels/method/registry.h"

namespace convscope {

/// Answers requests from a socket until the other side is gone: then the whole process ends at once, whatever it is
/// doing. Ignores Ctrl-C, which the terminal sends to both processes: the sweep says when to stop.
[[noreturn]] void serve_measurements(Registry&, int socket);

}  // namespace convscope
