// A user's own kernel as a method: measured, checked and recorded as ours are.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "kernels/core/method.h"
#include "kernels/own/own_launch.h"

namespace convscope {

/// For this one layer, on a CUDA GPU or, with 'kind', on the simulated one, where 'stop' ends a run: a launch holds its
/// grid and its arguments. A configuration chooses the variant with its block, its grid and its tunables. What the
/// kernel makes of a layer with dilation, groups, ReLU or pooling is held against the reference like everything else.
/// At least one variant; all have the same id and tunables of the same names.
std::unique_ptr<Method> make_own_method(std::vector<OwnLaunch> variants, const ConvShape& shape,
                                        DeviceKind kind = DeviceKind::cuda, std::stop_token stop = {});

}  // namespace convscope
