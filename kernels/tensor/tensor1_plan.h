// Tiles a layer for tensor1 and shares its channels between blocks.
#pragma once

#include <cstdint>

#include "kernels/core/device_model.h"
#include "kernels/core/launch.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/tensor/tensor1_tile.h"

namespace convscope {

/// The user's choice; 0 leaves a value to the planner.
struct Tensor1Choice {
    int filters = 0;             ///< of a tile: 64 or 128
    int split_k = 0;             ///< blocks that share a tile's channels
    int promotion_interval = 0;  ///< taps after which sums are added to totals in FP32
};

struct Tensor1Plan {
    int filters = 0;
    Tensor1Tiling tiling{};
    std::int64_t shared_bytes = 0;
    double nanoseconds = 0;  ///< as the model estimates
    /// The parts of a tile lie along z, a cluster, whose blocks take one item each; with one part, no more blocks than
    /// run at once.
    Dim3 grid(const DeviceModel&) const;
};

/// Whether the multiplying kernel pools: 2x2 windows with stride 2. Others are pooled by a separate kernel.
bool pools_in_squares(const ConvShape&);

/// Chooses each 0 in 'requested' for the shortest time by a simple model. 'pools': the kernel also applies ReLU and
/// pooling in squares. tiling.stages is below 2 where shared memory does not hold the tile.
Tensor1Plan plan_tensor1(const ConvShape&, const Tensor1Choice& requested, bool pools, const DeviceModel&);

/// Floats of the inverse scales in front of the prepared weights; and of both together.
std::int64_t tensor1_scale_elements(const ConvShape&);
std::int64_t tensor1_prepared_elements(const ConvShape&);

/// Whether windows are gathered, because TMA does not take the layer in boxes or shared memory does not hold those.
bool tensor1_gathers(const ConvShape&);

}  // namespace convscope
