// What the host does to memory of the GPU, seen where the processor refuses it.
#pragma once

#include <signal.h>

namespace convscope::runtime {

/// From the first call on.
void watch_host_faults();

/// While it lives, a fault of this thread, and of the threads that it starts, is one of the simulated GPU itself and
/// ends the process: whoever asked what it is about would wait for the launch.
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
