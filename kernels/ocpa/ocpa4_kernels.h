// ocpa4's own kernels: the count of boxes that are not all zero, and the change between NCHW and NHWC.
#pragma once

#include "kernels/ocpa/box_sizes.h"
#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

DEVICE int box_begin(const BoxAxis& axis, int box) {
    return max(axis.first + box * axis.step, 0);
}

DEVICE int box_end(const BoxAxis& axis, int box) {
    return min(axis.first + box * axis.step + axis.size, axis.length);
}

/// Adds to 'total' the weights of the boxes of x, NCHW, that hold anything but zeros (a NaN is none). weights: of the
/// rows of boxes, then of the columns; a box has the product of its two. A thread for each box, columns of boxes
/// running fastest. Block: x a multiple of 32.
KERNEL count_boxes(BoxSizes boxes, Global<const float> x, Global<const int> weights, Global<unsigned long long> total) {
    const unsigned all_lanes = 0xffffffffu;
    const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const long long row = thread / boxes.w.count, map = row / boxes.h.count;
    const int iw = static_cast<int>(thread % boxes.w.count), ih = static_cast<int>(row % boxes.h.count);
    const int ic = static_cast<int>(map % boxes.c.count), in = static_cast<int>(map / boxes.c.count);
    int weight = 0;
    if (in < boxes.n.count) {
        const int h_begin = box_begin(boxes.h, ih), h_end = box_end(boxes.h, ih);
        const int w_begin = box_begin(boxes.w, iw), w_end = box_end(boxes.w, iw);
        bool alive = false;
        for (int n = box_begin(boxes.n, in); n < box_end(boxes.n, in) && !alive; ++n)
            for (int c = box_begin(boxes.c, ic); c < box_end(boxes.c, ic) && !alive; ++c)
                for (int h = h_begin; h < h_end && !alive; ++h) {
                    const long long line =
                        ((static_cast<long long>(n) * boxes.c.length + c) * boxes.h.length + h) * boxes.w.length;
                    for (int w = w_begin; w < w_end && !alive; ++w) {
                        const float value = x[line + w];
                        alive = value != 0.0f;
                    }
                }
        if (alive) {
            const int of_row = weights[ih], of_column = weights[boxes.h.count + iw];
            weight = of_row * of_column;
        }
    }
    for (int by = 16; by > 0; by /= 2) weight += __shfl_down_sync(all_lanes, weight, by);
    if (threadIdx.x % 32 == 0 && weight > 0) atomicAdd(total, static_cast<unsigned long long>(weight));
}

/// to[i][column][row] = from[i][row][column]: NCHW to NHWC where rows are channels and columns places of a map, and
/// back where they are places and channels. Tiles of 32 x 32 go through shared memory. Block: 32 x 8. Grid: x tiles of
/// columns, y tiles of rows, z images.
KERNEL turn_maps(int rows, int columns, Global<const float> from, Global<float> to) {
    constexpr int side = 32, pitch = side + 1;
    SHARED_ARRAY(float, tile, side* pitch);
    const long long image = static_cast<long long>(blockIdx.z) * rows * columns;
    const int first_row = blockIdx.y * side, first_column = blockIdx.x * side;
    for (int i = threadIdx.y; i < side; i += blockDim.y) {
        const int row = first_row + i, column = first_column + threadIdx.x;
        if (row < rows && column < columns) {
            const float value = from[image + static_cast<long long>(row) * columns + column];
            tile[i * pitch + threadIdx.x] = value;
        }
    }
    __syncthreads();
    for (int i = threadIdx.y; i < side; i += blockDim.y) {
        const int row = first_row + threadIdx.x, column = first_column + i;
        if (row < rows && column < columns) {
            const float value = tile[threadIdx.x * pitch + i];
            to[image + static_cast<long long>(column) * rows + row] = value;
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
