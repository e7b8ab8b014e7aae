// Which shapes F(2x2, 3x3) takes, and how many tiles they are cut into: the same on every device.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "kernels/core/launch.h"
#include "kernels/method/flops.h"
#include "kernels/winograd/f2x2_3x3.h"

namespace convscope {

/// Tiles of 4x4 elements of the padded map, two apart, for 2x2 outputs each. Where p or q is odd the last tiles reach
/// over the edge: they read zeros there, and what they compute beyond y is dropped.
struct WinogradTiles {
    std::int64_t n = 1, h = 0, w = 0;  ///< images, and tiles down and across each
    std::int64_t count() const { return n * h * w; }
};

inline WinogradTiles winograd_tiles(const ConvShape& shape) {
    constexpr std::int64_t side = f2x2_3x3::outputs;
    return {shape.n, (shape.p() + side - 1) / side, (shape.q() + side - 1) / side};
}

/// Floats of U: each filter's channels, transformed.
inline std::int64_t winograd_filter_elements(const ConvShape& shape) {
    return f2x2_3x3::elements * shape.c * shape.k;
}

/// 2 per multiply-add of the transformed tiles, 16 for each tile, channel and filter.
inline std::optional<double> winograd_flops(const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    return 2.0 * static_cast<double>(winograd_tiles(shape).count() * f2x2_3x3::elements) *
           static_cast<double>(shape.group_channels() * shape.k);
}

/// 3x3 filters with stride 1.
inline Support winograd_accepts(const ConvShape& shape) {
    const auto text = [](std::int64_t number) { return std::to_string(number); };
    if (shape.r != f2x2_3x3::taps || shape.s != f2x2_3x3::taps)
        return Support::no("F(2x2, 3x3) takes 3x3 filters, not " + text(shape.r) + "x" + text(shape.s) +
                           "; im2col and mec2 take any");
    if (shape.stride_h != 1 || shape.stride_w != 1)
        return Support::no("F(2x2, 3x3) takes stride 1, not " + text(shape.stride_h) + "," + text(shape.stride_w) +
                           ": its tiles share what neighbouring outputs read; im2col and mec2 take any stride");
    // Only padding far wider than the map leads here: no other tensor has as many elements.
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (const std::int64_t tiles = winograd_tiles(shape).count(); tiles > most / shape.c)
        return Support::no("F(2x2, 3x3) cuts this shape into " + text(tiles) + " tiles of " + text(shape.c) +
                           " channels, and takes up to " + text(most) +
                           " in all; make the padding or the batch smaller");
    return {};
}

}  // namespace convscope
