// A user's own kernel as a method of a sweep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/core/device.h"
#include "kernels/core/workload.h"
#include "kernels/own/own_launch.h"

namespace convscope {

/// What a point of a sweep varies of the kernel.
struct OwnVariant {
    std::vector<std::string> defines;  ///< "TILE=8"
    std::optional<Dim3> block, grid;   ///< in the place of those that its comment has
};

class OwnSource {
public:
    virtual ~OwnSource() = default;
    /// What tells the variants apart; nothing is compiled. Throws Error(usage) for what is not a define, and for a
    /// device that runs no kernels.
    virtual OwnLaunch planned(const DeviceInfo&, const OwnVariant&) const = 0;
    /// Compiled and called for this layer, without the layer's arrays. What cannot be says why in it. Throws Error
    /// where no variant could be: the kernel does not compute the layer, or its file has changed.
    virtual OwnLaunch made(const WorkloadSpec&, const DeviceInfo&, const OwnVariant&) = 0;
};

}  // namespace convscope
