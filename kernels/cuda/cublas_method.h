// cuBLAS as a vendor baseline: the matrix-vector or matrix-matrix product that a dense fully connected layer is.
#pragma once

#include <memory>

#include "kernels/method/method.h"

namespace convscope {

/// "cublas", in FP32, for fully connected layers. The weights are used as they are given, [k][c]: y = w x by
/// cublasSgemv of one image, by cublasSgemm of several.
std::unique_ptr<Method> make_cublas();

}  // namespace convscope
