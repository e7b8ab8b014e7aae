// A traced warp's way from source line to source line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/own_kernel/kernel_look.h"

namespace convscope::app {

/// Instructions that the warp ran one after the other for the same line.
struct LineStep {
    unsigned line = 0;
    std::size_t first = 0, end = 0;  ///< steps of the trace
    std::uint32_t active = 0;        ///< lanes that came there
    bool barrier = false;            ///< the warp waits at, or arrives at, a barrier of the block
};

/// Of the look's trace, from where more than the arguments is loaded; instructions that belong to no line of the file
/// go with those before them.
std::vector<LineStep> line_steps(const KernelLook&);

/// The next one with a barrier, or the one before; else the last, or the first.
std::size_t barrier_from(const std::vector<LineStep>&, std::size_t step, bool next);

}  // namespace convscope::app
