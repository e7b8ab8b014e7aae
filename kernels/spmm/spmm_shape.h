// The sizes of a sparse product, as its kernels take them.
#pragma once

namespace convscope {

struct SpmmShape {
    int rows;     ///< of the im2col matrix: windows, n p q
    int depth;    ///< its columns, and the rows of w: r s c
    int filters;  ///< columns of w and y: k
    int leading;  ///< floats from one row of w to the next: k, rounded up to a multiple of 4
};

}  // namespace convscope
