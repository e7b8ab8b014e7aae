// A CPU method described by its parts, so that a family's file states only what is its own.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/method/method.h"

namespace convscope {

struct CpuMethodParts {
    MethodInfo info;  ///< info.device is cpu
    std::vector<Tunable> tunables;
    std::function<Support(const ConvShape&)> supports;  ///< of one group; empty: every valid shape
    /// Binds the method to a supported shape of one group; tunables are checked, unset ones missing from the map.
    std::function<std::unique_ptr<Execution>(const ConvShape&, const LaunchConfig&)> make;
};

/// Takes any number of groups, one after the other. workspace_bytes() asks an execution that has allocated nothing, so
/// prediction and fact are one number.
std::unique_ptr<Method> make_cpu_method(CpuMethodParts);

/// The value that is set, or the tunable's default.
std::int64_t tunable_value(const Tunable&, const LaunchConfig&);

}  // namespace convscope
