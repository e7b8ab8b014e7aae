// Direct convolution in double, arranged so that it vectorises for every stride, filter and map size.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "kernels/layers/conv_shape.h"

namespace convscope {

/// x is copied to double, padded, and sorted by phase (row mod stride_h, column mod stride_w): the elements that one
/// filter tap needs for neighbouring outputs are then neighbours, whatever the stride.
class DirectDouble {
public:
    /// The shape has one group.
    explicit DirectDouble(const ConvShape&);

    /// Doubles of the sorted copy of x.
    std::int64_t x_elements() const;
    /// Doubles of the copy of w: [k / 4][c r s][4], rounded up to whole groups of filters.
    std::int64_t w_elements() const;

    /// x is NCHW, w KCRS. 'magnitudes' takes |x| (|w|) instead.
    void sort_x(const float* x, double* sorted, bool magnitudes) const;
    void pack_w(const float* w, double* packed, bool magnitudes) const;
    /// y is (n, k, p, q), NCHW. In parallel over images, filters and pieces of the output plane. After a stop request
    /// y is of a part only.
    void multiply(const double* sorted, const double* packed, float* y, const std::stop_token& = {}) const;

private:
    void sort_map(const float* map, double* sorted, bool magnitudes) const;
    void store_piece(const double* sums, std::int64_t first, std::int64_t filters, float* y) const;

    ConvShape shape_;
    std::int64_t phase_h_, phase_w_;        // rows and columns of one phase's plane
    std::int64_t plane_;                    // elements of one phase's plane
    std::int64_t phases_w_;                 // phases of a row: the stride, or the width where that is less
    std::int64_t map_elements_;             // all phases of one map, with room to read past the end
    std::vector<std::int64_t> tap_offset_;  // of tap (r, s), from the element of output (0, 0)
};

}  // namespace convscope
