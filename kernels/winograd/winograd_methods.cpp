#include "kernels/winograd/winograd_methods.h"

#include "kernels/winograd/winograd_tiles.h"

namespace convscope {
namespace {

class Winograd1 final : public GpuMethod {
public:
    Winograd1(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool)
        : GpuMethod({.id = "winograd1",
                     .family = "winograd",
                     .title = "Winograd F(2x2, 3x3)",
                     .paper = "Cho & Brand 2017",
                     .follows = "Wino.gpu; Lavin 2015, Algorithm 1",
                     .device = device,
                     .layout = Layout::nhwc,
                     .summation = Summation::f2x2_3x3,
                     .flops_executed = winograd_flops,
                     .stages = {"convert", "multiply", "invert", "pool"}},
                    program, pool) {}

    LaunchSpace launch_space(const ConvShape&) const override { return {true, false, {output_threads()}}; }
    bool uses_gemm() const override { return true; }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return winograd_filter_elements(shape) * std::int64_t{sizeof(float)};
    }
    std::int64_t format_bytes(const ConvShape& shape) const override {
        return winograd_workspace(shape).elements() * std::int64_t{sizeof(float)};
    }

private:
    static Tunable output_threads() {
        return {"output_threads", "threads in a block of the inverse transform", {32, 64, 128, 256, 512, 1024}, 128};
    }

    Support accepts(const ConvShape& shape) const override { return winograd_accepts(shape); }

    // A transform loads and stores 16 elements and adds 32 times; the products run in a library, some ten times as fast
    // as simulated threads.
    double thread_steps(const ConvShape& shape) const override {
        const auto tiles = static_cast<double>(winograd_tiles(shape).count());
        const auto c = static_cast<double>(shape.c), k = static_cast<double>(shape.k);
        return 64 * tiles * (c + k) + 0.05 * 2 * f2x2_3x3::elements * tiles * c * k;
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel&) const override {
        constexpr Dim3 default_value{128, 1, 1};  // small, so that a map of 14x14 still has a block for every SM
        const Dim3 block = config.block.value_or(default_value);
        if (block.y != 1 || block.z != 1)
            return reject("block is " + to_string(block) + "; winograd1's threads lie along the planes of V: Nx1x1");
        const std::int64_t output = tunable(launch_space(shape), config, "output_threads");
        const std::int64_t tiles = winograd_tiles(shape).count();
        return {{},
                {kernel_launch("winograd_input", "convert", {ceil_div(tiles * shape.c, block.x), 1, 1}, block),
                 kernel_launch("winograd_output", "invert", {ceil_div(tiles * shape.k, output), 1, 1}, {output, 1, 1})},
                0};
    }
};

/// Planes that begin at multiples of 256 bytes.
std::int64_t padded(std::int64_t floats) {
    constexpr std::int64_t line = 64;
    return ceil_div(floats, line) * line;
}

}  // namespace

std::int64_t WinogradWorkspace::m() const {
    return f2x2_3x3::elements * v_plane;
}

std::int64_t WinogradWorkspace::elements() const {
    return m() + f2x2_3x3::elements * m_plane;
}

WinogradWorkspace winograd_workspace(const ConvShape& shape) {
    const std::int64_t tiles = winograd_tiles(shape).count();
    return {padded(tiles * shape.c), padded(tiles * shape.k)};
}

std::unique_ptr<Method> make_winograd1(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    return std::make_unique<Winograd1>(device, program, pool);
}

}  // namespace convscope
