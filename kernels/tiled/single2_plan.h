// The planner of tiled-single2: how many filters and rows a thread takes, and how wide it may load.
#pragma once

#include <cstdint>

#include "kernels/core/device_model.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/tiled/single2_tiling.h"

namespace convscope {

struct Single2Plan {
    Support support;
    Single2Tiling tiling{};
    int rows_per_thread = 1;              ///< 1 or 2
    int load = 1;                         ///< floats of x fetched at once: 1, 2 or 4
    std::int64_t threads = 0, block = 0;  ///< that an image's quads take, and of a block
    std::int64_t groups = 0;              ///< of filters
};

/// The floats between the weights of two filters in the prepared weights.
std::int64_t single2_pitch(const ConvShape&);

/// 'filters' and 'rows' of a thread, 'block' threads of a block; 0 is the planner's choice. Expects c = 1 and stride 1.
Single2Plan plan_single2(const ConvShape&, const DeviceModel&, std::int64_t filters = 0, std::int64_t rows = 0,
                         std::int64_t block = 0);

}  // namespace convscope
