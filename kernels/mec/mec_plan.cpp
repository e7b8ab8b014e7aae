#include "kernels/mec/mec_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

constexpr std::int64_t listed_row_bytes = 16;  // of what a block lists for each row of a strip
constexpr std::int64_t max_rows = 16, max_split = 8;

/// An odd number of float4: neighbouring strips then lie in different banks.
std::int64_t odd_pitch(std::int64_t floats) {
    return (floats / 4 | 1) * 4;
}

/// The stage of a tile with slices of 'depth' floats of filter_rows rows.
void set_stage(MecPlan& plan, const ConvShape& shape, std::int64_t depth, std::int64_t filter_rows) {
    MecTiling& tiling = plan.tiling;
    tiling.depth = static_cast<int>(depth);
    tiling.depth_bits = std::countr_zero(static_cast<unsigned>(depth));
    tiling.filter_rows = static_cast<int>(filter_rows);
    tiling.strip_rows = static_cast<int>((tiling.rows - 1) * shape.stride_h + filter_rows);
    tiling.pitch = static_cast<int>(odd_pitch(tiling.strip_rows * depth));
    tiling.stages = static_cast<int>(ceil_div(shape.s * shape.c, depth) * ceil_div(shape.r, filter_rows));
    const std::int64_t weights = filter_rows * depth * plan.filters;
    tiling.set_floats = static_cast<int>(tiling.strips * tiling.pitch + weights);
    plan.shared_bytes = std::int64_t{tiling.strips} * tiling.strip_rows * listed_row_bytes + 8LL * tiling.set_floats;
}

/// The largest stage that leaves room for a second block, among the depths that waste the fewest columns.
void choose_stage(MecPlan& plan, const ConvShape& shape, const DeviceModel& model) {
    const std::int64_t columns = shape.s * shape.c, least = 4;
    const auto room = static_cast<std::int64_t>(model.shared_per_block_optin) / 2;
    std::int64_t best = 0, best_columns = 0;
    for (std::int64_t depth : {16, 8, 4}) {
        set_stage(plan, shape, depth, shape.r);
        const std::int64_t padded = ceil_div(columns, depth) * depth;
        if (plan.shared_bytes > room || (best && padded * 20 > best_columns * 19)) continue;
        best = depth;
        best_columns = padded;
    }
    set_stage(plan, shape, best ? best : least, shape.r);
    for (std::int64_t rows = shape.r; plan.shared_bytes > room && rows > 1;)
        set_stage(plan, shape, least, rows = ceil_div(rows, 2));
}

/// Blocks of this plan that a multiprocessor holds at once.
double resident(const MecPlan& plan, const DeviceModel& model) {
    const double by_registers = std::max(1.0, std::floor(448.0 / plan.threads));
    const double by_shared =
        std::floor(static_cast<double>(model.shared_per_block_optin) / static_cast<double>(plan.shared_bytes));
    return std::max(1.0, std::min(by_registers, by_shared));
}

/// In multiply-adds that one multiprocessor has time for meanwhile: the fullest one's, slowed where its warps are too
/// few to hide each other's latency, and what sharing a tile costs.
double cost(const MecPlan& plan, const DeviceModel& model) {
    const double depth = static_cast<double>(plan.tiling.stages) * plan.tiling.depth * plan.tiling.filter_rows;
    const double tile = static_cast<double>(plan.outputs * plan.filters);
    const double work = tile * (depth / plan.split + (plan.split > 1 ? 40.0 : 8.0));
    const double blocks = static_cast<double>(plan.blocks * plan.split), sms = std::max(1, model.sms);
    const double rounds = std::ceil(blocks / sms), at_once = std::min(rounds, resident(plan, model));
    const double warps = at_once * static_cast<double>(plan.threads) / 32;
    const double rate = std::min(1.0, 0.4 + warps / 20.0);
    const double narrow = plan.outputs * plan.filters < 128 * 64 ? 1.15 : 1.0;
    return rounds * work * narrow / rate;
}

}  // namespace

const std::vector<MecTileSize> mec_tiles{{128, 128, 256}, {128, 96, 192}, {128, 64, 128}, {64, 64, 64}};

MecPlan plan_mec(const ConvShape& shape, const DeviceModel& model, bool clusters, const MecRequest& requested) {
    MecPlan best;
    double best_cost = 0;
    for (const MecTileSize& tile : mec_tiles) {
        if (requested.outputs && requested.outputs != tile.outputs) continue;
        if (requested.filters && requested.filters != tile.filters) continue;
        const std::int64_t strips = shape.n * shape.q();
        for (std::int64_t rows = 1; rows <= std::min(max_rows, std::max(shape.p(), requested.rows)); ++rows) {
            if (requested.rows ? rows != requested.rows : rows > shape.p()) continue;
            MecPlan plan;
            plan.outputs = tile.outputs;
            plan.filters = tile.filters;
            plan.threads = tile.threads;
            plan.tiling.rows = static_cast<int>(rows);
            plan.tiling.strips = static_cast<int>(std::min(tile.outputs / rows, strips));
            choose_stage(plan, shape, model);
            plan.tiling.row_groups = static_cast<int>(ceil_div(shape.p(), rows));
            plan.tiling.filter_groups = static_cast<int>(ceil_div(shape.k, tile.filters));
            plan.blocks =
                std::int64_t{plan.tiling.row_groups} * plan.tiling.filter_groups * ceil_div(strips, plan.tiling.strips);
            const std::int64_t most = clusters ? std::min<std::int64_t>(max_split, plan.tiling.stages) : 1;
            for (std::int64_t split = 1; split <= most; ++split) {
                if (requested.split && split != std::min(requested.split, most)) continue;
                plan.split = split;
                // The shares of the filter rows that a stage brings again for each block's rows make more rows better.
                const double loads = 1.0 + 0.1 * plan.tiling.strip_rows / (rows * static_cast<double>(shape.r));
                const double found = cost(plan, model) * loads;
                if (best.threads && found >= best_cost) continue;
                best = plan;
                best_cost = found;
            }
        }
    }
    // A cluster's blocks leave their sums where the stages were.
    if (best.split > 1)
        best.shared_bytes =
            std::max(best.shared_bytes, std::int64_t{best.tiling.strips} * best.tiling.strip_rows * listed_row_bytes +
                                            best.outputs * best.filters * 4);
    return best;
}

}  // namespace convscope
