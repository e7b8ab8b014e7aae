// Small words for planning launches.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "kernels/core/launch.h"

namespace convscope {

inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

inline KernelLaunch kernel_launch(const char* kernel, const char* stage, Dim3 grid, Dim3 block,
                                  std::int64_t shared_bytes = 0) {
    return {kernel, stage, grid, block, static_cast<std::size_t>(shared_bytes), 0};
}

inline ResolvedLaunch reject(std::string reason) {
    return {Support::no(std::move(reason)), {}, 0};
}

/// The value of a tunable: as requested, or its default.
std::int64_t tunable(const LaunchSpace&, const LaunchConfig&, const std::string& name);

/// The same where 0 leaves the choice to a plan: what was requested, else 0.
std::int64_t requested_tunable(const LaunchConfig&, const std::string& name);

}  // namespace convscope
