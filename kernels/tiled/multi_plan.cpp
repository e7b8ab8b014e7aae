#include "kernels/tiled/multi_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/simt/launch_plan.h"

namespace convscope {

const std::vector<std::int64_t> multi_segment_bytes{32, 64}, multi_pixels{32, 64, 128}, multi_filters{32, 64, 128};

namespace {

constexpr std::int64_t best_pixels = 128, best_filters = 64;  // Section 4: 'the performance becomes best'

/// The smallest value that covers 'need', or the largest one.
std::int64_t covering(const std::vector<std::int64_t>& values, std::int64_t need) {
    const auto found = std::lower_bound(values.begin(), values.end(), need);
    return found == values.end() ? values.back() : *found;
}

/// Step 3.
std::int64_t min_filters(const MultiPlan& plan, std::int64_t S) {
    return ceil_div(plan.hiding.n_fma * float_bytes, S * plan.W_x);
}

/// Step 4.
std::int64_t bytes_of_a_set(const MultiPlan& plan, std::int64_t filter_width) {
    const std::int64_t lines = ceil_div(plan.S, filter_width * float_bytes);
    return plan.S * plan.M + lines * plan.W_x * float_bytes;
}

struct RequestedPieces {
    std::int64_t S, W_x, M;
};

/// Steps 1-3: as large as the paper found best, smaller where the layer has fewer pixels or filters; the short segment
/// where so many filters are enough.
void choose(MultiPlan& plan, const ConvShape& shape, const RequestedPieces& requested) {
    plan.W_x = requested.W_x > 0 ? requested.W_x : covering(multi_pixels, std::min(best_pixels, shape.p() * shape.q()));
    plan.M = requested.M > 0 ? requested.M : covering(multi_filters, std::min(best_filters, shape.k));
    const std::int64_t shortest = multi_segment_bytes.front();
    plan.S = requested.S > 0                         ? requested.S
             : plan.M >= min_filters(plan, shortest) ? shortest
                                                     : multi_segment_bytes.back();
}

/// Step 4 for a GPU with little shared memory: gives up pixels first, then filters, then the long segment.
void shrink_to_fit(MultiPlan& plan, const ConvShape& shape, const RequestedPieces& requested) {
    while (bytes_of_a_set(plan, shape.s) > plan.room) {
        if (requested.W_x == 0 && plan.W_x > multi_pixels.front())
            plan.W_x /= 2;
        else if (requested.M == 0 && plan.M > multi_filters.front())
            plan.M /= 2;
        else if (requested.S == 0 && plan.S > multi_segment_bytes.front())
            plan.S /= 2;
        else
            break;
    }
}

/// A warp's 32 pixels may end one row and begin the next. They are in 32 different banks when the rows are a multiple
/// of 32 floats further apart than a row has pixels; where a block has no room for that, they lie side by side.
void space_rows(MultiPlan& plan, const ConvShape& shape, std::int64_t room) {
    constexpr std::int64_t banks = 32;
    MultiTiling& tiling = plan.tiling;
    const std::int64_t halo = shape.s - 1;
    for (const std::int64_t margin : {ceil_div(halo, banks) * banks, halo}) {
        tiling.row_pitch = static_cast<int>(tiling.columns + (tiling.rows > 1 ? margin : halo));
        const std::int64_t weights = 2 * tiling.taps * (plan.M + multi_weights_padding);
        plan.shared_bytes = float_bytes * (weights + tiling.ring * tiling.rows * tiling.row_pitch);
        if (plan.shared_bytes <= room) return;
    }
}

/// The tile of pixels: whole rows of a narrow map, so that the lanes of a warp are not mostly idle.
void tile(MultiPlan& plan, const ConvShape& shape, std::int64_t room) {
    MultiTiling& tiling = plan.tiling;
    const std::int64_t halo = shape.s - 1;
    const std::int64_t columns = std::min({shape.q(), plan.W_x, multi_line_elements - halo});
    const std::int64_t fit = std::min(plan.W_x / columns, multi_line_elements / (columns + halo));
    const std::int64_t rows = columns == shape.q() ? std::clamp<std::int64_t>(fit, 1, shape.p()) : 1;
    const std::int64_t tiles_x = ceil_div(shape.q(), columns);
    tiling.taps = static_cast<int>(plan.S / float_bytes);
    tiling.rows = static_cast<int>(rows);
    tiling.columns = static_cast<int>(columns);
    tiling.tiles_x = static_cast<int>(tiles_x);
    tiling.lines = static_cast<int>(plan.W_y);
    // The segment in use and the next one together touch at most 2 W'_y lines and one that a segment begins in.
    tiling.ring = 2 * tiling.lines + 1;
    tiling.pixels_per_thread = static_cast<int>(plan.W_x / 32);
    tiling.filters_per_thread = static_cast<int>(plan.M / multi_warps);

    plan.tiles = tiles_x * ceil_div(shape.p(), rows);
    plan.groups = ceil_div(shape.k, plan.M);
    space_rows(plan, shape, room);
}

}  // namespace

MultiPlan plan_multi(const ConvShape& shape, const DeviceModel& model, std::int64_t S, std::int64_t W_x,
                     std::int64_t M) {
    MultiPlan plan;
    plan.support = has_rates(model);
    if (!plan.support) return plan;
    const RequestedPieces requested{S, W_x, M};
    plan.hiding = latency_hiding(model);
    plan.room = model.shared_per_sm / 2;
    choose(plan, shape, requested);
    shrink_to_fit(plan, shape, requested);
    plan.W_y = ceil_div(plan.S, shape.s * float_bytes);
    plan.min_M = min_filters(plan, plan.S);
    plan.set_bytes = bytes_of_a_set(plan, shape.s);
    plan.fma = plan.S / float_bytes * plan.M * plan.W_x;
    plan.segments = ceil_div(shape.reduction() * float_bytes, plan.S);
    tile(plan, shape, model.shared_per_block);
    if (plan.set_bytes > plan.room)
        plan.support = Support::no(
            fmt::format("a set of {} bytes of {} filters and {} lines of {} pixels takes {} bytes; half of the shared "
                        "memory of an SM of {} is {}",
                        plan.S, plan.M, plan.W_y, plan.W_x, plan.set_bytes, model.name, plan.room));
    return plan;
}

std::vector<Quantity> quantities(const MultiPlan& plan) {
    std::vector<Quantity> all = quantities(plan.hiding);
    const auto add = [&](const char* symbol, std::int64_t value, const char* unit, const char* meaning) {
        all.push_back({symbol, static_cast<double>(value), unit, meaning});
    };
    add("S", plan.S, "B", "bytes of each filter that a segment has (3.2, step 1)");
    add("W'_x", plan.W_x, "", "pixels of a block (3.2, step 2)");
    add("W'_y", plan.W_y, "", "lines of the map that a segment needs: S / 4K, rounded up (3.2)");
    add("M'_min", plan.min_M, "", "filters that make N_FMA operations on a set (3.2, step 3)");
    add("M'", plan.M, "", "filters of a block");
    add("set", plan.set_bytes, "B", "S x M' + W'_y x W'_x x 4 (3.2, step 4)");
    add("S_shared/2", plan.room, "B", "what a set may take: the other half is for the one fetched ahead (3.2, step 4)");
    add("FMA/set", plan.fma, "FMA", "a block's operations on a set, held against N_FMA");
    add("segments", plan.segments, "", "of S bytes that a filter has over all channels");
    add("rows/block", plan.tiling.rows, "", "output rows whose pixels make up W'_x");
    return all;
}

}  // namespace convscope
