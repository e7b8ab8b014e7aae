#include "kernels/ecr/ecr6_plan.h"

#include <algorithm>

#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

constexpr std::int64_t row_bytes = ecr6_slice * std::int64_t{sizeof(float)};

int to_int(std::int64_t value) {
    return static_cast<int>(value);
}

std::int64_t leading(const ConvShape& shape) {
    return ceil_div(shape.k, ecr6_filter_pitch) * ecr6_filter_pitch;
}

bool pools_in_registers(const ConvShape& shape, bool pools) {
    return pools && shape.pool_h == 2 && shape.pool_w == 2 && shape.pool_stride == 2;
}

/// What the copy engine does not take in boxes, or shared memory does not hold: the windows are gathered instead.
bool gathers(const ConvShape& shape) {
    constexpr std::int64_t most_stride = 8, largest_filter = 8;
    return shape.c % 4 != 0 || std::max(shape.stride_h, shape.stride_w) > most_stride ||
           std::max(shape.r, shape.s) > largest_filter;
}

std::int64_t slices_of(const ConvShape& shape) {
    return ceil_div(gathers(shape) ? shape.reduction() : shape.c, ecr6_slice);
}

std::int64_t taps(const Ecr6Tiling& tiling) {
    return std::int64_t{tiling.taps_h} * tiling.taps_w;
}

/// Boxes of input for each slice: kinds of pixels that any tap reads.
std::int64_t phases(const Ecr6Tiling& tiling) {
    return std::int64_t{std::min(tiling.step_h, tiling.taps_h)} * std::min(tiling.step_w, tiling.taps_w);
}

Ecr6Plan plan_tile(const ConvShape& shape, int filters, int groups, int parts, bool pools, const DeviceModel& model) {
    constexpr std::int64_t most_stages = 6, most_inputs = 4, arrival = 8, marks = 4 * 4;
    Ecr6Plan plan{filters, groups};
    Ecr6Tiling& tiling = plan.tiling;
    // With pooling in registers an odd last row or column is left out: nothing depends on it.
    const bool even = pools_in_registers(shape, pools) && parts == 1;
    const std::int64_t rows = even ? 2 * shape.out_h() : shape.p(), columns = even ? 2 * shape.out_w() : shape.q();
    tiling.slices = to_int(slices_of(shape));
    tiling.slices_of_part = to_int(ceil_div(tiling.slices, parts));
    tiling.parts = to_int(ceil_div(tiling.slices, tiling.slices_of_part));
    tiling.filter_groups = to_int(ceil_div(shape.k, filters));
    tiling.tiles_across = to_int(ceil_div(columns, ecr6_columns));
    tiling.tiles_down = to_int(ceil_div(rows, 8 * groups));
    tiling.items = to_int(shape.n * tiling.tiles_down * tiling.tiles_across * tiling.filter_groups * tiling.parts);
    tiling.gathers = gathers(shape) ? 1 : 0;
    tiling.taps_h = to_int(tiling.gathers ? 1 : shape.r);
    tiling.taps_w = to_int(tiling.gathers ? 1 : shape.s);
    tiling.step_h = to_int(tiling.gathers ? 1 : shape.stride_h);
    tiling.step_w = to_int(tiling.gathers ? 1 : shape.stride_w);
    tiling.box_rows = to_int(8 * groups + ceil_div(tiling.taps_h, tiling.step_h) - 1);
    tiling.box_columns = to_int(ecr6_columns + ceil_div(tiling.taps_w, tiling.step_w) - 1);
    tiling.leading = to_int(ceil_div(leading(shape), filters) * filters);
    tiling.pool = even ? 1 : 0;
    tiling.partial = tiling.parts > 1 || (pools && !even) ? 1 : 0;

    const std::int64_t box = std::int64_t{tiling.box_rows} * tiling.box_columns * row_bytes;
    const std::int64_t input = ceil_div(box, ecr6_alignment) * ecr6_alignment;
    const std::int64_t stage = 2 * filters * row_bytes + 2 * arrival;
    constexpr std::int64_t reserved = 1024;  // by the system, of each block
    const std::int64_t room =
        std::min<std::int64_t>(model.shared_per_block_optin, model.shared_per_sm / plan.blocks_per_sm() - reserved);
    const auto others = [&](std::int64_t inputs) {
        return ecr6_alignment + inputs * (2 * input + 3 * arrival + marks);
    };
    const auto stages = [&](std::int64_t inputs) {
        return std::clamp<std::int64_t>((room - others(inputs)) / stage, 0, most_stages);
    };
    // While a box is used for its taps, the next ones have to arrive and be split: with few taps, several.
    std::int64_t inputs = std::clamp<std::int64_t>(1 + ceil_div(3 * phases(tiling), taps(tiling)), 2, most_inputs);
    while (inputs > 2 && stages(inputs) < 3) --inputs;
    tiling.input_bytes = to_int(std::min<std::int64_t>(input, model.shared_per_block_optin));
    tiling.inputs = to_int(inputs);
    tiling.stages = to_int(stages(inputs));
    plan.shared_bytes = others(inputs) + tiling.stages * stage;
    return plan;
}

/// What an H100 needs: nanoseconds, and bytes per nanosecond. Fitted to 2,705 layers x tiles x parts that were measured
/// on one (docs/kernels/ecr6.md): on average 7 % off, and its choice is 1.4 % slower than the best.
namespace h100 {
constexpr double launch = 4900;                                // an empty kernel, first copies, last stores
constexpr double product_64 = 22, product_128 = 40;            // 64 x 64 x 8, 64 x 128 x 8: two warpgroups of a block
constexpr double shared_product_64 = 24;                       // the same, of two blocks
constexpr double lone_product_64 = 33, lone_product_128 = 57;  // one warpgroup at work
constexpr double box = 355, pixel = 3.35, gathered_pixel = 14.5;  // splitting; a pixel is 128 bytes
constexpr double shared_splitting = 2.8;                          // so much slower where two blocks of an SM split
constexpr double weights = 6900, sums = 1560;                     // bytes from L2; to L2 and back
constexpr double stores = 1235, shared_stores = 1620;             // of y; where another block multiplies meanwhile
constexpr double second_kernel = 450, round = 60;                 // round: between two items of a block
}  // namespace h100

/// Nanoseconds by a simple model: the slowest of what goes on at once on the busiest SM, and what comes before and
/// after.
double nanoseconds(const ConvShape& shape, const Ecr6Plan& plan, bool pools, const DeviceModel& model) {
    const Ecr6Tiling& tiling = plan.tiling;
    const auto count = [](std::int64_t number) { return static_cast<double>(number); };
    const std::int64_t sms = std::max(model.sms, 1);
    const std::int64_t blocks = plan.blocks_per_sm();
    const std::int64_t items = tiling.items <= sms ? 1 : ceil_div(tiling.items, sms * blocks) * blocks;  // of an SM
    const double rounds = count(ceil_div(items, blocks));
    const double products = count(tiling.slices_of_part * taps(tiling) * ecr6_steps * 3);
    const double alone = plan.filters == 128 ? h100::lone_product_128 : h100::lone_product_64;
    const double together = plan.filters == 128 ? h100::product_128
                            : blocks == 2       ? h100::shared_product_64
                                                : h100::product_64;
    const double multiplying = products * std::max(count(items * plan.groups) * together, rounds * alone);

    const double pixel =
        (tiling.gathers ? h100::gathered_pixel : h100::pixel) * (count(items) > rounds ? h100::shared_splitting : 1);
    const double box = h100::box + count(std::int64_t{tiling.box_rows} * tiling.box_columns) * pixel;
    const double splitting = rounds * count(tiling.slices_of_part * phases(tiling)) * box;
    const double weights = count(tiling.items * tiling.slices_of_part * taps(tiling)) *
                           count(2 * plan.filters * row_bytes) / h100::weights;
    double total = h100::launch + rounds * h100::round + std::max({multiplying, splitting, weights});
    if (tiling.partial)
        total += h100::second_kernel + count(ecr6_partial_bytes(shape, tiling)) / h100::sums;
    else
        total += 4 * count(pools ? shape.y_elements() : shape.conv_elements()) /
                 (blocks == 2 ? h100::shared_stores : h100::stores);
    return total;
}

}  // namespace

std::int64_t Ecr6Plan::blocks(const DeviceModel& model) const {
    return std::min<std::int64_t>(std::int64_t{model.sms} * blocks_per_sm(), tiling.items);
}

Ecr6Plan plan_ecr6(const ConvShape& shape, const Ecr6Choice& asked, bool pools, const DeviceModel& model) {
    const std::int64_t slices = slices_of(shape);
    Ecr6Plan best;
    for (const int filters : {128, 64}) {
        for (const int groups : {2, 1}) {
            for (int parts = 1; parts <= slices && parts <= 64; ++parts) {
                if ((asked.filters > 0 && filters != asked.filters) || (asked.groups > 0 && groups != asked.groups) ||
                    (asked.parts > 0 && parts != std::min<std::int64_t>(asked.parts, slices)))
                    continue;
                Ecr6Plan plan = plan_tile(shape, filters, groups, parts, pools, model);
                plan.nanoseconds = nanoseconds(shape, plan, pools, model);
                const bool fits = plan.tiling.stages >= 2, best_fits = best.tiling.stages >= 2;
                if (best.filters == 0 || (fits && !best_fits) ||
                    (fits == best_fits && plan.nanoseconds < best.nanoseconds))
                    best = plan;
            }
        }
    }
    best.tiling.flush = asked.flush > 0 ? asked.flush : 8;
    return best;
}

std::int64_t ecr6_weight_elements(const ConvShape& shape) {
    // As of the larger tile, whatever is chosen.
    return 2 * slices_of(shape) * ecr6_slice * (gathers(shape) ? 1 : shape.window()) * ceil_div(shape.k, 128) * 128;
}

std::int64_t ecr6_partial_bytes(const ConvShape& shape, const Ecr6Tiling& tiling) {
    if (!tiling.partial) return 0;
    return tiling.parts * shape.n * shape.p() * shape.q() * tiling.leading * std::int64_t{sizeof(float)};
}

}  // namespace convscope
