// The values of a user's own kernel that a sweep can vary, from its source: nothing is compiled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/ptx/text/kernel_text.h"

namespace convscope::app {

struct SweepableKernel {
    std::string id;      ///< as a method: "own/conv"
    std::string reason;  ///< why it cannot be swept over, as a sentence; empty when it can
    /// Whole numbers that the source has names for; first those that grid, block or shared memory are written with.
    std::vector<std::pair<std::string, std::int64_t>> constants;
    std::size_t of_launch = 0;        ///< how many of them these are
    std::optional<Dim3> block;        ///< that its comment leads to for the layer
    bool grid_follows_block = false;  ///< is written with block_x and the like
    ptx::KernelText text;
};

/// 'file' is "FILE.cu" or "FILE.cu:NAME". Never throws, but for what the host lacks. Where macros or headers have the
/// parameters, it takes as long as the compiler's preprocessor does.
SweepableKernel sweepable_kernel(const std::string& file, const ConvShape& layer);
/// The same kernel for another layer.
void set_layer(SweepableKernel&, const ConvShape& layer);

}  // namespace convscope::app
