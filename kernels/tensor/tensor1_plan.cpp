#include "kernels/tensor/tensor1_plan.h"

#include <algorithm>

#include "kernels/simt/launch_plan.h"

namespace convscope {

bool tensor1_gathers(const ConvShape& shape) {
    constexpr std::int64_t max_stride = 8, largest_filter = 8;
    return shape.c % 4 != 0 || std::max(shape.stride_h, shape.stride_w) > max_stride ||
           std::max(shape.r, shape.s) > largest_filter;
}

namespace {

std::int64_t k_tiles_of(const ConvShape& shape) {
    return ceil_div(tensor1_gathers(shape) ? shape.reduction() : shape.c, tensor1_tile_k);
}

std::int64_t leading(const ConvShape& shape, std::int64_t filters) {
    return ceil_div(shape.k, filters) * filters;
}

Tensor1Plan plan_tile(const ConvShape& shape, int filters, int split_k, bool pools, const DeviceModel& model) {
    constexpr std::int64_t max_stages = 6, mbarrier = 8, word = 4;
    Tensor1Plan plan{filters};
    Tensor1Tiling& tiling = plan.tiling;
    // With pooling an odd last row or column is left out: nothing depends on it.
    const std::int64_t rows = pools ? 2 * shape.out_h() : shape.p(), columns = pools ? 2 * shape.out_w() : shape.q();
    const std::int64_t filter_groups = ceil_div(shape.k, filters), tiles_across = ceil_div(columns, tensor1_side),
                       tiles_down = ceil_div(rows, tensor1_side);
    tiling.k_tiles = to_int(k_tiles_of(shape));
    tiling.k_tiles_of_part = to_int(ceil_div(tiling.k_tiles, split_k));
    tiling.split_k = to_int(ceil_div(tiling.k_tiles, tiling.k_tiles_of_part));
    tiling.items = to_int(shape.n * tiles_down * tiles_across * filter_groups * tiling.split_k);
    tiling.gathers = tensor1_gathers(shape) ? 1 : 0;
    tiling.taps_h = tiling.gathers ? 1 : to_int(shape.r);
    tiling.taps_w = tiling.gathers ? 1 : to_int(shape.s);
    tiling.step_h = tiling.gathers ? 1 : to_int(shape.stride_h);
    tiling.step_w = tiling.gathers ? 1 : to_int(shape.stride_w);
    tiling.box_rows = to_int(tensor1_side + ceil_div(tiling.taps_h, tiling.step_h) - 1);
    tiling.box_columns = to_int(tensor1_side + ceil_div(tiling.taps_w, tiling.step_w) - 1);
    tiling.leading = to_int(leading(shape, filters));
    tiling.pool = pools ? 1 : 0;
    tiling.by_split_k = divisor(tiling.split_k);
    tiling.by_filter_groups = divisor(filter_groups);
    tiling.by_tiles_across = divisor(tiles_across);
    tiling.by_tiles_down = divisor(tiles_down);

    const std::int64_t box = std::int64_t{tiling.box_rows} * tiling.box_columns * tensor1_row_bytes;
    tiling.input_bytes = to_int(ceil_div(box, tensor1_alignment) * tensor1_alignment);
    const std::int64_t of_input = tiling.input_bytes + 3 * mbarrier + (1 + 2 * tensor1_splitting_warps) * word;
    const std::int64_t weights = filters * tensor1_row_bytes, of_stage = weights + 2 * mbarrier;
    const std::int64_t scales = tensor1_multiplying_threads / 32 * filters * word;
    const std::int64_t others = tensor1_alignment + tensor1_inputs * of_input + scales;
    constexpr std::int64_t reserved = 1024;  // by the system, of each block
    const std::int64_t room =
        std::min<std::int64_t>(model.shared_per_block_optin, model.shared_per_sm / tensor1_blocks_per_sm - reserved);
    tiling.stages = to_int(std::clamp<std::int64_t>((room - others) / of_stage, 0, max_stages));
    // The sums that a cluster adds up lie where the weights were.
    if (tiling.split_k > 1 && tiling.stages * weights < tensor1_windows * tensor1_sums_pitch(filters) * word)
        tiling.stages = 0;
    plan.shared_bytes = others + tiling.stages * of_stage;
    return plan;
}

/// Nanoseconds, and bytes per nanosecond, of an H100: fitted to 1,263 layers x tiles x split_k that were measured on
/// one (docs/kernels/tensor1.md): 8 % off by the root of the mean square, and the choice costs 1 % over the best.
namespace h100 {
constexpr double launch = 2250, round = 65;                   // an empty layer; between two items of a block
constexpr double tap_64 = 236, tap_128 = 325;                 // of an SM: two blocks at work
constexpr double lone_tap_64 = 260, lone_tap_128 = 300;       // of a block
constexpr double box = 770, pixel = 10, gathered_pixel = 30;  // 128 bytes that are split
constexpr double shared_splitting = 1.16;                     // where two blocks of an SM do
constexpr double weights = 5100, stores = 2650;               // from L2; of y
constexpr double cluster = 2300, member = 33;                 // to start it and add up; of each part
constexpr double wide = 700;                                  // to begin and end 128 filters instead of 64
/// Its 132 SMs are in groups, each of at least 15; a cluster has its blocks in one.
constexpr std::int64_t groups = 8, blocks_of_group = 15 * tensor1_blocks_per_sm;
}  // namespace h100

/// Nanoseconds by a simple model: the slowest of what goes on at once on the busiest SM, and what comes before and
/// after.
double nanoseconds(const ConvShape& shape, const Tensor1Plan& plan, bool pools, const DeviceModel& model) {
    const Tensor1Tiling& tiling = plan.tiling;
    const auto count = [](std::int64_t number) { return static_cast<double>(number); };
    const std::int64_t sms = std::max(model.sms, 1);
    const std::int64_t places = tiling.split_k == 1
                                    ? sms * tensor1_blocks_per_sm
                                    : h100::groups * (h100::blocks_of_group / tiling.split_k) * tiling.split_k;
    const std::int64_t rounds = ceil_div(tiling.items, places), of_sm = ceil_div(tiling.items, sms);
    const bool wide = plan.filters == 128;
    const double taps = count(std::int64_t{tiling.k_tiles_of_part} * tiling.taps_h * tiling.taps_w);
    const double boxes = count(std::int64_t{tiling.k_tiles_of_part} * std::min(tiling.step_h, tiling.taps_h) *
                               std::min(tiling.step_w, tiling.taps_w));
    const double pixels = count(std::int64_t{tiling.box_rows} * tiling.box_columns);

    const double together = count(of_sm) * taps * (wide ? h100::tap_128 : h100::tap_64);
    const double alone = count(rounds) * taps * (wide ? h100::lone_tap_128 : h100::lone_tap_64);
    const double splitting = count(rounds) * boxes *
                             (h100::box + pixels * (tiling.gathers ? h100::gathered_pixel : h100::pixel)) *
                             (of_sm > rounds ? h100::shared_splitting : 1);
    const double weights = count(tiling.items) * taps * count(plan.filters * tensor1_row_bytes) / h100::weights;
    double total = h100::launch + count(rounds) * h100::round + std::max({together, alone, splitting, weights}) +
                   4 * count(pools ? shape.y_elements() : shape.conv_elements()) / h100::stores;
    if (wide) total += h100::wide;
    if (tiling.split_k > 1) total += count(rounds) * (h100::cluster + h100::member * tiling.split_k);
    return total;
}

}  // namespace

bool pools_in_squares(const ConvShape& shape) {
    return shape.pool_h == 2 && shape.pool_w == 2 && shape.pool_stride == 2;
}

Dim3 Tensor1Plan::grid(const DeviceModel& model) const {
    if (tiling.split_k > 1) return {tiling.items / tiling.split_k, 1, tiling.split_k};
    return {std::min<std::int64_t>(std::int64_t{model.sms} * tensor1_blocks_per_sm, tiling.items), 1, 1};
}

Tensor1Plan plan_tensor1(const ConvShape& shape, const Tensor1Choice& requested, bool pools, const DeviceModel& model) {
    const std::int64_t max_split_k = std::min<std::int64_t>(k_tiles_of(shape), tensor1_max_split_k);
    Tensor1Plan best;
    for (const int filters : {128, 64}) {
        if (filters != 64 && tensor1_gathers(shape)) continue;  // the one tile of the kernel that gathers
        for (int split_k = 1; split_k <= max_split_k; ++split_k) {
            if ((requested.filters > 0 && filters != requested.filters && !tensor1_gathers(shape)) ||
                (requested.split_k > 0 && split_k != std::min<std::int64_t>(requested.split_k, max_split_k)))
                continue;
            Tensor1Plan plan = plan_tile(shape, filters, split_k, pools, model);
            plan.nanoseconds = nanoseconds(shape, plan, pools, model);
            const bool fits = plan.tiling.stages >= 2, best_fits = best.tiling.stages >= 2;
            if (best.filters == 0 || (fits && !best_fits) || (fits == best_fits && plan.nanoseconds < best.nanoseconds))
                best = plan;
        }
    }
    // With a few taps of a K tile more than eight, the totals take all of them at once.
    const std::int64_t taps = std::int64_t{best.tiling.taps_h} * best.tiling.taps_w;
    constexpr std::int64_t usual = 8, most = 12;
    best.tiling.promotion_interval = requested.promotion_interval > 0
                                         ? requested.promotion_interval
                                         : to_int(taps > usual && taps <= most ? taps : usual);
    return best;
}

std::int64_t tensor1_scale_elements(const ConvShape& shape) {
    return leading(shape, 128);  // as of the larger tile, whatever is chosen
}

std::int64_t tensor1_prepared_elements(const ConvShape& shape) {
    return tensor1_scale_elements(shape) +
           k_tiles_of(shape) * (tensor1_gathers(shape) ? 1 : shape.window()) * leading(shape, 128) * tensor1_tile_k;
}

}  // namespace convscope
