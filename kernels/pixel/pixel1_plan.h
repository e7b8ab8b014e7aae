// Tiles a layer for pixel1 and pixel2: what their plan hands to their kernels.
#pragma once

#include <cstdint>

#include "kernels/core/device_model.h"
#include "kernels/core/divisor.h"
#include "kernels/core/launch.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

constexpr int pixel1_threads = 256;  ///< of a block
constexpr int pixel1_warps = pixel1_threads / 32;
constexpr int pixel1_blocks_per_sm = 2;         ///< for which the kernels have registers
constexpr int pixel1_filters = 32;              ///< of a block
constexpr int pixel1_step = 16;                 ///< channels of one product on the tensor cores
constexpr int pixel1_pass = 16 * pixel1_warps;  ///< pixels that are multiplied by the weights while these go past
constexpr int pixel1_max_cluster = 8;

/// In FP16, for each product of x and w.
enum class Pixel1Products { one = 1, three = 3 };

/// Bytes of a step's weights, 16 channels x 32 filters: each in one FP16, or in two.
constexpr int pixel1_step_bytes(Pixel1Products products) {
    return products == Pixel1Products::three ? 2048 : 1024;
}

/// Plain values.
struct Pixel1Tiling {
    int tile_h, tile_w;    ///< windows of a tile
    int tiles_h, tiles_w;  ///< tiles of a map
    int box_h, box_w;      ///< pixels under a tile
    Divisor per_tile_w, per_box_w;
    int dilation_h, dilation_w;
    int padded_k;      ///< filters, rounded up to 32
    int steps;         ///< of 16 channels
    int k_tile_steps;  ///< of a K tile of channels: the weights of one tap and K tile are a stage
    int stages;        ///< in shared memory
    int stage_bytes;
    int span;  ///< lanes that look at a pixel together, a power of two
};

/// A user's choice; 0: chosen for the layer and the GPU.
struct Pixel1Choice {
    int windows = 0;   ///< of a tile, at most
    int channels = 0;  ///< of a K tile: 64 or 128
};
Pixel1Choice pixel1_choice(const LaunchConfig&);

struct Pixel1Plan {
    Pixel1Tiling tiling{};
    /// x: tiles of all images. z: groups of 32 filters, whose blocks are a cluster and share the search for pixels that
    /// are not zero; y: clusters, where a layer has more groups than 8.
    Dim3 grid;
    std::int64_t shared_bytes = 0;
};

/// Takes the largest tiles of which an SM has room for two and with which nine blocks or more come to ten SMs; else
/// those of 64 windows, smaller ones only where these do not fit.
Pixel1Plan plan_pixel1(const ConvShape&, const Pixel1Choice&, Pixel1Products, const DeviceModel&);

/// Bytes of the filters' inverse scales and the prepared weights behind them.
std::int64_t pixel1_prepared_bytes(const ConvShape&, Pixel1Products);

}  // namespace convscope
