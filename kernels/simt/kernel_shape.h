// A convolution's sizes as kernels take them: plain ints, passed by value. ConvShape's own validation keeps every
// tensor below 2^31 elements; what can be larger (lowered matrices, ECR workspaces) is indexed with 64 bits.
#pragma once

#include <cstdint>

#include "kernels/layers/conv_shape.h"

namespace convscope {

struct KernelShape {
    int n, c, h, w;
    int k, r, s;
    int stride_h, stride_w, pad_h, pad_w;
    int p, q;
    int pool_h, pool_w, pool_stride;  ///< 0 when no pooling layer follows
    int out_h, out_w;
};

inline KernelShape to_kernel_shape(const ConvShape& shape) {
    const auto to_int = [](std::int64_t size) { return static_cast<int>(size); };
    return {to_int(shape.n),        to_int(shape.c),      to_int(shape.h),      to_int(shape.w),
            to_int(shape.k),        to_int(shape.r),      to_int(shape.s),      to_int(shape.stride_h),
            to_int(shape.stride_w), to_int(shape.pad_h),  to_int(shape.pad_w),  to_int(shape.p()),
            to_int(shape.q()),      to_int(shape.pool_h), to_int(shape.pool_w), to_int(shape.pool_stride),
            to_int(shape.out_h()),  to_int(shape.out_w())};
}

}  // namespace convscope
