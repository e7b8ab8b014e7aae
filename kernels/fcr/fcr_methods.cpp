#include "kernels/fcr/fcr_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/layers/fully_connected.h"
#include "kernels/method/zero_boxes.h"
#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

/// A row of weights begins at a multiple of 16 bytes, in FP16 as well.
constexpr std::int64_t row_multiple = 8;
constexpr std::int64_t max_split_k = 64;
constexpr std::int64_t max_inputs = std::int64_t{1} << 30;  // whose indices, rounded up to a round, are ints
/// Floats of a thread's rows in flight: what its registers allow.
constexpr std::int64_t max_in_flight = 64;

std::int64_t leading(const ConvShape& shape) {
    return ceil_div(shape.k, row_multiple) * row_multiple;
}

std::int64_t groups_of(const ConvShape& shape, std::int64_t outputs) {
    return ceil_div(leading(shape), 32 * outputs);
}

/// Up to 8 for each group of outputs, as long as that makes no more than two blocks for each of an H200's 132 SMs, and
/// each has a run of 32 inputs.
std::int64_t default_split_k(const ConvShape& shape) {
    constexpr std::int64_t wanted = 264, most = 8;
    const std::int64_t groups = groups_of(shape, FcrChoice{}.outputs), runs = ceil_div(shape.c, 32);
    std::int64_t split_k = 1;
    while (2 * split_k <= std::min(most, runs) && 2 * split_k * groups <= wanted) split_k *= 2;
    return split_k;
}

/// The defaults were the fastest on an H200 (docs/kernels/fcr.md). A warp has as many bytes in flight of FP16 rows as
/// of FP32 ones.
LaunchSpace space_of(const ConvShape& shape, DeviceKind device, std::int64_t weight_bytes) {
    LaunchSpace space{false,
                      false,
                      {{"threads", "threads of a block", {128, 256, 512}, 512},
                       {"split_k",
                        "blocks that share the inputs of a group of outputs",
                        {1, 2, 4, 8, 16, 32, max_split_k},
                        default_split_k(shape)},
                       {"rows", "rows of weights that a warp loads at once", {4, 8, 16}, 32 / weight_bytes},
                       {"outputs", "outputs of a thread", {4, 8}, FcrChoice{}.outputs}}};
    // The simulated GPU has none.
    if (device == DeviceKind::cuda)
        space.tunables.push_back(
            {"cluster",
             "1: the blocks that share inputs are a cluster, which adds their sums; 0: a second kernel does",
             {0, 1},
             0});
    return space;
}

/// An input that is not zero in one image is multiplied in all of them.
ZeroBoxes row_boxes(const ConvShape& shape) {
    return {{1, shape.n}, {shape.c}, {}, {}, {1}, {1}, shape.n * shape.k};
}

std::optional<double> row_flops(const Workload& workload) {
    return flops_of(row_boxes(workload.spec.shape), workload.x);
}

class Fcr final : public GpuMethod, public SkipsBoxes {
public:
    Fcr(MethodInfo info, std::int64_t weight_bytes, MakeGpuProgram program, MakeGpuProgram pool)
        : GpuMethod(std::move(info), program, pool), weight_bytes_(weight_bytes) {}

    LaunchSpace launch_space(const ConvShape& shape) const override {
        return space_of(shape, info().device, weight_bytes_);
    }
    ZeroBoxes boxes(const ConvShape& shape) const override { return row_boxes(shape); }
    bool prepares_weights() const override { return true; }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return shape.c * leading(shape) * weight_bytes_;
    }
    /// Bytes of the default without a cluster; more slices take more (Execution::workspace_bytes()).
    std::int64_t format_bytes(const ConvShape& shape) const override {
        return fcr_partial_bytes(shape, default_split_k(shape));
    }

private:
    Support accepts(const ConvShape& shape) const override {
        if (const Support support = takes_fully_connected(info().id, shape); !support) return support;
        if (shape.n > fcr_max_images)
            return Support::no(
                fmt::format("{} computes up to {} images at once, not {}", info().id, fcr_max_images, shape.n));
        if (shape.c > max_inputs)
            return Support::no(fmt::format("{} takes up to {} inputs, not {}", info().id, max_inputs, shape.c));
        return {};
    }
    double thread_steps(const ConvShape& shape) const override { return shape.flops_dense(); }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        const FcrChoice choice = fcr_choice(shape, config, info().device, weight_bytes_);
        if (choice.cluster && model.cc_major < 9)
            return reject(fmt::format(
                "cluster is 1; clusters need a GPU of compute capability 9.0 or later, which {} is not", model.name));
        if (choice.cluster && choice.split_k > fcr_max_cluster)
            return reject(fmt::format("split_k is {}; a cluster has up to {} blocks: cluster=0 takes more",
                                      choice.split_k, fcr_max_cluster));
        if (choice.rows * choice.outputs > max_in_flight)
            return reject(fmt::format("rows is {} and outputs is {}; a thread has registers for {} weights in flight",
                                      choice.rows, choice.outputs, max_in_flight));
        const FcrTiling tiling = fcr_tiling(shape, choice);
        const std::int64_t warps = choice.threads / 32;
        const std::int64_t sums = shape.n * 32 * choice.outputs;
        const std::int64_t words = tiling.list * (1 + shape.n) + sums * (warps + (tiling.cluster ? 1 : 0)) + warps;
        Dim3 grid{groups_of(shape, choice.outputs), choice.split_k, 1};
        if (tiling.cluster) std::swap(grid.y, grid.z);
        ResolvedLaunch resolved;
        resolved.kernels = {
            kernel_launch("fcr_multiply", "multiply", grid, {choice.threads, 1, 1}, words * float_bytes)};
        constexpr std::int64_t sum_threads = 128;
        if (choice.split_k > 1 && !tiling.cluster)
            resolved.kernels.push_back(kernel_launch(
                "fcr_sum", "multiply", {ceil_div(shape.k, sum_threads), shape.n, 1}, {sum_threads, 1, 1}));
        return resolved;
    }

    const std::int64_t weight_bytes_;
};

MethodInfo info_of(const char* id, const char* title, DeviceKind device) {
    MethodInfo info{.id = id,
                    .family = "fcr",
                    .title = title,
                    .paper = "Han et al. 2016",
                    .follows = "EIE's skipping of inputs that are zero; the weights are dense here",
                    .device = device,
                    .flops_executed = row_flops,
                    .stages = {"multiply"}};
    return info;
}

}  // namespace

FcrChoice fcr_choice(const ConvShape& shape, const LaunchConfig& config, DeviceKind device, std::int64_t weight_bytes) {
    const LaunchSpace space = space_of(shape, device, weight_bytes);
    FcrChoice choice{tunable(space, config, "threads"), tunable(space, config, "split_k"),
                     tunable(space, config, "rows"), tunable(space, config, "outputs")};
    choice.cluster = device == DeviceKind::cuda && tunable(space, config, "cluster") == 1;
    return choice;
}

FcrTiling fcr_tiling(const ConvShape& shape, const FcrChoice& choice) {
    // Inputs of the first slice, which has the most.
    const std::int64_t inputs = ceil_div(ceil_div(shape.c, 32), choice.split_k) * 32;
    const std::int64_t round = choice.threads * fcr_inputs;
    return {to_int(shape.c),
            to_int(shape.k),
            to_int(shape.n),
            to_int(leading(shape)),
            to_int(choice.split_k),
            to_int(ceil_div(inputs, round)),
            to_int(std::min(inputs, round)),
            choice.cluster && choice.split_k > 1};
}

std::int64_t fcr_partial_bytes(const ConvShape& shape, std::int64_t slices) {
    return slices > 1 ? slices * shape.n * leading(shape) * float_bytes : 0;
}

std::unique_ptr<Method> make_fcr1(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    return std::make_unique<Fcr>(info_of("fcr1", "Rows of weights skipped whose input is zero", device), 4, program,
                                 pool);
}

std::unique_ptr<Method> make_fcr2(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    MethodInfo info = info_of("fcr2", "Rows of FP16 weights skipped whose input is zero, FP32 sums", device);
    info.dtype = DType::f16;
    return std::make_unique<Fcr>(std::move(info), 2, program, pool);
}

}  // namespace convscope
