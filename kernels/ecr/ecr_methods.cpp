#include "kernels/ecr/ecr_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace convscope {
namespace {

MethodInfo ecr_info(const char* id, const char* title, const char* paper, const char* follows, DeviceKind device,
                    std::vector<std::string> stages) {
    return {.id = id,
            .family = "ecr",
            .title = title,
            .paper = paper,
            .follows = follows,
            .device = device,
            .flops_executed = nonzero_flops,
            .stages = std::move(stages)};
}

Support one_channel_one_filter(const ConvShape& shape, const char* id) {
    if (shape.c == 1 && shape.k == 1) return {};
    return Support::no(
        fmt::format("{} takes one channel and one filter (c = k = 1), not c = {}, k = {}; ecr3 takes "
                    "any",
                    id, shape.c, shape.k));
}

class Ecr1 final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;

    LaunchSpace launch_space(const ConvShape&) const override { return {true, false, {}}; }

private:
    Support accepts(const ConvShape& shape) const override {
        if (shape.n != 1) return Support::no(fmt::format("ecr1 takes one image, not n = {}; ecr2 takes any", shape.n));
        return one_channel_one_filter(shape, "ecr1");
    }
    double thread_steps(const ConvShape& shape) const override { return 3 * shape.flops_dense(); }

    static std::int64_t shared_per_thread(const ConvShape& shape) { return 2 * 4 * shape.window() + 4; }

    // As in the paper a block is a block row, as long as its threads and their segments fit; a wider row is cut into
    // equal tiles.
    static std::int64_t default_threads(const ConvShape& shape, const DeviceModel& model) {
        const std::int64_t fit = model.shared_per_block_optin / shared_per_thread(shape);
        const std::int64_t most =
            std::clamp<std::int64_t>(std::min<std::int64_t>(fit, model.max_threads_per_block), 1, shape.q());
        return ceil_div(shape.q(), ceil_div(shape.q(), most));
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        const Dim3 block = config.block.value_or(Dim3{default_threads(shape, model), 1, 1});
        if (block.y != 1 || block.z != 1)
            return reject("block is " + to_string(block) + "; ecr1's threads lie along one block row: Nx1x1");
        const Dim3 grid{shape.p(), ceil_div(shape.q(), block.x), 1};
        return {{}, {kernel_launch("ecr1", "multiply", grid, block, block.x * shared_per_thread(shape))}, 0};
    }
};

class Ecr2 final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;

    LaunchSpace launch_space(const ConvShape&) const override { return {true, false, {}}; }

private:
    Support accepts(const ConvShape& shape) const override { return one_channel_one_filter(shape, "ecr2"); }
    double thread_steps(const ConvShape& shape) const override { return 4 * shape.flops_dense(); }

    // The arrays of kernels/ecr/ecr2_kernel.h.
    static std::int64_t shared_bytes(const ConvShape& shape, const Dim3& block) {
        const std::int64_t tile_h = (block.y - 1) * shape.stride_h + shape.r;
        const std::int64_t tile_w = (block.x - 1) * shape.stride_w + shape.s;
        const std::int64_t threads = block.x * block.y;
        return 4 * (tile_h * tile_w + shape.window() + 2 * threads * shape.window() + threads);
    }

    static Dim3 default_block(const ConvShape& shape, const DeviceModel& model) {
        constexpr std::int64_t aim = 128;  // threads: enough warps to hide latency, enough blocks for every SM
        Dim3 block{std::min<std::int64_t>(shape.q(), aim), 1, 1};
        block.y = std::clamp<std::int64_t>(aim / block.x, 1, shape.p());
        while (block.y > 1 && shared_bytes(shape, block) > model.shared_per_block) --block.y;
        while (block.x > 1 && shared_bytes(shape, block) > model.shared_per_block_optin) block.x = ceil_div(block.x, 2);
        return block;
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        const Dim3 block = config.block.value_or(default_block(shape, model));
        if (block.z != 1) return reject("block is " + to_string(block) + "; ecr2's blocks are flat: NxMx1");
        const Dim3 grid{ceil_div(shape.p(), block.y), ceil_div(shape.q(), block.x), shape.n};
        return {{}, {kernel_launch("ecr2", "multiply", grid, block, shared_bytes(shape, block))}, 0};
    }
};

class Ecr3 final : public GpuMethod {
public:
    using GpuMethod::GpuMethod;

    LaunchSpace launch_space(const ConvShape&) const override { return {true, true, {convert_warps_tunable()}}; }
    bool prepares_weights() const override { return true; }
    std::int64_t format_bytes(const ConvShape& shape) const override { return ecr3_format(shape).bytes(); }

private:
    double thread_steps(const ConvShape& shape) const override {
        const CompressedWindows format = ecr3_format(shape);
        return shape.flops_dense() + 4.0 * static_cast<double>(format.windows) * static_cast<double>(format.capacity);
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel&) const override {
        const std::int64_t windows = ecr3_format(shape).windows;
        const std::int64_t warps = tunable(launch_space(shape), config, "convert_warps");
        const KernelLaunch convert = plan_convert("ecr3_convert", windows, warps);
        return plan_per_filter(convert, "ecr3_multiply", windows, 1, shape.k, config);
    }
};

}  // namespace

CompressedWindows ecr3_format(const ConvShape& shape) {
    return {shape.n * shape.p() * shape.q(), shape.reduction()};
}

Tunable convert_warps_tunable() {
    return {"convert_warps",
            "windows that one block of the convert kernel compresses, a warp each",
            {1, 2, 4, 8, 16, 32},
            8};
}

KernelLaunch plan_convert(const char* kernel, std::int64_t windows, std::int64_t warps_per_block) {
    return kernel_launch(kernel, "convert", {ceil_div(windows, warps_per_block), 1, 1}, {32 * warps_per_block, 1, 1});
}

ResolvedLaunch plan_per_filter(const KernelLaunch& convert, const char* multiply, std::int64_t results,
                               std::int64_t windows, std::int64_t k, const LaunchConfig& config) {
    // A warp along the filters, so that its loads of weights coalesce; with them as many results as a block can hold,
    // so that they find each other's weights in the L1 cache (fastest of 16 blocks tried on an H100). Few filters
    // take few threads.
    constexpr std::int64_t warp = 32, threads = 1024, few = 256, max_shares = 4;
    const std::int64_t x = std::min(k, warp), z = std::min(windows, max_shares);
    const std::int64_t aim = x == warp ? threads : few;
    const Dim3 default_value{x, std::clamp<std::int64_t>(aim / (x * z), 1, results), z};
    const Dim3 block = config.block.value_or(default_value);
    const Dim3 grid = config.grid.value_or(Dim3{ceil_div(results, block.y), ceil_div(k, block.x), 1});
    if (block.z > windows || grid.z != 1)
        return reject(fmt::format("block is {} and grid {}; {} uses up to {} along z in a block and 1 in the grid",
                                  to_string(block), to_string(grid), multiply, windows));
    if (grid.y * block.x < k)
        return reject(fmt::format("grid y x block x is {}; {} needs a thread for each of {} filters", grid.y * block.x,
                                  multiply, k));
    return {{}, {convert, kernel_launch(multiply, "multiply", grid, block)}, 1};
}

std::unique_ptr<Method> make_ecr1(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    return std::make_unique<Ecr1>(ecr_info("ecr1", "ECR, one thread per window", "Xu 2019", "Algorithms 1-2, Figs. 4-6",
                                           device, {"multiply", "pool"}),
                                  program, pool);
}

std::unique_ptr<Method> make_ecr2(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    return std::make_unique<Ecr2>(ecr_info("ecr2", "ECR, coalesced mapping", "Xu 2022", "Algorithms 1-2, Figs. 4-6",
                                           device, {"multiply", "pool"}),
                                  program, pool);
}

std::unique_ptr<Method> make_ecr3(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    return std::make_unique<Ecr3>(ecr_info("ecr3", "ECR, all channels compressed once for every filter", "Xu 2022",
                                           "Algorithms 1-2, section 7", device, {"convert", "multiply", "pool"}),
                                  program, pool);
}

}  // namespace convscope
