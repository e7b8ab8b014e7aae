// How fused5 cuts a layer into blocks.
#pragma once

#include <cstdint>

#include "kernels/core/device_model.h"
#include "kernels/core/launch.h"
#include "kernels/fused/fused5_tile.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

/// Whether fused1 to fused5 have the layer's sizes compiled in: a 5x5 or 3x3 filter at stride 1 and 2x2 pooling with
/// stride 2.
bool has_compiled_sizes(const ConvShape&);

/// 1 to 3: Fused5Large, Fused5Medium or Fused5Small, as requested by the tunable 'tile', or as fits a layer with
/// compiled sizes and this GPU best.
int fused5_tile(const ConvShape&, const LaunchConfig&, const DeviceModel&);

/// The size of a block of that tile.
struct Fused5Size {
    std::int64_t filters, rows, columns, threads, shared_bytes;
    std::int64_t tiles(const ConvShape&) const;   ///< of an image
    std::int64_t groups(const ConvShape&) const;  ///< of filters
};
Fused5Size fused5_size(int tile, const ConvShape&);

/// The tiling of any other layer: the largest whose input fits a block's shared memory without opt-in, or the smallest.
Fused5AnyTiling fused5_any_tiling(const ConvShape&, const DeviceModel&);
std::int64_t fused5_any_bytes(const Fused5AnyTiling&);

/// Filters from one tap of the prepared weights to the next: k, rounded up to what a block takes.
std::int64_t fused5_weight_pitch(const ConvShape&);

}  // namespace convscope
