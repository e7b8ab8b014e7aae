#include "kernels/mec/mec5_plan.h"

#include <algorithm>
#include <cmath>

#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

std::int64_t leading(const ConvShape& shape) {
    return ceil_div(shape.k, mec5_filter_pitch) * mec5_filter_pitch;
}

/// Whether each row of a partition, and each of its K tiles, begins at a multiple of four floats.
bool aligned(const ConvShape& shape, bool lowered) {
    if (shape.c % 4 == 0) return true;
    const std::int64_t row = shape.s * shape.c;
    return lowered && row * shape.r % 4 == 0 && row * shape.stride_h % 4 == 0 && row * shape.padded_h() % 4 == 0;
}

Mec5Plan plan_tile(const ConvShape& shape, const DeviceModel& model, Mec5Kind kind, const Mec5TileChoice& tile,
                   std::int64_t split) {
    Mec5Plan plan{tile.outputs, tile.filters};
    Mec5Tiling& tiling = plan.tiling;
    tiling.outputs = to_int(shape.n * shape.p() * shape.q());
    tiling.columns = to_int(shape.reduction());
    tiling.k_tiles = to_int(ceil_div(tiling.columns, mec5_tile_k));
    tiling.filter_groups = to_int(ceil_div(shape.k, tile.filters));
    tiling.tiles = to_int(ceil_div(tiling.outputs, tile.outputs) * tiling.filter_groups);
    tiling.leading = to_int(leading(shape));
    tiling.lowered = kind.lowered;
    tiling.both_residuals = kind.split && tiling.k_tiles == 1;
    plan.shared_bytes = tile.shared_bytes;
    plan.split = std::min<std::int64_t>(split, tiling.k_tiles);
    plan.blocks = plan.split > 1 ? tiling.tiles : std::min<std::int64_t>(std::max(model.sms, 1), tiling.tiles);
    plan.wide = aligned(shape, kind.lowered);
    return plan;
}

/// Clusters of this many blocks that run at once. An SM holds one block, and an H100's SMs lie in groups of 16 and 18
/// that no cluster reaches beyond: as seen in the times of layers with few tiles.
std::int64_t clusters_at_once(std::int64_t blocks, const DeviceModel& model) {
    const double share = blocks == 1   ? 1.0
                         : blocks == 2 ? 0.48
                         : blocks == 3 ? 0.29
                         : blocks == 4 ? 0.23
                                       : 0.9 / blocks;
    return std::max<std::int64_t>(1, std::llround(std::max(model.sms, 1) * share));
}

/// Nanoseconds that the busiest SM takes, with 'k_tile' for one K tile of the tile.
double duration(const Mec5Plan& plan, const DeviceModel& model, double k_tile) {
    constexpr double start = 4000, store_an_output = 0.15, share = 4500;
    const double rounds = static_cast<double>(ceil_div(plan.tiling.tiles, clusters_at_once(plan.split, model)));
    const double k_tiles = static_cast<double>(ceil_div(plan.tiling.k_tiles, plan.split));
    const double store = store_an_output * static_cast<double>(plan.outputs * plan.filters);
    return start + rounds * (k_tiles * k_tile + store + (plan.split > 1 ? share : 0.0));
}

template <int Outputs, int Filters, bool Split>
constexpr Mec5TileChoice choice(double k_tile) {
    return {Outputs, Filters, Mec5TileSizes<Outputs, Filters, Split>::shared_bytes, k_tile};
}

}  // namespace

const std::vector<Mec5TileChoice>& mec5_tiles(Mec5Kind kind) {
    static const std::vector<Mec5TileChoice> split{choice<128, 128, true>(1165), choice<128, 64, true>(900),
                                                   choice<256, 64, true>(1560)};
    static const std::vector<Mec5TileChoice> single{choice<256, 128, false>(970), choice<128, 128, false>(570),
                                                    choice<256, 64, false>(830), choice<128, 64, false>(525)};
    return kind.split ? split : single;
}

Mec5Plan plan_mec5(const ConvShape& shape, const DeviceModel& model, Mec5Kind kind, const Mec5Request& requested) {
    Mec5Plan best;
    double shortest = 0;
    for (const Mec5TileChoice& tile : mec5_tiles(kind)) {
        if (requested.outputs > 0 && requested.outputs != tile.outputs) continue;
        if (requested.filters > 0 && requested.filters != tile.filters) continue;
        for (const std::int64_t split : {1, 2, 3, 4, 6, 8}) {
            if (requested.split > 0 && split != requested.split) continue;
            const Mec5Plan plan = plan_tile(shape, model, kind, tile, split);
            const double found = duration(plan, model, tile.k_tile);
            if (best.outputs > 0 && found >= shortest) continue;
            best = plan;
            shortest = found;
        }
    }
    constexpr std::int64_t default_promotion_interval = 2;
    best.tiling.promotion_interval =
        to_int(requested.promotion_interval > 0 ? requested.promotion_interval : default_promotion_interval);
    return best;
}

std::int64_t mec5_weight_elements(const ConvShape& shape, Mec5Kind kind) {
    return (kind.split ? 2 : 1) * ceil_div(shape.reduction(), mec5_tile_k) * mec5_tile_k * leading(shape);
}

}  // namespace convscope
