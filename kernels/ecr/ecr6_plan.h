// How ecr6 cuts a layer into tiles and shares its channels.
#pragma once

#include <cstdint>

#include "kernels/core/conv_shape.h"
#include "kernels/core/device_model.h"
#include "kernels/core/launch.h"
#include "kernels/ecr/ecr6_tile.h"

namespace convscope {

/// What a person may choose; 0: as suits the layer and the GPU.
struct Ecr6Choice {
    int filters = 0;  ///< of a tile: 64 or 128
    int groups = 0;   ///< warpgroups that multiply, 8 rows of windows each: 1 or 2
    int parts = 0;    ///< blocks that share a tile's channels
    int flush = 0;    ///< taps after which sums are added to totals in FP32
};

struct Ecr6Plan {
    int filters = 0, groups = 0;
    Ecr6Tiling tiling{};
    std::int64_t shared_bytes = 0;
    double nanoseconds = 0;  ///< that the planner's model expects of an H100
    int threads() const { return 128 * (groups + 2); }
    /// That a block starts with, for each thread: what its launch bounds leave.
    int registers() const { return blocks_per_sm() == 2 ? 80 : groups == 2 ? 128 : 168; }
    int blocks_per_sm() const { return ecr6_blocks_per_sm(filters, groups); }
    std::int64_t blocks(const DeviceModel&) const;
};

/// What is 0 in 'asked' is chosen for the shortest time by a simple model. 'pools': ReLU and max-pooling are included.
/// tiling.stages is below 2 where the shared memory does not hold the tile.
Ecr6Plan plan_ecr6(const ConvShape&, const Ecr6Choice& asked, bool pools, const DeviceModel&);

/// Floats of the prepared weights.
std::int64_t ecr6_weight_elements(const ConvShape&);
/// Bytes of the partial sums; 0 where the product is complete when it is stored.
std::int64_t ecr6_partial_bytes(const ConvShape&, const Ecr6Tiling&);

}  // namespace convscope
