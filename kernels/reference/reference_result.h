// The reference: what every other method's result is held against.
//
// Direct convolution, every product and every sum in double, rounded to float once at the end. ReLU and
// max-pooling follow when the shape is pooled (kernels/layers/pooling.h).
//
// NaN and infinity in the data follow IEEE 754 as in a dense convolution: nothing is skipped, so a zero of x, or
// of the padding, times a non-finite weight is NaN, and NaN passes through ReLU and pooling. Methods that skip
// the zeros of x (ecr, pecr) agree on every finite weight, whatever x holds; they differ where a non-finite
// weight meets a zero.
#pragma once

#include <stop_token>

#include "kernels/core/tensor.h"
#include "kernels/layers/workload.h"

namespace convscope {

struct ReferenceResult {
    Tensor y;      ///< (n, k, out_h, out_w), NCHW
    Tensor scale;  ///< same shape: the sum of |x| |w| behind each element, its maximum over a pooling window
    /// The largest such sum of the whole convolution, also where pooling leaves it out; of 3x3 filters with stride 1
    /// also of those that hang over the (padded) map by up to two elements, which Winograd's tiles multiply as well. At
    /// least the largest |x| times the largest |w|: a stride can leave out what an FFT of the whole map multiplies.
    double largest_scale = 0;
};

/// y = conv(x, w), or maxpool(relu(conv(x, w))) for a pooled shape.
Tensor reference_output(const Workload&);
/// Rounding errors of any order of summation are proportional to this.
Tensor reference_scale(const Workload&);
/// Throws Error(failed) soon after it was stopped.
ReferenceResult reference_result(const Workload&, const std::stop_token& = {});

}  // namespace convscope
