// ocpa4's kernels, by function pointers: its host code is compiled once, they are for each dialect.
#pragma once

#include <cstdint>

#include "kernels/core/launch.h"
#include "kernels/method/gpu.h"
#include "kernels/method/zero_boxes.h"
#include "kernels/ocpa/box_sizes.h"

namespace convscope {

/// Equal matrices, one behind the other; to be turned over, each by itself.
struct TurnedMaps {
    std::int64_t images = 1, rows = 1, columns = 1;
};
KernelLaunch plan_turn(const TurnedMaps&);

/// Both enqueue; ocpa4_kernels.h says what they compute.
struct MapLaunchers {
    void (*count)(Gpu&, const KernelLaunch&, const BoxSizes&, const float* x, const int* weights,
                  unsigned long long* total);
    void (*turn)(Gpu&, const TurnedMaps&, const float* from, float* to);
};

namespace on_cuda {
MapLaunchers map_launchers();
}
namespace on_sim {
MapLaunchers map_launchers();
}
namespace on_checked {
MapLaunchers map_launchers();
}

/// Counts on the GPU, of x as NCHW, what flops_of() counts on the host, for each kind of box. x is uploaded.
std::vector<double> count_flops(Gpu&, const MapLaunchers&, const std::vector<ZeroBoxes>&, const Tensor& x);

}  // namespace convscope
