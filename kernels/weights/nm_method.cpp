#include "kernels/weights/nm_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/core/format_units.h"
#include "kernels/method/restricts_weights.h"
#include "kernels/simt/launch_plan.h"
#include "kernels/weights/share_sum.h"

namespace convscope {
namespace {

constexpr std::int64_t widest_block = 128;  // filters, to which they are rounded up
constexpr const char* dense_choice = "mma m16n8k16";

std::int64_t padded_c(const ConvShape& shape) {
    return ceil_div(shape.c, nm_channels) * nm_channels;
}
std::int64_t row_tiles(const ConvShape& shape) {
    return ceil_div(shape.k, widest_block) * (widest_block / nm_filters);
}
std::int64_t k_tiles(const ConvShape& shape) {
    return shape.window() * (padded_c(shape) / nm_channels);
}
std::int64_t pixels(const ConvShape& shape) {
    return shape.n * shape.p() * shape.q();
}
std::int64_t blocks(const ConvShape& shape, const NmChoice& choice) {
    return ceil_div(shape.k, choice.filters) * ceil_div(pixels(shape), choice.pixels);
}

LaunchSpace space_of() {
    return {false,
            false,
            {{"sparse", "1: two of four weights, by mma.sp; 0: all of them, by mma, with the same tiles", {0, 1}, 1},
             planned_tunable("filters", "filters of a block", {64, widest_block}),
             planned_tunable("pixels", "outputs of a block", {64, 128}),
             planned_tunable("split_k", "blocks that share the channels and taps", {1, 2, 4, 8, max_shares})}};
}

/// How many blocks share the K tiles. Estimated in us, by times of an NVIDIA H200 (docs/kernels/weights.md): a K tile
/// of all blocks that an SM has at once, then writing and adding the shares.
std::int64_t planned_split(const ConvShape& shape, const NmChoice& choice) {
    const auto time = [&](std::int64_t split) {
        const auto resident = static_cast<double>(ceil_div(blocks(shape, choice) * split, planned_sms));
        const double products = (0.2 + 0.45 * resident) * static_cast<double>(ceil_div(k_tiles(shape), split));
        return products + (split > 1 ? 1.5 + 0.6e-6 * static_cast<double>(share_bytes(shape, split)) : 0);
    };
    std::int64_t best = 1;
    for (std::int64_t split = 2; split <= std::min(max_shares, k_tiles(shape)); split *= 2)
        if (time(split) < time(best)) best = split;
    return best;
}

/// Every group of four consecutive channels holds at most two weights that are not zero.
Support two_of_four(const std::string& method, const Tensor& w) {
    for (std::int64_t k = 0; k < w.n; ++k)
        for (std::int64_t r = 0; r < w.h; ++r)
            for (std::int64_t s = 0; s < w.w; ++s)
                for (std::int64_t first = 0; first < w.c; first += 4) {
                    const std::int64_t end = std::min(first + 4, w.c);
                    int nonzero = 0;
                    for (std::int64_t c = first; c < end; ++c) nonzero += w.at(k, c, r, s) != 0.0F ? 1 : 0;
                    if (nonzero > 2)
                        return Support::no(fmt::format(
                            "{} takes weights of which each four along c hold at most two that are not zero; "
                            "those of filter {}, tap ({}, {}), channels {} to {} hold {} (sparse=0 takes any)",
                            method, k, r, s, first, end - 1, nonzero));
                }
    return {};
}

class Nm1 final : public GpuMethod, public RestrictsWeights {
public:
    using GpuMethod::GpuMethod;

    LaunchSpace launch_space(const ConvShape&) const override { return space_of(); }
    bool prepares_weights() const override { return true; }
    /// Bytes of the default; the dense twin's take more (Execution::workspace_bytes()).
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override { return nm_weight_bytes(shape, true); }
    /// Likewise of the default.
    std::int64_t format_bytes(const ConvShape& shape) const override {
        return NmWorkspace(shape, nm_choice(shape, {}).split).bytes;
    }
    std::string choice(const ConvShape& shape, const LaunchConfig& config) const override {
        return nm_choice(shape, config).sparse ? "mma.sp m16n8k32" : dense_choice;
    }
    /// Two of each four multiply-adds, whatever they multiply.
    ExecutedWork executed(const Workload& workload, const std::string& choice) const override {
        const double dense = workload.spec.shape.flops_dense();
        return {info().arithmetic, choice == dense_choice ? dense : dense / 2};
    }
    Support takes_weights(const Tensor& w, const LaunchConfig& config) const override {
        return tunable(space_of(), config, "sparse") == 1 ? two_of_four(info().id, w) : Support{};
    }
    /// No weight that is drawn is zero.
    Support may_take_weights(const WorkloadSpec& layer, const LaunchConfig& config) const override {
        const bool given =
            layer.source == Source::example || (layer.source == Source::file && !layer.weights_path.empty());
        const bool dense = !given && layer.weight_sparsity == 0 && layer.shape.c > 2;
        if (!dense || tunable(space_of(), config, "sparse") == 0) return {};
        return Support::no(fmt::format(
            "{} takes weights of which each four along c hold at most two that are not zero; of this layer's none is "
            "zero (the weight pattern 2:4 is made for it; sparse=0 takes any)",
            info().id));
    }

private:
    // Not simulated.
    double thread_steps(const ConvShape&) const override { return 0; }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        if (model.cc_major < 8)
            return reject(fmt::format("{} needs compute capability 8.0 or later; {} has {}.{}", info().id, model.name,
                                      model.cc_major, model.cc_minor));
        const NmChoice choice = nm_choice(shape, config);
        if (choice.split > k_tiles(shape))
            return reject(fmt::format("split_k is {}; there {} {} of {} channels in all taps", choice.split,
                                      k_tiles(shape) == 1 ? "is" : "are",
                                      counted(static_cast<std::size_t>(k_tiles(shape)), "K tile"), nm_channels));
        const int filters = to_int(choice.filters), outputs = to_int(choice.pixels);
        constexpr std::int64_t threads = 256, channels_of_thread = 8;
        ResolvedLaunch resolved;
        resolved.main = 1;
        resolved.kernels = {
            kernel_launch(
                "nm_convert", "convert",
                {ceil_div(shape.n * shape.h * shape.w * (padded_c(shape) / channels_of_thread), threads), 1, 1},
                {threads, 1, 1}),
            kernel_launch("nm_multiply", "multiply",
                          {ceil_div(pixels(shape), choice.pixels), ceil_div(shape.k, choice.filters), choice.split},
                          {nm_threads(filters, outputs), 1, 1},
                          nm_stages * nm_stage_bytes(choice.sparse, filters, outputs))};
        if (choice.split > 1) resolved.kernels.push_back(share_sum_launch(shape));
        return resolved;
    }
};

}  // namespace

NmChoice nm_choice(const ConvShape& shape, const LaunchConfig& config) {
    NmChoice choice{tunable(space_of(), config, "sparse") == 1, requested_tunable(config, "filters"),
                    requested_tunable(config, "pixels"), requested_tunable(config, "split_k")};
    if (choice.filters == 0) choice.filters = shape.k > 64 ? widest_block : 64;
    if (choice.pixels == 0) choice.pixels = 64;
    if (choice.split == 0) choice.split = planned_split(shape, choice);
    return choice;
}

NmTiling nm_tiling(const ConvShape& shape, std::int64_t split) {
    return {to_int(shape.dilation_h),
            to_int(shape.dilation_w),
            to_int(padded_c(shape)),
            to_int(row_tiles(shape)),
            to_int(pixels(shape)),
            to_int(k_tiles(shape)),
            to_int(split)};
}

NmWorkspace::NmWorkspace(const ConvShape& shape, std::int64_t split) {
    constexpr std::int64_t half_bytes = 2, alignment = 256;
    partial = ceil_div(shape.n * shape.h * shape.w * padded_c(shape) * half_bytes, alignment) * alignment;
    bytes = partial + share_bytes(shape, split);
}

std::int64_t nm_weight_bytes(const ConvShape& shape, bool sparse) {
    return k_tiles(shape) * row_tiles(shape) * nm_tile_bytes(sparse);
}

std::unique_ptr<Method> make_nm1(MakeGpuProgram program, MakeGpuProgram pool) {
    MethodInfo info{.id = "nm1",
                    .family = "weights",
                    .title = "Two of four weights on sparse tensor cores, FP16 with FP32 sums",
                    .paper = "Mishra et al. 2021",
                    .follows = "2:4 structured sparsity along the channels, as implicit GEMM",
                    .device = DeviceKind::cuda,
                    .dtype = DType::f16,
                    .arithmetic = Arithmetic::fp16,
                    .layout = Layout::nhwc,
                    .takes = {.dilation = true, .sides = true},
                    .stages = {"convert", "multiply", "pool"}};
    return std::make_unique<Nm1>(std::move(info), program, pool);
}

}  // namespace convscope
