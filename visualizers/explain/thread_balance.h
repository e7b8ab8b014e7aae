// How evenly the zeros leave the work of a block row to its threads: products per thread, which Ptr (ECR) and Count
// (PECR) hold, and how long lanes wait for the busiest of their warp. No ImGui.
#pragma once

#include <cstdint>
#include <vector>

#include "visualizers/explain/links.h"

namespace convscope {

struct WarpBalance {
    std::int64_t threads = 0;   ///< lanes that have a thread, at most 32
    std::int64_t busiest = 0;   ///< products of its busiest thread: the warp takes as long
    std::int64_t products = 0;  ///< of all its threads
    /// Lane-steps of 32 lanes for as long as the busiest: working, waiting for it, and of lanes without a thread.
    std::int64_t lane_steps() const { return 32 * busiest; }
    std::int64_t waiting() const { return threads * busiest - products; }
    std::int64_t empty() const { return (32 - threads) * busiest; }
};

struct BlockBalance {
    std::vector<std::int64_t> products;  ///< by thread
    std::vector<WarpBalance> warps;
    /// Sums over the warps.
    std::int64_t lane_steps() const;
    std::int64_t waiting() const;
    std::int64_t empty() const;
};

/// The balance of one block row, in ECR or PECR.
BlockBalance balance_of(Format, const MapValues&, std::int64_t block, const ThreadMap& = {});
/// Block rows of a format: p in ECR, out_h in PECR.
std::int64_t block_rows(Format, const ConvShape&);

}  // namespace convscope
