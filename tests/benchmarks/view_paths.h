// Times the ways to bring layouts to the screen: CUDA-GL interop, and the host.
#pragma once

#include "kernels/layers/workload.h"
#include "kernels/method/registry.h"

namespace convscope::app {

/// One map of 'size' x 'size'.
WorkloadSpec map_of(std::int64_t size);
/// VGG-19's conv1_2: a lowered matrix of more than 10^8 elements.
WorkloadSpec large_layer(std::int64_t images);

/// Prints for one map's layout and for whole layers what passes through the host and how long it takes, by the host
/// and, where there is a CUDA device, by interop. Needs a current GL context.
void compare_paths(const Registry&, std::int64_t images);

}  // namespace convscope::app
