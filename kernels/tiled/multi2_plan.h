// The planner of tiled-multi2: which tile a block computes, and how the channels are divided so that all SMs work.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/device_model.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/tiled/multi2_tiling.h"

namespace convscope {

/// The user's choice; 0 is the planner's.
struct Multi2Choice {
    std::int64_t columns = 0;  ///< outputs across of a tile, a multiple of four
    std::int64_t lines = 0;    ///< threads down
    std::int64_t filters = 0;  ///< of a block
    std::int64_t sums = 0;     ///< of a thread: 32 (4 filters x 2 rows of 4), 64 (8 x 2 x 4) or 128 (8 x 4 x 4)
    std::int64_t groups = 0;   ///< threads that share an output's channels
    std::int64_t slice = 0;    ///< channels copied at a time
    std::int64_t stages = 0;   ///< slices in shared memory
    std::int64_t splits = 0;   ///< divisions of the channels among blocks
};

struct Multi2Plan {
    Support support;
    Multi2Tiling tiling{};
    int filters_per_thread = 8, rows_per_thread = 2;
    int load = 1;  ///< floats of x copied at once: 1 or 4
    std::int64_t threads = 0, shared_bytes = 0;
    std::int64_t blocks_x = 0, blocks_y = 0, splits = 1;
    int turns = 1;      ///< that eight threads' loads of four floats of the tile's input take, for bank conflicts
    double cycles = 0;  ///< as the planner estimates
};

/// The values that the kernel has, in Multi2Choice's order.
struct Multi2Values {
    std::vector<std::int64_t> columns{4, 8, 12, 16, 20, 24, 28, 32, 52}, lines{1, 2, 3, 4, 5, 6, 7, 8, 13},
        filters{32, 64, 128}, sums{32, 64, 128}, groups{1, 2, 4}, slice{4, 8, 16}, stages{2, 3},
        splits{1, 2, 4, 8, 16, 32};
};
extern const Multi2Values multi2_values;

/// The most parts of y that a layer may be stored in: they stay in the L2 cache.
std::int64_t max_splits(const ConvShape&);

/// Cycles of the layer: the SM that has the most blocks, by what its schedulers issue and by what it copies; the sum of
/// the parts. A model to rank plans by, fitted to some thousand points measured on an H100; not a prediction of times.
double multi2_cycles(const ConvShape&, const DeviceModel&, const Multi2Plan&);

/// Expects stride 1.
Multi2Plan plan_multi2(const ConvShape&, const DeviceModel&, const Multi2Choice& = {});

}  // namespace convscope
