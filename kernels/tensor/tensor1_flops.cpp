#include "kernels/tensor/tensor1_flops.h"

#include <algorithm>

#include "kernels/simt/launch_plan.h"
#include "kernels/tensor/tensor1_plan.h"

namespace convscope {
namespace {

/// 16 channels of the pixels of one phase of a tile's input, as they lie in shared memory.
struct BoxStep {
    std::int64_t image, channel, row, column;  ///< the first of each; rows and columns are a stride apart
};

bool holds_anything(const Workload& workload, const BoxStep& step) {
    constexpr std::int64_t step_channels = tensor1_tile_k / tensor1_steps;
    const ConvShape& shape = workload.spec.shape;
    const std::int64_t rows = tensor1_side + ceil_div(shape.r, shape.stride_h) - 1;
    const std::int64_t columns = tensor1_side + ceil_div(shape.s, shape.stride_w) - 1;
    for (std::int64_t c = step.channel; c < std::min(shape.c, step.channel + step_channels); ++c)
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) {
                const std::int64_t h = step.row + i * shape.stride_h, w = step.column + j * shape.stride_w;
                const bool inside = h >= 0 && w >= 0 && h < shape.h && w < shape.w;
                if (inside && workload.x.at(step.image, c, h, w) != 0.0F) return true;
            }
    return false;
}

bool skips_nothing(const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    if (tensor1_gathers(shape)) return std::ranges::find(workload.x.data, 0.0F) == workload.x.data.end();
    constexpr std::int64_t step_channels = tensor1_tile_k / tensor1_steps;
    for (std::int64_t image = 0; image < shape.n; ++image)
        for (std::int64_t p = 0; p < shape.p(); p += tensor1_side)
            for (std::int64_t q = 0; q < shape.q(); q += tensor1_side)
                for (std::int64_t c = 0; c < shape.c; c += step_channels)
                    for (std::int64_t i = 0; i < std::min(shape.stride_h, shape.r); ++i)
                        for (std::int64_t j = 0; j < std::min(shape.stride_w, shape.s); ++j)
                            if (!holds_anything(workload, {image, c, p * shape.stride_h - shape.pad_h + i,
                                                           q * shape.stride_w - shape.pad_w + j}))
                                return false;
    return true;
}

}  // namespace

std::optional<double> tensor1_flops(const Workload& workload) {
    return skips_nothing(workload) ? dense_flops(workload) : std::nullopt;
}

std::optional<double> tensor2_flops(const Workload& workload) {
    if (!skips_nothing(workload)) return std::nullopt;
    return pools_in_squares(workload.spec.shape) ? dense_pooled_flops(workload) : dense_flops(workload);
}

}  // namespace convscope
