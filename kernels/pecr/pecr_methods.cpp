#include "kernels/pecr/pecr_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace convscope {
namespace {

MethodInfo pecr_info(const char* id, const char* title, const char* paper, const char* follows, DeviceKind device,
                     std::vector<std::string> stages) {
    return {.id = id,
            .family = "pecr",
            .title = title,
            .paper = paper,
            .follows = follows,
            .device = device,
            .flops_executed = nonzero_pooled_flops,
            .stages = std::move(stages)};
}

/// The base of the PECR methods: pooling happens in their kernels, so there must be some.
class PecrMethod : public GpuMethod {
public:
    PecrMethod(MethodInfo info, MakeGpuProgram program) : GpuMethod(std::move(info), program, nullptr) {}
    bool fuses_pooling() const final { return true; }

protected:
    Support needs_pooling(const ConvShape& shape) const {
        if (shape.pooled()) return {};
        return Support::no(info().id + " computes convolution and pooling together; this shape has no pooling");
    }
    Support one_channel_one_filter(const ConvShape& shape) const {
        if (shape.c == 1 && shape.k == 1) return {};
        return Support::no(
            fmt::format("{} takes one channel and one filter (c = k = 1), not c = {}, k = {}; pecr3 "
                        "takes any",
                        info().id, shape.c, shape.k));
    }
    /// Multiply-adds on dense data: overlapping pooling windows compute the windows that they share several times.
    static double multiply_adds(const ConvShape& shape) {
        return static_cast<double>(pecr3_format(shape).windows) * static_cast<double>(shape.reduction()) *
               static_cast<double>(shape.k);
    }
};

class Pecr0 final : public PecrMethod {
public:
    Pecr0(MethodInfo info, MakeGpuProgram program, bool apart) : PecrMethod(std::move(info), program), apart_(apart) {}

private:
    Support accepts(const ConvShape& shape) const override {
        if (Support pooling = needs_pooling(shape); !pooling) return pooling;
        if (shape.n != 1 || shape.pad_h != 0 || shape.pad_w != 0 || shape.stride_h != shape.stride_w)
            return Support::no(info().id + " is as printed: one image, no padding, one stride for both directions");
        return one_channel_one_filter(shape);
    }
    double thread_steps(const ConvShape& shape) const override { return 8 * multiply_adds(shape); }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig&, const DeviceModel&) const override {
        const std::int64_t segments = apart_ ? shape.out_w() : 1, windows = shape.pool_h * shape.pool_w;
        return {{},
                {kernel_launch("pecr0", "multiply", {shape.out_h(), 1, 1}, {shape.out_w(), 1, 1},
                               4 * segments * windows * (2 * shape.window() + 2))},
                0};
    }

    const bool apart_;
};

class Pecr1 final : public PecrMethod {
public:
    using PecrMethod::PecrMethod;
    LaunchSpace launch_space(const ConvShape&) const override { return {true, false, {}}; }

private:
    Support accepts(const ConvShape& shape) const override {
        if (Support pooling = needs_pooling(shape); !pooling) return pooling;
        if (shape.n != 1)
            return Support::no(fmt::format("pecr1 takes one image, not n = {}; pecr2 takes any", shape.n));
        return one_channel_one_filter(shape);
    }
    double thread_steps(const ConvShape& shape) const override { return 8 * multiply_adds(shape); }

    // As in the paper a block is a pooling-pack row, as long as its threads' segments fit; a wider row is cut into
    // equal tiles.
    static std::int64_t default_threads(const ConvShape& shape, const DeviceModel& model) {
        const std::int64_t fit = model.shared_per_block_optin / pecr1_shared_per_thread(shape);
        const std::int64_t most =
            std::clamp<std::int64_t>(std::min<std::int64_t>(fit, model.max_threads_per_block), 1, shape.out_w());
        return ceil_div(shape.out_w(), ceil_div(shape.out_w(), most));
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        const Dim3 block = config.block.value_or(Dim3{default_threads(shape, model), 1, 1});
        if (block.y != 1 || block.z != 1)
            return reject("block is " + to_string(block) + "; pecr1's threads lie along one pooling-pack row: Nx1x1");
        const Dim3 grid{shape.out_h(), ceil_div(shape.out_w(), block.x), 1};
        return {{}, {kernel_launch("pecr1", "multiply", grid, block, block.x * pecr1_shared_per_thread(shape))}, 0};
    }
};

class Pecr2 final : public PecrMethod {
public:
    using PecrMethod::PecrMethod;
    LaunchSpace launch_space(const ConvShape&) const override { return {true, false, {}}; }

private:
    Support accepts(const ConvShape& shape) const override {
        if (Support pooling = needs_pooling(shape); !pooling) return pooling;
        return one_channel_one_filter(shape);
    }
    double thread_steps(const ConvShape& shape) const override { return 8 * multiply_adds(shape); }

    /// Data, Index, Count and conv of one thread (kernels/pecr/pecr2_kernel.h).
    static std::int64_t shared_per_thread(const ConvShape& shape) { return 2 * 4 * shape.window() + 4 + 4; }

    static Dim3 default_block(const ConvShape& shape, const DeviceModel& model) {
        constexpr std::int64_t aim = 128;  // threads
        Dim3 block{shape.pool_h * shape.pool_w, 1, 1};
        const std::int64_t fit = model.shared_per_block / (block.x * shared_per_thread(shape));
        block.y = std::clamp<std::int64_t>(std::min(aim / block.x, fit), 1, shape.out_h() * shape.out_w());
        return block;
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel& model) const override {
        const Dim3 block = config.block.value_or(default_block(shape, model));
        const std::int64_t windows = shape.pool_h * shape.pool_w;
        if (block.x != windows || block.z != 1)
            return reject(
                fmt::format("block is {}; pecr2 needs one thread per window of a pooling window along x: "
                            "{}xNx1",
                            to_string(block), windows));
        const Dim3 grid{ceil_div(shape.out_h() * shape.out_w(), block.y), shape.n, 1};
        return {{}, {kernel_launch("pecr2", "multiply", grid, block, block.count() * shared_per_thread(shape))}, 0};
    }
};

class Pecr3 final : public PecrMethod {
public:
    using PecrMethod::PecrMethod;
    LaunchSpace launch_space(const ConvShape&) const override { return {true, true, {convert_warps_tunable()}}; }
    bool prepares_weights() const override { return true; }
    std::int64_t format_bytes(const ConvShape& shape) const override { return pecr3_format(shape).bytes(); }

private:
    Support accepts(const ConvShape& shape) const override { return needs_pooling(shape); }
    double thread_steps(const ConvShape& shape) const override {
        const CompressedWindows format = pecr3_format(shape);
        return 2 * multiply_adds(shape) +
               4.0 * static_cast<double>(format.windows) * static_cast<double>(format.capacity);
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel&) const override {
        const std::int64_t results = shape.n * shape.out_h() * shape.out_w();
        const std::int64_t warps = tunable(launch_space(shape), config, "convert_warps");
        const KernelLaunch convert = plan_convert("pecr3_convert", pecr3_format(shape).windows, warps);
        ResolvedLaunch resolved =
            plan_per_filter(convert, "pecr3_multiply", results, shape.pool_h * shape.pool_w, shape.k, config);
        if (!resolved.support) return resolved;
        KernelLaunch& multiply = resolved.kernels[resolved.main];
        multiply.shared_bytes = static_cast<std::size_t>(multiply.block.count()) * sizeof(float);
        return resolved;
    }
};

}  // namespace

std::int64_t pecr1_shared_per_thread(const ConvShape& shape) {
    return 4 * shape.pool_h * shape.pool_w * (2 * shape.window() + 1);
}

CompressedWindows pecr3_format(const ConvShape& shape) {
    return {shape.n * shape.out_h() * shape.out_w() * shape.pool_h * shape.pool_w, shape.reduction()};
}

std::unique_ptr<Method> make_pecr0(bool apart, MakeGpuProgram program) {
    MethodInfo info =
        pecr_info(apart ? "pecr0b" : "pecr0",
                  apart ? "PECR as printed, each thread's arrays apart: not a result" : "PECR as printed: not a result",
                  "Xu 2019", "Algorithms 3-4", DeviceKind::sim, {"multiply"});
    info.as_printed = true;
    return std::make_unique<Pecr0>(std::move(info), program, apart);
}

std::unique_ptr<Method> make_pecr1(DeviceKind device, MakeGpuProgram program) {
    return std::make_unique<Pecr1>(pecr_info("pecr1", "PECR, one thread per pooling result", "Xu 2019",
                                             "Algorithms 3-4, Figs. 7-8", device, {"multiply"}),
                                   program);
}

std::unique_ptr<Method> make_pecr2(DeviceKind device, MakeGpuProgram program) {
    return std::make_unique<Pecr2>(
        pecr_info("pecr2", "PECR, one thread per window", "Xu 2022", "Algorithms 3-4, Figs. 7-8", device, {"multiply"}),
        program);
}

std::unique_ptr<Method> make_pecr3(DeviceKind device, MakeGpuProgram program) {
    return std::make_unique<Pecr3>(pecr_info("pecr3", "PECR, all channels compressed once for every filter", "Xu 2022",
                                             "Algorithms 3-4, section 7", device, {"convert", "multiply"}),
                                   program);
}

}  // namespace convscope
