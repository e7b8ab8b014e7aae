// Layers and launches for the fused kernels' compiled-in sizes, which random shapes hardly ever hit.
#pragma once

#include <vector>

#include "kernels/core/launch.h"
#include "tests/support/random_shapes.h"

namespace convscope::testing {

struct FusedCase {
    ConvShape shape;
    LaunchConfig config;  ///< for fused0, leave its tunables out
};

/// The report's toy: 256 maps of 228 x 228, 256 filters of 5 x 5, 2x2 pooling.
constexpr ConvShape toy{
    .c = 256, .h = 228, .w = 228, .k = 256, .r = 5, .s = 5, .pool_h = 2, .pool_w = 2, .pool_stride = 2};

/// Layers like the report's: 5x5 and 3x3 filters in turn, stride 1, 2x2 pooling with stride 2, with batch, channels,
/// filters, size and padding at random. Every second block is 16x16xZ or 16x8xZ, half of those with the static tile;
/// two thirds of the grids are surplus along some axes. Deterministic. Every case is a launch that works.
std::vector<FusedCase> fused_cases(std::size_t count);

}  // namespace convscope::testing
