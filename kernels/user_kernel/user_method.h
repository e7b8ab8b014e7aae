// Wraps a user's own kernel as a method: measured, checked and recorded as ours are.
#pragma once

#include <memory>
#include <vector>

#include "kernels/method/method.h"
#include "kernels/user_kernel/user_launch.h"

namespace convscope {

/// The method takes this one layer only, since a launch fixes its grid and its arguments. It runs on a CUDA GPU or,
/// with 'kind', on the simulated one. A configuration chooses the variant by its block, its grid and its tunables. The
/// kernel's result for a layer with dilation, groups, ReLU or pooling is compared with the reference like any other.
/// 'variants' has at least one; all have the same id and tunables of the same names.
std::unique_ptr<Method> make_user_method(std::vector<UserLaunch> variants, const ConvShape& shape,
                                         DeviceKind kind = DeviceKind::cuda);

}  // namespace convscope
