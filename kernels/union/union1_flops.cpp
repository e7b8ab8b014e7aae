#include "kernels/union/union1_flops.h"

#include "kernels/union/union1_tiling.h"

namespace convscope {
namespace {

bool is_alive(const Tensor& x, std::int64_t image, std::int64_t channel, std::int64_t row, std::int64_t column,
              const Union1Tiling& tiling) {
    for (std::int64_t h = std::max<std::int64_t>(row, 0); h < std::min(x.h, row + tiling.box_h); ++h)
        for (std::int64_t w = std::max<std::int64_t>(column, 0); w < std::min(x.w, column + tiling.box_w); ++w)
            if (x.at(image, channel, h, w) != 0.0F) return true;
    return false;
}

}  // namespace

std::optional<double> union1_flops(const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    const Union1Tiling tiling = union1_tiling(shape);
    double pairs = 0;  // of a window and a channel
    for (std::int64_t image = 0; image < shape.n; ++image)
        for (std::int64_t p = 0; p < shape.p(); p += tiling.tile_h)
            for (std::int64_t q = 0; q < shape.q(); q += tiling.tile_w) {
                const std::int64_t windows = std::min<std::int64_t>(tiling.tile_h, shape.p() - p) *
                                             std::min<std::int64_t>(tiling.tile_w, shape.q() - q);
                for (std::int64_t c = 0; c < shape.c; ++c)
                    if (is_alive(workload.x, image, c, p * shape.stride_h - shape.pad_h,
                                 q * shape.stride_w - shape.pad_w, tiling))
                        pairs += static_cast<double>(windows);
            }
    return 2 * pairs * static_cast<double>(shape.k * shape.r * shape.s);
}

}  // namespace convscope
