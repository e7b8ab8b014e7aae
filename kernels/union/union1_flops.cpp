#include "kernels/union/union1_flops.h"

#include <algorithm>

#include "kernels/union/union1_tiling.h"

namespace convscope {
namespace {

/// The windows of each tile along one axis.
std::vector<std::int64_t> windows_of_tiles(std::int64_t windows, std::int64_t tile) {
    std::vector<std::int64_t> each;
    for (std::int64_t first = 0; first < windows; first += tile) each.push_back(std::min(tile, windows - first));
    return each;
}

}  // namespace

ZeroBoxes union1_boxes(const ConvShape& shape) {
    const Union1Tiling tiling = union1_tiling(shape);
    return {{shape.n},
            {shape.c},
            {tiling.tiles_h, tiling.box_h, tiling.tile_h * shape.stride_h, -shape.pad_h},
            {tiling.tiles_w, tiling.box_w, tiling.tile_w * shape.stride_w, -shape.pad_w},
            windows_of_tiles(shape.p(), tiling.tile_h),
            windows_of_tiles(shape.q(), tiling.tile_w),
            shape.k * shape.r * shape.s};
}

std::optional<double> union1_flops(const Workload& workload) {
    return flops_of(union1_boxes(workload.spec.shape), workload.x);
}

}  // namespace convscope
