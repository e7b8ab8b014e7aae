// Detects host accesses to GPU memory as faults of the processor.
#pragma once

#include <signal.h>

namespace convscope::runtime {

/// Installs the handler; it stays until the process ends.
void watch_host_faults();

/// While it lives, a fault of this thread, and of threads that it starts, counts as a fault of the simulated GPU itself
/// and ends the process: reporting it would wait for the launch.
class NoFaultHandling {
public:
    NoFaultHandling();
    ~NoFaultHandling();
    NoFaultHandling(const NoFaultHandling&) = delete;
    NoFaultHandling& operator=(const NoFaultHandling&) = delete;

private:
    sigset_t before_;
};

}  // namespace convscope::runtime
