// Notices a GPU that is lost in mid-session: a kernel that broke the context, a driver that was reset, a card that is
// gone. CUDA then fails every call, so nothing but the CPU is left for this run of the program.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "app/session/jobs/live.h"
#include "app/session/session.h"

namespace convscope::app {

class DeviceLossMonitor {
public:
    /// Once a frame, after the views. 'layout_failure': what a call of the views to the GPU failed with in this frame;
    /// empty when none did. A failure alone is no loss (a method may break its own rules): the device is asked, once
    /// its measurement has ended, since one thread uses it at a time. A lost one is left for the CPU, with a notice.
    void update(Session&, Registry&, Live&, const std::string& layout_failure);

private:
    void leave(Session&, const Registry&, Live&, const std::string& device, const std::string& words);

    std::map<std::string, std::string> lost_;  ///< why, by device id
    std::string suspicion_;                    ///< the failure that has not been looked into yet; empty: none
    std::uint64_t checked_ = 0;                ///< the generation of the snapshot that was looked at last
};

}  // namespace convscope::app
