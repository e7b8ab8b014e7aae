// Small words for planning launches.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/ceil_div.h"
#include "kernels/core/launch.h"

namespace convscope {

inline constexpr std::int64_t float_bytes = sizeof(float);

/// For what a plan bounds.
constexpr int to_int(std::int64_t value) {
    return static_cast<int>(value);
}

inline KernelLaunch kernel_launch(const char* kernel, const char* stage, Dim3 grid, Dim3 block,
                                  std::int64_t shared_bytes = 0) {
    return {kernel, stage, grid, block, static_cast<std::size_t>(shared_bytes), 0};
}

inline ResolvedLaunch reject(std::string reason) {
    return {Support::no(std::move(reason)), {}, 0};
}

/// A tunable of these values, or 0: as planned.
Tunable planned_tunable(const char* name, const std::string& meaning, const std::vector<std::int64_t>& values);

/// The value of a tunable: as requested, or its default.
std::int64_t tunable(const LaunchSpace&, const LaunchConfig&, const std::string& name);

/// The same where 0 leaves the choice to a plan: what was requested, else 0.
std::int64_t requested_tunable(const LaunchConfig&, const std::string& name);

}  // namespace convscope
