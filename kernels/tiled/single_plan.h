// The planner of tiled-single: Chang et al., Section 3.1. One channel is divided over the SMs either by its filters or
// by the rows of its map, and what an SM does not get its own share of reaches it in pieces.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/layers/conv_shape.h"
#include "kernels/tiled/latency_hiding.h"
#include "kernels/tiled/single_tiling.h"

namespace convscope {

/// One of the two ways to divide, with the paper's bounds on its number of pieces.
struct Division {
    std::int64_t most = 0;               ///< step 1: with more, an SM has fewer than N_FMA operations per piece
    std::optional<std::int64_t> least;   ///< step 2: with fewer, a piece does not fit; none when no number is enough
    std::optional<std::int64_t> pieces;  ///< P or Q: the least that the kernel can run; none when there is none
    std::int64_t bytes = 0;              ///< D1 (Eq. 5) or D2 (Eq. 8): data of one SM at a time
    std::int64_t fma = 0;                ///< Th1 (Eq. 6) or Th2 (Eq. 9): its operations on them
    SingleTiling tiling;
    std::int64_t parts = 0;         ///< of the filters or the map, one for each SM
    std::int64_t sharers = 0;       ///< blocks that share a part, dealing its slices out in turn
    std::int64_t shared_bytes = 0;  ///< of one block
};

struct SinglePlan {
    Support support;
    LatencyHiding hiding;
    Division filters;  ///< the first way: filters over the SMs, the map in P pieces
    Division maps;     ///< the second way: rows of the map over the SMs, the filters in Q pieces
    bool by_filters = false;

    const Division& chosen() const { return by_filters ? filters : maps; }
    /// The paper's first or second approach to hide latency, by operations or by volume; 0: the layer is too small.
    int approach() const;
    std::int64_t volume = 0;  ///< bytes that all SMs fetch at a time, held against V_s
};

/// P or Q of 0 is the planner's choice; a number takes its way of dividing. Padding counts as part of the map. Expects
/// c = 1 and stride 1.
SinglePlan plan_single(const ConvShape&, const DeviceModel&, std::int64_t P = 0, std::int64_t Q = 0);

std::vector<Quantity> quantities(const SinglePlan&);

}  // namespace convscope
