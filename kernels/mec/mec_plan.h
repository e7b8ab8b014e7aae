// The planner of mec3 and mec4: which tile a block computes, what it holds in shared memory at once, and how many
// blocks share one tile's sums.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/device_model.h"
#include "kernels/core/launch.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/mec/mec_tiling.h"

namespace convscope {

struct MecPlan {
    std::int64_t outputs = 0, filters = 0, threads = 0;  ///< of a block
    std::int64_t blocks = 0, split = 1;                  ///< tiles; blocks that share one, a cluster
    std::int64_t shared_bytes = 0;
    MecTiling tiling;
};

/// The user's request; 0 is the planner's choice.
struct MecRequest {
    std::int64_t outputs = 0, filters = 0, rows = 0, split = 0;
};

/// The tiles that there are kernels for, outputs x filters.
struct MecTileSize {
    std::int64_t outputs, filters, threads;
};
extern const std::vector<MecTileSize> mec_tiles;

/// 'clusters': blocks may share a tile. A plan without threads: no tile is as requested.
MecPlan plan_mec(const ConvShape&, const DeviceModel&, bool clusters, const MecRequest& = {});

}  // namespace convscope
