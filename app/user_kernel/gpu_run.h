// A user's own kernel on a real GPU: run once, its arrays taken back, and measured with cuDNN.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "app/user_kernel/prepared_kernel.h"
#include "kernels/measure/isolated/point_measurer.h"
#include "kernels/measure/isolated/user_run.h"
#include "kernels/method/registry.h"

namespace convscope::app {

/// The architecture that nvcc compiles for on this device: "90a" for compute capability 9.0.
std::string architecture_of(const DeviceInfo&);

/// The launch as another process repeats it. Nothing of 'arguments' may be rejected; 'call' is what it was prepared
/// for.
UserLaunch user_launch(const PreparedKernel&, const KernelCall& call);

/// The same without what the layer brings: x, w and y.
UserLaunch without_layer(UserLaunch);

/// Runs it in a process of its own; the arrays of 'prepared' are then as the kernel left them. 'timed': samples, too.
/// Throws Error as run_user_isolated.
UserRunResult run_on_gpu(PreparedKernel& prepared, const UserLaunch&, const std::string& device, const MeasureOptions&,
                         bool timed, const std::stop_token&);

/// Whether the kernel computes the layer from the layer's own x and w, so that it can be measured with cuDNN.
bool computes_layer(const PreparedKernel&);

/// The variants of a kernel that computes this layer, and cuDNN's methods, each the best of its precision in either
/// layout.
PointRequest point_of(const Registry&, const WorkloadSpec&, std::vector<UserLaunch> variants, const std::string& device,
                      const MeasureOptions&);

}  // namespace convscope::app
