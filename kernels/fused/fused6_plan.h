// Tiles a layer for fused6.
#pragma once

#include <cstdint>

#include "kernels/core/device_model.h"
#include "kernels/core/launch.h"
#include "kernels/fused/fused6_tile.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

struct Fused6Plan {
    int filters = 0, columns = 0;  ///< of a tile: 64 or 128, 8 or 16
    Fused6Tiling tiling{};
    std::int64_t shared_bytes = 0;
};

/// Takes the tunables 'filters' and 'columns'; chooses those that are not requested (0) so that the busiest SM has the
/// least to do. tiling.stages is below 2 where the shared memory does not hold the tile.
Fused6Plan plan_fused6(const ConvShape&, const LaunchConfig&, const DeviceModel&);

/// Floats of the prepared weights.
std::int64_t fused6_weight_elements(const ConvShape&);

}  // namespace convscope
