// Follows ecr4's product where its sums are partial: the slices are added up and, for pecr4, go through ReLU and
// max-pooling on the way. The product's sums are written to memory and read here, of one slice too: this is a kernel of
// its own, and nothing is fused with the product.
#pragma once

#include "kernels/ecr/ecr4_tiling.h"
#include "kernels/layers/pooling.h"
#include "kernels/simt/dependent_launch.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// The sum of all slices for one filter of window 'output' of an image, always in the same order.
DEVICE float add_slices(const KernelShape& shape, const Ecr4Tiling& tiling, Global<const float> partial, int image,
                        int output, int filter) {
    const long long outputs = static_cast<long long>(shape.n) * shape.p * shape.q;
    const long long step = outputs * tiling.leading;
    Global<const float> from =
        partial + ((static_cast<long long>(image) * shape.p * shape.q + output) * tiling.leading + filter);
    constexpr int loads = 8;  // on their way together
    float total = 0.0f;
    NO_UNROLL for (int slice = 0; slice < tiling.slices; slice += loads) {
        float loaded[loads];
        UNROLL for (int load = 0; load < loads; ++load) {
            loaded[load] = 0.0f;
            if (slice + load < tiling.slices) loaded[load] = from[0];
            from = from + step;
        }
        UNROLL for (int load = 0; load < loads; ++load) total += loaded[load];
    }
    return total;
}

/// partial: [slices][n p q][leading]; y: NCHW, n x k x p x q, or n x k x out_h x out_w with 'pool'. Adjacent threads
/// read adjacent filters and write adjacent outputs: a tile of 32 filters x 8 outputs is turned over in shared memory
/// between. Block: 32 x 8. Grid: x tiles of 8 outputs, y of 32 filters, z images.
template <bool pool>
KERNEL ecr4_sum(KernelShape shape, Ecr4Tiling tiling, Global<const float> partial, Global<float> y) {
    constexpr int filters = 32, tile = 8, pitch = filters + 1;
    SHARED_ARRAY(float, turned, tile* pitch);
    const int outputs = pool ? shape.out_h * shape.out_w : shape.p * shape.q;
    const int image = blockIdx.z;
    {
        const int output = blockIdx.x * tile + threadIdx.y, filter = blockIdx.y * filters + threadIdx.x;
        float result = 0.0f;
        grid_dependency_wait();
        if (output < outputs && filter < shape.k) {
            if constexpr (pool) {
                const int top = output / shape.out_w * shape.pool_stride;
                const int left = output % shape.out_w * shape.pool_stride;
                for (int a = 0; a < shape.pool_h; ++a) {
                    for (int b = 0; b < shape.pool_w; ++b) {
                        const int conv = (top + a) * shape.q + left + b;
                        result = max_or_nan(result, add_slices(shape, tiling, partial, image, conv, filter));
                    }
                }
            } else {
                result = add_slices(shape, tiling, partial, image, output, filter);
            }
        }
        turned[threadIdx.y * pitch + threadIdx.x] = result;
    }
    __syncthreads();
    const int thread = threadIdx.y * filters + threadIdx.x;
    const int output = blockIdx.x * tile + thread % tile, filter = blockIdx.y * filters + thread / tile;
    if (output < outputs && filter < shape.k)
        y[(image * shape.k + filter) * outputs + output] = turned[thread % tile * pitch + thread / tile];
}

}  // namespace convscope::CONVSCOPE_DIALECT
