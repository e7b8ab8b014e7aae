// ECR, extended and compressed row (Xu 2019 and 2022, Algorithm 1, Fig. 4), over any number of channels.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/tensor.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

/// One row per convolution window (n, p, q), stored flat. Row i is [offsets[i], offsets[i + 1]) of F_data and K_index.
struct EcrLayout {
    ConvShape shape;
    std::vector<std::int64_t> offsets;  ///< n p q + 1
    std::vector<float> F_data;          ///< the non-zero elements of the window, in the order (c, r, s)
    std::vector<std::int32_t> K_index;  ///< where the weight of each lies in a filter: (c r + i) s + j
    std::vector<std::int32_t> Ptr;      ///< the number of them, per window; -1 for a window of zeros only

    std::int64_t windows() const { return static_cast<std::int64_t>(Ptr.size()); }
    /// K_data of one filter (c x r x s): the weights next to F_data, ragged in the same way.
    std::vector<float> gather_K_data(const float* filter) const;
};

/// Windows of block row p of image n: [begin, end) of Ptr. A block row is what one thread block works on.
struct EcrBlockRow {
    std::int64_t begin = 0, end = 0;
};
EcrBlockRow ecr_block_row(const ConvShape&, std::int64_t n, std::int64_t p);

EcrLayout make_ecr_layout(const ConvShape&, const Tensor& x);

/// The same in segments of equal size, as the kernels reserve them: window i owns values, positions
/// [i reduction(), (i + 1) reduction()), of which the first max(Ptr[i], 0) are filled. x is NCHW. In parallel over
/// block rows.
void convert_ecr(const ConvShape&, const float* x, float* values, std::int32_t* positions, std::int32_t* ptr);

}  // namespace convscope
