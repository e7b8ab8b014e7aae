// A user's own kernel as a method of a sweep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/layers/workload.h"
#include "kernels/method/device.h"
#include "kernels/user_kernel/user_launch.h"

namespace convscope {

/// The kernel's settings at a point of a sweep.
struct UserVariant {
    std::vector<std::string> defines;  ///< "TILE=8"
    std::optional<Dim3> block, grid;   ///< replace those of its comment
};

class UserSource {
public:
    virtual ~UserSource() = default;
    /// Plans a variant without compiling: enough to tell it from others. Throws Error(usage) for an invalid define, and
    /// for a device that runs no kernels.
    virtual UserLaunch planned(const DeviceInfo&, const UserVariant&) const = 0;
    /// Compiled and called for this layer, without the layer's arrays. What cannot be says why in it. Throws Error
    /// where no variant could be: the kernel does not compute the layer, or its file has changed.
    virtual UserLaunch made(const WorkloadSpec&, const DeviceInfo&, const UserVariant&) = 0;
};

}  // namespace convscope
