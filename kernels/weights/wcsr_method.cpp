#include "kernels/weights/wcsr_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/simt/launch_plan.h"
#include "kernels/weights/share_sum.h"

namespace convscope {
namespace {

constexpr std::array<std::int64_t, 5> lane_outputs{1, 2, 4, 7, 8};
constexpr std::array<std::int64_t, 6> chunk_channels{1, 2, 4, 8, 16, 32};
constexpr std::int64_t max_positions = std::int64_t{1} << 30;  // which are ints

/// How far a filter reaches beyond its first input along one axis, in positions of a phase.
std::int64_t reach(std::int64_t span, std::int64_t stride) {
    return (span - 1) / stride;
}
std::int64_t pitch(const ConvShape& shape) {
    return shape.q() + reach(shape.span_w(), shape.stride_w);
}
std::int64_t image_rows(const ConvShape& shape) {
    return shape.p() + reach(shape.span_h(), shape.stride_h);
}
/// Up to the last output.
std::int64_t positions(const ConvShape& shape) {
    return ((shape.n - 1) * image_rows(shape) + shape.p() - 1) * pitch(shape) + shape.q();
}
std::int64_t phases_h(const ConvShape& shape) {
    return std::min(shape.stride_h, shape.span_h());
}
std::int64_t phases_w(const ConvShape& shape) {
    return std::min(shape.stride_w, shape.span_w());
}
std::int64_t phase_length(const ConvShape& shape, std::int64_t outputs) {
    return 32 * outputs + reach(shape.span_h(), shape.stride_h) * pitch(shape) + reach(shape.span_w(), shape.stride_w);
}
std::int64_t channel_length(const ConvShape& shape, std::int64_t outputs) {
    return phases_h(shape) * phases_w(shape) * phase_length(shape, outputs);
}

/// The fewest loads from shared memory: one for each output of a lane, and about one for the weight.
std::int64_t default_outputs(const ConvShape& shape) {
    const auto cost = [&](std::int64_t outputs) { return ceil_div(positions(shape), 32 * outputs) * (outputs + 1); };
    return *std::ranges::min_element(lane_outputs, {}, cost);
}

/// As many as fit into 34 KB: with two chunks at once three blocks fit into an SM.
std::int64_t default_channels(const ConvShape& shape, std::int64_t outputs) {
    constexpr std::int64_t chunk_bytes = 34 * 1024;
    std::int64_t channels = chunk_channels.front();
    for (const std::int64_t more : chunk_channels)
        if (channels < shape.c && more * channel_length(shape, outputs) * float_bytes <= chunk_bytes) channels = more;
    return channels;
}

std::int64_t default_split(const ConvShape& shape, const WcsrChoice& choice) {
    const std::int64_t blocks = ceil_div(positions(shape), 32 * choice.outputs) *
                                ceil_div(shape.k, wcsr_warps * choice.filters),
                       chunks = ceil_div(shape.c, choice.channels);
    return std::clamp(wanted_blocks / blocks, std::int64_t{1}, std::min(max_shares, chunks));
}

class Wcsr1 final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;

    LaunchSpace launch_space(const ConvShape&) const override {
        return {false,
                false,
                {planned_tunable("outputs", "outputs of a lane", {lane_outputs.begin(), lane_outputs.end()}),
                 {"filters", "filters of a warp", {1, 2, 4}, WcsrChoice{}.filters},
                 planned_tunable("channels", "channels that a block has in shared memory at once",
                                 {chunk_channels.begin(), chunk_channels.end()}),
                 planned_tunable("split_k", "blocks that share the channels", {1, 2, 4, 8, max_shares})}};
    }
    bool prepares_weights() const override { return true; }
    /// Bytes of the default; more chunks take more (Execution::workspace_bytes()).
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return WcsrArrays(shape, wcsr_tiling(shape, wcsr_choice(shape, {}))).elements * float_bytes;
    }
    /// Likewise of the default.
    std::int64_t format_bytes(const ConvShape& shape) const override {
        return share_bytes(shape, wcsr_choice(shape, {}).split);
    }

private:
    Support accepts(const ConvShape& shape) const override {
        if (positions(shape) > max_positions)
            return Support::no(
                fmt::format("{} counts up to {} positions, outputs and what lies between their rows; this shape has {}",
                            info().id, max_positions, positions(shape)));
        return {};
    }
    double thread_steps(const ConvShape& shape) const override { return shape.flops_dense(); }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel&) const override {
        const WcsrChoice choice = wcsr_choice(shape, config);
        const WcsrTiling tiling = wcsr_tiling(shape, choice);
        if (tiling.split > tiling.chunks)
            return reject(fmt::format("split is {}; {} channels in chunks of {} can be shared by up to {} blocks",
                                      tiling.split, shape.c, tiling.channels, tiling.chunks));
        const std::int64_t words = (2 * std::int64_t{tiling.channels} + 1) * channel_length(shape, choice.outputs);
        ResolvedLaunch resolved;
        resolved.kernels = {kernel_launch("wcsr_multiply", "multiply",
                                          {ceil_div(positions(shape), 32 * choice.outputs),
                                           ceil_div(shape.k, wcsr_warps * choice.filters), choice.split},
                                          {wcsr_threads, 1, 1}, words * float_bytes)};
        if (choice.split > 1) resolved.kernels.push_back(share_sum_launch(shape));
        return resolved;
    }
};

}  // namespace

WcsrChoice wcsr_choice(const ConvShape& shape, const LaunchConfig& config) {
    WcsrChoice choice{requested_tunable(config, "outputs"), requested_tunable(config, "filters"),
                      requested_tunable(config, "channels"), requested_tunable(config, "split_k")};
    if (choice.filters == 0) choice.filters = WcsrChoice{}.filters;
    if (choice.outputs == 0) choice.outputs = default_outputs(shape);
    if (choice.channels == 0) choice.channels = default_channels(shape, choice.outputs);
    if (choice.split == 0) choice.split = default_split(shape, choice);
    return choice;
}

WcsrTiling wcsr_tiling(const ConvShape& shape, const WcsrChoice& choice) {
    return {to_int(pitch(shape)),
            to_int(image_rows(shape)),
            to_int(positions(shape)),
            to_int(phases_w(shape)),
            to_int(phases_h(shape) * phases_w(shape)),
            to_int(shape.dilation_h),
            to_int(shape.dilation_w),
            to_int(phase_length(shape, choice.outputs)),
            to_int(channel_length(shape, choice.outputs)),
            to_int(choice.channels),
            to_int(ceil_div(shape.c, choice.channels)),
            to_int(choice.split)};
}

WcsrArrays::WcsrArrays(const ConvShape& shape, const WcsrTiling& tiling)
    : columns(ceil_div(shape.w_elements(), 4) * 4),
      row_offsets(2 * columns),
      elements(row_offsets + shape.k * tiling.chunks + 1) {}

std::optional<double> nonzero_weight_flops(const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    const auto nonzero = std::ranges::count_if(workload.w.data, [](float value) { return value != 0.0F; });
    return 2.0 * static_cast<double>(nonzero) * static_cast<double>(shape.n * shape.p() * shape.q());
}

std::unique_ptr<Method> make_wcsr1(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    MethodInfo info{.id = "wcsr1",
                    .family = "weights",
                    .title = "Direct convolution with the weights in CSR",
                    .paper = "Park et al. 2017, Chen 2018",
                    .follows = "direct sparse convolution; Escoin's tiles in shared memory, sums in registers",
                    .device = device,
                    .takes = {.dilation = true, .sides = true},
                    .flops_executed = nonzero_weight_flops,
                    .stages = {"multiply", "pool"}};
    return std::make_unique<Wcsr1>(std::move(info), program, pool);
}

}  // namespace convscope
