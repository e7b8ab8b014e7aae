// A traced warp's way from source line to source line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/user_kernel/kernel_check.h"

namespace convscope::app {

/// Instructions that the warp ran one after the other for the same line.
struct LineStep {
    unsigned line = 0;
    std::size_t first = 0, end = 0;  ///< steps of the trace
    std::uint32_t active = 0;        ///< lanes that came there
    bool barrier = false;            ///< the warp waits at, or arrives at, a barrier of the block
    /// Steps of the trace: the latest that touched memory, and the one that made what the line assigns, or else loaded
    /// something. None where that cannot be told: a loop's counter is seldom what the loop counts with in PTX.
    std::optional<std::size_t> touched = std::nullopt, value = std::nullopt;
};

/// Splits the trace by lines, from where more than the arguments is loaded; instructions that belong to no line of the
/// file go with those before them.
std::vector<LineStep> line_steps(const KernelCheckResult&);

/// The next one with a barrier, or the one before; else the last, or the first.
std::size_t barrier_from(const std::vector<LineStep>&, std::size_t step, bool next);

}  // namespace convscope::app
