// Tiles a layer for mec5, mec6 and mec7, and decides how many blocks share a tile.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/device_model.h"
#include "kernels/core/launch.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/mec/mec5_tile.h"

namespace convscope {

/// The differences between the three methods: whether rows come from L, and whether FP32 is made of three TF32
/// products.
struct Mec5Kind {
    bool lowered = false, split = false;
};

/// The user's choice; 0 leaves a value to the planner.
struct Mec5Request {
    std::int64_t outputs = 0, filters = 0, split = 0, promotion_interval = 0;
};

struct Mec5Plan {
    std::int64_t outputs = 0, filters = 0;  ///< of a tile
    std::int64_t blocks = 0, split = 1;     ///< along the grid's x; blocks that share a tile, a cluster
    std::int64_t shared_bytes = 0;
    bool wide = false;  ///< rows are loaded 16 bytes at a time
    Mec5Tiling tiling{};
};

/// A tile with a kernel, and the nanoseconds that an SM of an H100 was measured to take for a K tile of it.
struct Mec5TileChoice {
    std::int64_t outputs, filters, shared_bytes;
    double k_tile;
};
const std::vector<Mec5TileChoice>& mec5_tiles(Mec5Kind);

/// Returns a plan of 0 outputs where no tile fits the request.
Mec5Plan plan_mec5(const ConvShape&, const DeviceModel&, Mec5Kind, const Mec5Request& = {});

/// Floats of the prepared weights.
std::int64_t mec5_weight_elements(const ConvShape&, Mec5Kind);

}  // namespace convscope
