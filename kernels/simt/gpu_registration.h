// The interface of the two compilations of the kernels. Plain C++: needs no CUDA header.
#pragma once

#include <memory>

#include "kernels/layers/layout_builder.h"
#include "kernels/method/device.h"
#include "kernels/method/gpu.h"
#include "kernels/method/registry.h"

namespace convscope::on_cuda {
/// Adds our methods for DeviceKind::cuda. Linked into the CUDA module only (convscope_gpu_kernels_cuda).
void register_gpu_methods(Registry&);
/// Builds layouts with the kernels of im2col, mec1, ecr1 and pecr1, which write what they built, and whole layers with
/// those of im2col, mec2, ecr3 and pecr3. The Gpu outlives it.
std::unique_ptr<LayoutBuilder> make_gpu_layout_builder(Gpu&, const DeviceInfo&);
}  // namespace convscope::on_cuda

namespace convscope::on_sim {
/// Adds the same methods for DeviceKind::sim.
void register_gpu_methods(Registry&);
/// The same; the pointers given to build() are host memory.
std::unique_ptr<LayoutBuilder> make_gpu_layout_builder(Gpu&, const DeviceInfo&);
}  // namespace convscope::on_sim

namespace convscope::on_checked {
/// The same, watched: for a device whose Gpu is simt::Watched (on_checked/checked_device.h).
void register_gpu_methods(Registry&);
// Papers' algorithms with their slips, for the checks and the reference to catch: as_printed.h.
void register_ecr_as_printed(Registry&);
void register_pecr_as_printed(Registry&);
void register_fused_as_printed(Registry&);
}  // namespace convscope::on_checked

namespace convscope {
/// The device "sim" and its methods.
void register_simulated_gpu(Registry&);
}  // namespace convscope
