#include "kernels/pixel/pixel1_plan.h"

#include <algorithm>
#include <bit>

#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

constexpr std::int64_t narrow_k_tile = 64, wide_k_tile = 128;

std::int64_t padded_k(const ConvShape& shape) {
    return ceil_div(shape.k, pixel1_filters) * pixel1_filters;
}

std::int64_t steps_of(const ConvShape& shape) {
    return ceil_div(shape.c, pixel1_step);
}

/// The side of tiles that divide 'windows' into equal parts of at most 'side'.
std::int64_t even_side(std::int64_t windows, std::int64_t side) {
    return ceil_div(windows, ceil_div(windows, std::min(windows, side)));
}

/// Pixels from the first to the last under a tile's side.
std::int64_t box_side(std::int64_t windows, std::int64_t stride, std::int64_t span) {
    return (windows - 1) * stride + span;
}

Pixel1Plan plan_tile(const ConvShape& shape, std::int64_t windows, std::int64_t tile_channels,
                     Pixel1Products products) {
    const std::int64_t wide = windows >= 512 ? 32 : windows >= 128 ? 16 : std::min<std::int64_t>(windows, 8);
    const std::int64_t tile_w = even_side(shape.q(), wide);
    const std::int64_t tile_h = even_side(shape.p(), std::max<std::int64_t>(1, windows / tile_w));
    const std::int64_t box_h = box_side(tile_h, shape.stride_h, shape.span_h());
    const std::int64_t box_w = box_side(tile_w, shape.stride_w, shape.span_w());
    const std::int64_t steps = steps_of(shape), k_tile_steps = std::min(steps, tile_channels / pixel1_step);
    const std::int64_t lanes = ceil_div(shape.c, shape.c % 4 == 0 ? 4 : 1);
    const std::int64_t groups = padded_k(shape) / pixel1_filters;
    const std::int64_t clusters = ceil_div(groups, pixel1_max_cluster);
    Pixel1Plan plan;
    Pixel1Tiling& tiling = plan.tiling;
    tiling.tile_h = to_int(tile_h);
    tiling.tile_w = to_int(tile_w);
    tiling.tiles_h = to_int(ceil_div(shape.p(), tile_h));
    tiling.tiles_w = to_int(ceil_div(shape.q(), tile_w));
    tiling.box_h = to_int(box_h);
    tiling.box_w = to_int(box_w);
    tiling.per_tile_w = divisor(tile_w);
    tiling.per_box_w = divisor(box_w);
    tiling.dilation_h = to_int(shape.dilation_h);
    tiling.dilation_w = to_int(shape.dilation_w);
    tiling.padded_k = to_int(padded_k(shape));
    tiling.steps = to_int(steps);
    tiling.k_tile_steps = to_int(tile_channels / pixel1_step);
    tiling.stage_bytes = to_int(k_tile_steps) * pixel1_step_bytes(products);
    tiling.stages = tiling.stage_bytes > 8192 ? 3 : 4;
    tiling.span = std::min(32, to_int(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(lanes)))));
    plan.grid = {shape.n * tiling.tiles_h * tiling.tiles_w, clusters, ceil_div(groups, clusters)};
    const std::int64_t pixels = ceil_div(box_h * box_w, 4) * 4;
    const std::int64_t words = tile_h * tile_w * pixel1_filters + 2 * pixels + shape.r * box_h + shape.s * box_w +
                               pixel1_warps + 2 * tiling.stages;
    plan.shared_bytes = std::int64_t{tiling.stages} * tiling.stage_bytes + words * float_bytes;
    return plan;
}

}  // namespace

Pixel1Choice pixel1_choice(const LaunchConfig& config) {
    const auto requested = [&](const char* name) { return to_int(requested_tunable(config, name)); };
    return {requested("windows"), requested("channels")};
}

Pixel1Plan plan_pixel1(const ConvShape& shape, const Pixel1Choice& requested, Pixel1Products products,
                       const DeviceModel& model) {
    const std::int64_t channels = requested.channels > 0    ? requested.channels
                                  : shape.c > narrow_k_tile ? wide_k_tile
                                                            : narrow_k_tile;
    if (requested.windows > 0) return plan_tile(shape, requested.windows, channels, products);
    const auto fits = [&](const Pixel1Plan& plan) { return plan.shared_bytes <= model.shared_per_block_optin; };
    Pixel1Plan plan;
    const std::int64_t share = model.shared_per_sm / pixel1_blocks_per_sm - model.shared_reserved_per_block;
    // Fewer than 64 are for filters and strides whose boxes are large.
    for (const std::int64_t windows : {1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1}) {
        if (windows < 64 && fits(plan)) break;
        plan = plan_tile(shape, windows, channels, products);
        if (plan.shared_bytes <= share && 10 * plan.grid.count() >= std::int64_t{9} * model.sms) break;
    }
    return plan;
}

std::int64_t pixel1_prepared_bytes(const ConvShape& shape, Pixel1Products products) {
    const std::int64_t of_tap = steps_of(shape) * pixel1_step_bytes(products);
    return padded_k(shape) / pixel1_filters * (pixel1_filters * float_bytes + shape.window() * of_tap);
}

}  // namespace convscope
