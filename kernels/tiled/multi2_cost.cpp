// The cost of a plan, as the planner of tiled-multi2 estimates it.
#include <algorithm>
#include <cmath>

#include "kernels/tiled/multi2_plan.h"

namespace convscope {
namespace {

// Fitted: each stands for what its name says and for what the model leaves out.
constexpr double start_cycles = 5500;        // of a wave of blocks: launch, finding places, the first slice, the stores
constexpr double slice_cycles = 320;         // a barrier and what waits at it
constexpr double pixel_instructions = 1.7;   // of a place of x that is copied
constexpr double weight_instructions = 3.3;  // of four weights that are copied
constexpr double store_instructions = 27;    // of four sums that are added up or stored
constexpr double channel_instructions = 1.5;  // of a channel, besides its loads and multiply-adds
constexpr double pixel_load = 2.9;            // instructions that a load of four elements of x takes the place of
constexpr double weight_load = 2.3;           // of four weights
constexpr double turn = 0.22;                 // more, for each turn after the first
constexpr double unlike_lanes = 2.6;          // times, where a warp's threads read as many places as they are
constexpr double pixel_cycles = 0.5;          // of an SM, for each float of x that is copied
constexpr double weight_cycles = 0.19;        // for each weight
constexpr double sum_start_cycles = 6200;     // tiled_multi2_sum's launch and one latency
constexpr double l2_bytes_per_cycle = 8500;
constexpr double chain = 0.86;  // cycles between a lone warp's instructions

/// Instructions of a thread for one channel. With few sums a thread needs fewer registers, so that more of them hide
/// each other's waiting.
double instructions(const ConvShape& shape, const Multi2Plan& plan) {
    const int sums = plan.filters_per_thread * plan.rows_per_thread * 4;
    const auto taps = static_cast<double>(shape.window());
    const double pixels = (plan.rows_per_thread + static_cast<double>(shape.r) - 1) *
                          std::ceil((static_cast<double>(shape.s) + 3) / 4) * (1 + turn * (plan.turns - 1)) *
                          (plan.tiling.lanes == 8 ? 1 : unlike_lanes);
    const double weights = taps * plan.filters_per_thread / 4;
    const double all = taps * sums + pixel_load * pixels + weight_load * weights + channel_instructions;
    return all * (sums == 32 ? 0.87 : sums == 64 ? 1 : 1.13);
}

/// The waiting that is added to issuing, with one warp for each scheduler.
double waiting(const Multi2Plan& plan) {
    const int sums = plan.filters_per_thread * plan.rows_per_thread * 4;
    return 0.69 * std::pow(64.0 / sums, 0.48);
}

double registers(const Multi2Plan& plan) {
    return plan.rows_per_thread == 4 ? 255 : 128;
}

double resident_blocks(const DeviceModel& model, const Multi2Plan& plan, double warps) {
    const double limit = std::min({model.registers_per_sm / (registers(plan) * warps * 32),
                                   static_cast<double>(model.shared_per_sm) / (plan.shared_bytes + 1024.0),
                                   static_cast<double>(model.max_threads_per_sm) / (warps * 32)});
    return std::max(1.0, std::floor(limit));
}

}  // namespace

double multi2_cycles(const ConvShape& shape, const DeviceModel& model, const Multi2Plan& plan) {
    const Multi2Tiling& tiling = plan.tiling;
    const auto threads = static_cast<double>(plan.threads), splits = static_cast<double>(plan.splits);
    const double warps = std::ceil(threads / 32), schedulers = model.warp_schedulers;
    const double of_an_sm = std::ceil(static_cast<double>(plan.blocks_x * plan.blocks_y) * splits / model.sms);
    const double together = std::min(of_an_sm, resident_blocks(model, plan, warps));
    const double waves = std::ceil(of_an_sm / together);

    // A thread's instructions.
    const double channels = std::min<double>(tiling.channels, static_cast<double>(shape.c));
    const double slices = std::ceil(channels / tiling.slice);
    const double own_channels = std::ceil(std::min<double>(tiling.slice, channels) / tiling.channel_groups) * slices;
    const double pixels = static_cast<double>(tiling.rows) * tiling.pitch;
    const double weights = static_cast<double>(shape.window()) * plan.filters_per_thread * tiling.filter_groups;
    const double copies = channels * (pixel_instructions * std::ceil(pixels / plan.load / threads) +
                                      weight_instructions * std::ceil(weights / 4 / threads));
    const double stores = plan.filters_per_thread * plan.rows_per_thread * store_instructions * tiling.channel_groups;
    const double of_a_thread = own_channels * instructions(shape, plan) + copies + stores;

    // The SM that has the most blocks: issuing, waiting for one warp's chain, or copying.
    const double warps_of_scheduler = std::ceil(together * warps / schedulers);
    const double issue = of_an_sm * warps / schedulers * of_a_thread * (1 + waiting(plan) / warps_of_scheduler);
    const double one_warp = waves * of_a_thread * chain;
    const double copying = of_an_sm * channels * (pixel_cycles * pixels + weight_cycles * weights);
    double cycles = std::max({issue, one_warp, copying}) + waves * (start_cycles + slices * slice_cycles);
    const double parts = 4.0 * splits * static_cast<double>(shape.conv_elements());
    if (plan.splits > 1) cycles += sum_start_cycles + 2 * parts / l2_bytes_per_cycle;
    return cycles;
}

}  // namespace convscope
