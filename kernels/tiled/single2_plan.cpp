#include "kernels/tiled/single2_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

/// Threads that an SM should have to store without a pause, found by measuring an H100: fewer leave it idle between a
/// thread's loads and its first store, more load the windows more often than needed.
constexpr std::int64_t threads_per_sm = 256;
/// A plane this large pays for its loads with two rows of windows, which share K - 1 rows.
constexpr std::int64_t quads_worth_two_rows = 8192;

/// Elements that all rows of y are apart from multiples of four, at most.
std::int64_t max_misaligned(const ConvShape& shape, bool aligned) {
    return !aligned || shape.q() % 4 == 0 ? 0 : shape.q() % 2 == 0 ? 2 : 3;
}

/// Quads begin at multiples of 4 - misaligned columns of y, the windows pad_w before that.
int widest_load(const ConvShape& shape, std::int64_t misaligned) {
    for (const int load : {4, 2})
        if (shape.w % load == 0 && shape.pad_w % load == 0 && (misaligned == 0 || (misaligned == 2 && load == 2)))
            return load;
    return 1;
}

/// More filters of a thread load the windows less often; fewer let all SMs write to fewer planes of y at a time, which
/// counts where y goes to memory.
std::int64_t max_filters(const ConvShape& shape, const DeviceModel& model) {
    if (shape.window() > 9) return 4;
    return 4 * shape.conv_elements() > model.l2_bytes ? 2 : 8;
}

/// Threads of a block: those that leave the fewest without work at an image's end, which small maps feel.
std::int64_t min_idle(std::int64_t threads) {
    std::int64_t best = 128;
    for (const std::int64_t block : {192, 256, 64})
        if (ceil_div(threads, block) * block < ceil_div(threads, best) * best * 15 / 16) best = block;
    return best;
}

}  // namespace

std::int64_t single2_pitch(const ConvShape& shape) {
    return shape.window() == 1 ? 1 : ceil_div(shape.window(), 4) * 4;
}

Single2Plan plan_single2(const ConvShape& shape, const DeviceModel& model, std::int64_t filters, std::int64_t rows,
                         std::int64_t block) {
    Single2Plan plan;
    const std::int64_t plane = shape.p() * shape.q();
    const bool aligned = plane % 4 == 0;
    const std::int64_t misaligned = max_misaligned(shape, aligned);
    const std::int64_t quads = ceil_div(shape.q() + misaligned, 4);
    const bool stream = 2 * 4 * shape.conv_elements() > model.l2_bytes;

    if (rows == 2 && misaligned == 3)
        plan.support = Support::no(fmt::format(
            "two rows of a thread need quads that start alike, and rows of q = {} outputs have them 4 apart",
            shape.q()));
    const bool two = rows == 2 || (rows == 0 && misaligned != 3 && shape.n * shape.p() * quads >= quads_worth_two_rows);
    plan.rows_per_thread = two && plan.support ? 2 : 1;
    const std::int64_t step = plan.rows_per_thread == 2 && misaligned == 2 ? 2 : 1;
    const std::int64_t lines = ceil_div(shape.p(), plan.rows_per_thread * step) * step;
    plan.load = widest_load(shape, misaligned);
    plan.threads = quads * (plan.rows_per_thread == 1 ? shape.p() : lines);

    if (filters == 0) {
        filters = 1;
        const auto enough = [&](std::int64_t each) {
            return shape.n * plan.threads * ceil_div(shape.k, each) >= threads_per_sm * model.sms;
        };
        while (2 * filters <= std::min(max_filters(shape, model), shape.k) && enough(2 * filters)) filters *= 2;
    }
    plan.block = block > 0 ? block : min_idle(plan.threads);
    plan.groups = ceil_div(shape.k, filters);
    plan.tiling = {static_cast<int>(quads),
                   static_cast<int>(plan.threads / quads),
                   static_cast<int>(step),
                   static_cast<int>(filters),
                   static_cast<int>(single2_pitch(shape)),
                   aligned,
                   stream};
    return plan;
}

}  // namespace convscope
