// What follows ecr6's product where its sums are partial: the parts are added up and, for pecr6, go through ReLU and
// max-pooling on the way.
#pragma once

#include "kernels/core/pooling.h"
#include "kernels/ecr/ecr6_tile.h"
#include "kernels/hopper/next_kernel.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// The sum of all parts for four filters of a window, always in the same order.
DEVICE float4 add_parts(const Ecr6Tiling& tiling, const float4* partial, long long part_fours) {
    constexpr int loads = 8;  // on their way together
    float4 total = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    NO_UNROLL for (int part = 0; part < tiling.parts; part += loads) {
        float4 loaded[loads];
        UNROLL for (int load = 0; load < loads; ++load) {
            loaded[load] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (part + load < tiling.parts) loaded[load] = partial[(part + load) * part_fours];
        }
        UNROLL for (int load = 0; load < loads; ++load) {
            total.x += loaded[load].x;
            total.y += loaded[load].y;
            total.z += loaded[load].z;
            total.w += loaded[load].w;
        }
    }
    return total;
}

/// partial: [parts][n p q][leading]; y: NHWC, pooled after ReLU with 'pool'. One thread per 4 filters of an output.
template <bool pool>
KERNEL ecr6_sum(KernelShape shape, Ecr6Tiling tiling, const float* partial, float* y) {
    const int fours = tiling.leading / 4;
    const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int filter = static_cast<int>(thread % fours) * 4;
    const long long output = thread / fours;
    const int out_h = pool ? shape.out_h : shape.p, out_w = pool ? shape.out_w : shape.q;
    if (output >= static_cast<long long>(shape.n) * out_h * out_w || filter >= shape.k) return;
    hopper::await_previous_kernel();
    const long long part_fours = static_cast<long long>(shape.n) * shape.p * shape.q * fours;
    const float4* from = reinterpret_cast<const float4*>(partial) + filter / 4;
    float4 result;
    if constexpr (pool) {
        result = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        const int column = static_cast<int>(output % out_w) * shape.pool_stride;
        const int row = static_cast<int>(output / out_w % out_h) * shape.pool_stride;
        const long long image = output / out_w / out_h;
        for (int a = 0; a < shape.pool_h; ++a) {
            for (int b = 0; b < shape.pool_w; ++b) {
                const long long window = (image * shape.p + row + a) * shape.q + column + b;
                const float4 sum = add_parts(tiling, from + window * fours, part_fours);
                result = make_float4(max_or_nan(result.x, sum.x), max_or_nan(result.y, sum.y),
                                     max_or_nan(result.z, sum.z), max_or_nan(result.w, sum.w));
            }
        }
    } else {
        result = add_parts(tiling, from + output * fours, part_fours);
    }
    float* to = y + output * shape.k + filter;
    if (shape.k % 4 == 0) {
        *reinterpret_cast<float4*>(to) = result;
    } else {
        to[0] = result.x;
        if (filter + 1 < shape.k) to[1] = result.y;
        if (filter + 2 < shape.k) to[2] = result.z;
        if (filter + 3 < shape.k) to[3] = result.w;
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
