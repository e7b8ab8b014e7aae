#include "kernels/im2col/im2col_methods.h"

#include <algorithm>
#include <bit>

namespace convscope {
namespace {

class Im2col final : public GpuMethod {
public:
    Im2col(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool)
        : GpuMethod({.id = "im2col",
                     .family = "im2col",
                     .title = "im2col and GEMM",
                     .paper = "Cho & Brand 2017",
                     .follows = "Section 2, the baseline",
                     .device = device,
                     .layout = Layout::nhwc,
                     .takes = {.sides = true},
                     .stages = {"convert", "multiply", "pool"}},
                    program, pool) {}

    LaunchSpace launch_space(const ConvShape&) const override { return {true, true, {}}; }
    bool prepares_weights() const override { return true; }
    bool uses_gemm() const override { return true; }
    std::int64_t format_bytes(const ConvShape& shape) const override {
        return shape.im2col_elements() * std::int64_t{sizeof(float)};
    }

private:
    // The matrix product runs in a library, some ten times as fast as simulated threads.
    double thread_steps(const ConvShape& shape) const override {
        return 3.0 * static_cast<double>(shape.im2col_elements()) + 0.05 * shape.flops_dense();
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel&) const override {
        return plan_lowering("im2col_lower", shape.n * shape.p() * shape.q(), shape.reduction(), config);
    }
};

}  // namespace

ResolvedLaunch plan_lowering(const char* kernel, std::int64_t rows, std::int64_t columns, const LaunchConfig& config) {
    // As many threads along a row as it has elements, so that short rows waste none; then rows to fill the block.
    constexpr std::uint64_t threads = 256;
    const std::uint64_t along = std::min(threads, std::bit_ceil(static_cast<std::uint64_t>(columns)));
    const Dim3 default_value{static_cast<std::int64_t>(along), static_cast<std::int64_t>(threads / along), 1};
    const Dim3 block = config.block.value_or(default_value);
    const Dim3 grid = config.grid.value_or(Dim3{ceil_div(rows, block.y), 1, 1});
    if (block.z != 1)
        return reject("block is " + to_string(block) +
                      "; x goes along a row of the lowered matrix and y over rows: "
                      "NxMx1");
    if (grid.y != 1 || grid.z != 1)
        return reject("grid is " + to_string(grid) +
                      "; only x is used, for groups of rows of the lowered matrix: Nx1x1");
    return {{}, {kernel_launch(kernel, "convert", grid, block)}, 0};
}

std::unique_ptr<Method> make_im2col(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    return std::make_unique<Im2col>(device, program, pool);
}

}  // namespace convscope
