#include "kernels/fused/fused6_plan.h"

#include <algorithm>

#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

constexpr std::int64_t k_tile_bytes = fused6_tile_k * std::int64_t{sizeof(float)};

std::int64_t weight_pitch(const ConvShape& shape) {
    return ceil_div(shape.k, fused6_max_filters) * fused6_max_filters;
}

/// Rows and columns of the convolution that anything depends on: with pooling an odd last one is left out.
std::int64_t used_rows(const ConvShape& shape) {
    return shape.pooled() ? 2 * shape.out_h() : shape.p();
}
std::int64_t used_columns(const ConvShape& shape) {
    return shape.pooled() ? 2 * shape.out_w() : shape.q();
}

Fused6Plan plan_tile(const ConvShape& shape, const DeviceModel& model, int filters, int columns) {
    constexpr std::int64_t max_stages = 6, mbarrier = 8;
    Fused6Plan plan{filters, columns};
    Fused6Tiling& tiling = plan.tiling;
    const auto to_int = [](std::int64_t value) { return static_cast<int>(value); };
    tiling.k_tiles = to_int(ceil_div(shape.c, fused6_tile_k));
    tiling.filter_groups = to_int(ceil_div(shape.k, filters));
    tiling.tiles_across = to_int(ceil_div(used_columns(shape), columns));
    tiling.tiles_down = to_int(ceil_div(used_rows(shape), fused6_rows));
    tiling.tiles = to_int(shape.n * tiling.tiles_down * tiling.tiles_across * tiling.filter_groups);
    tiling.box_rows = to_int(fused6_rows + shape.r - 1);
    tiling.box_columns = to_int(columns + shape.s - 1);
    tiling.weight_pitch = to_int(weight_pitch(shape));

    const std::int64_t box = std::int64_t{tiling.box_rows} * tiling.box_columns * k_tile_bytes;
    const std::int64_t input = ceil_div(box, fused6_alignment) * fused6_alignment;
    const std::int64_t stage = filters * k_tile_bytes + 2 * mbarrier;
    const std::int64_t others = fused6_alignment + fused6_inputs * (input + 3 * mbarrier);
    const std::int64_t stages =
        std::clamp<std::int64_t>((model.shared_per_block_optin - others) / stage, 0, max_stages);
    tiling.input_bytes = to_int(std::min<std::int64_t>(input, model.shared_per_block_optin));
    tiling.stages = to_int(stages);
    plan.shared_bytes = others + stages * stage;
    return plan;
}

/// Outputs of the busiest SM, times what the tile's shape costs it: small tiles load more weights for each product.
std::int64_t cost(const Fused6Plan& plan, const DeviceModel& model) {
    const std::int64_t tenths = plan.filters == 128 ? (plan.columns == 16 ? 10 : 11) : (plan.columns == 16 ? 12 : 14);
    return ceil_div(plan.tiling.tiles, std::max(model.sms, 1)) * plan.filters * plan.columns * tenths;
}

}  // namespace

Fused6Plan plan_fused6(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) {
    const std::int64_t filters_requested = requested_tunable(config, "filters"),
                       columns_requested = requested_tunable(config, "columns");
    Fused6Plan best;
    for (const int filters : {128, 64}) {
        for (const int columns : {16, 8}) {
            if ((filters_requested > 0 && filters != filters_requested) ||
                (columns_requested > 0 && columns != columns_requested))
                continue;
            const Fused6Plan plan = plan_tile(shape, model, filters, columns);
            const bool fits = plan.tiling.stages >= 2, best_fits = best.tiling.stages >= 2;
            if (best.filters == 0 || (fits && !best_fits) ||
                (fits == best_fits && cost(plan, model) < cost(best, model)))
                best = plan;
        }
    }
    return best;
}

std::int64_t fused6_weight_elements(const ConvShape& shape) {
    return ceil_div(shape.c, fused6_tile_k) * fused6_tile_k * shape.r * shape.s * weight_pitch(shape);
}

}  // namespace convscope
