// The planner of tiled-multi, the stride-fixed block method: Chang et al., Section 3.2. A block goes along the channels
// in segments of S bytes of M' filters, and of the W'_y lines of W'_x pixels that those weights meet.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/layers/conv_shape.h"
#include "kernels/tiled/latency_hiding.h"
#include "kernels/tiled/multi_tiling.h"

namespace convscope {

struct MultiPlan {
    Support support;
    LatencyHiding hiding;
    std::int64_t S = 0;          ///< bytes of each filter's segment
    std::int64_t W_x = 0;        ///< W'_x, pixels
    std::int64_t W_y = 0;        ///< W'_y = ceil(S / 4K), lines
    std::int64_t M = 0;          ///< M', filters
    std::int64_t min_M = 0;      ///< step 3: N_FMA x 4 bytes / (S x W'_x), rounded up
    std::int64_t set_bytes = 0;  ///< step 4: S x M' + W'_y x W'_x x 4
    std::int64_t room = 0;       ///< half of an SM's shared memory, the other half being for the set fetched ahead
    std::int64_t fma = 0;        ///< multiply-adds on one set: (S / 4) x M' x W'_x
    std::int64_t segments = 0;   ///< of a filter
    MultiTiling tiling;
    std::int64_t tiles = 0, groups = 0;  ///< blocks for the pixels of an image, and for the filters
    std::int64_t shared_bytes = 0;       ///< of one block, both sets
};

/// The values that the kernel has. A 0 in plan_multi() is the planner's choice.
extern const std::vector<std::int64_t> multi_segment_bytes, multi_pixels, multi_filters;

/// Padding is part of the map. Expects stride 1.
MultiPlan plan_multi(const ConvShape&, const DeviceModel&, std::int64_t S = 0, std::int64_t W_x = 0,
                     std::int64_t M = 0);

std::vector<Quantity> quantities(const MultiPlan&);

}  // namespace convscope
