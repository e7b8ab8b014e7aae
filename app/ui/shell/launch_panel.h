// The launch configuration of one method: block, grid, tunables, the kernels they lead to, and the occupancy.
#pragma once

#include <string>

#include "app/ui/widgets/frame.h"

namespace convscope::app {

class LaunchPanel {
public:
    void draw(Frame&);

private:
    void reject(const std::string& reason);
    void device_and_method(Frame&);
    void configuration(Frame&, const Method&, const ResolvedLaunch&);
    void kernels(const ResolvedLaunch&);
    void occupancy_of(Frame&, const ResolvedLaunch&);

    std::string rejection_;  ///< that is in sight
    struct {
        std::string method;
        ResolvedLaunch launch;
    } good_;  ///< what was shown last that can be launched
};

}  // namespace convscope::app
