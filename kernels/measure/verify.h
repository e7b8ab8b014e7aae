// Decides whether a result is right: compares its error against the reference with a tolerance that is derived, not
// chosen.
#pragma once

#include <string>

#include "kernels/core/tensor.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/method/method.h"

namespace convscope {

/// The bound on |y - reference| / scale for sums of shape.reduction() terms; derived in docs/measuring.md.
double tolerance(const ConvShape&, DType, Summation);

/// The result of comparing y with the reference.
struct Verification {
    bool ok = false;
    double max_rel_err = 0;  ///< the largest |y - reference| / scale; infinite where one is NaN or infinite alone
    double tolerance = 0;
    std::string reason;  ///< the first wrong element and how many are wrong, when not ok
};

/// 'reference' and 'y' are (n, k, out_h, out_w), both NCHW. 'scale' is the reference of |x| and |w|: the sum of
/// magnitudes behind each element, which is what rounding errors are proportional to. A NaN or an infinity passes only
/// where the reference has the same. 'largest_scale' is the reference's largest sum before pooling: a transform's
/// errors are proportional to it.
Verification verify(const Tensor& y, const Tensor& reference, const Tensor& scale, const ConvShape&, DType,
                    Summation = Summation::direct, double largest_scale = 0);

}  // namespace convscope
