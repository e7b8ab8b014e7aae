// ecr6's input on its last step: the rest that TF32 does not hold, and a note of which steps of 8 channels hold
// anything but zeros. Boxes are split where the copy engine left them; windows are gathered and split in one go.
#pragma once

#include "kernels/ecr/ecr6_memory.h"
#include "kernels/hopper/bulk_copy.h"
#include "kernels/hopper/rounding.h"
#include "kernels/simt/kernel_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

constexpr int ecr6_chunks = ecr6_slice / 4;  ///< of 16 bytes, in a pixel's row; chunk i of pixel j lies at i ^ j % 8

/// The bits of four values, but for their signs: 0 where all of them are zeros.
DEVICE unsigned bits_of(const float4& four) {
    return (__float_as_uint(four.x) | __float_as_uint(four.y) | __float_as_uint(four.z) | __float_as_uint(four.w)) << 1;
}

/// A box that has arrived: 'coarse' stays as it is, since the tensor cores cut it; 'rest' takes what they cut. Returns
/// the steps of 8 channels in which this thread met a non-zero.
DEVICE unsigned split_box(const float4* coarse, float4* rest, int fours, int thread) {
    constexpr int loads = 4;  // on their way together
    unsigned bits = 0;
    int i = thread;
    NO_UNROLL for (; i + (loads - 1) * ecr6_splitters < fours; i += loads * ecr6_splitters) {
        float4 loaded[loads];
        UNROLL for (int load = 0; load < loads; ++load) loaded[load] = coarse[i + load * ecr6_splitters];
        UNROLL for (int load = 0; load < loads; ++load) {
            rest[i + load * ecr6_splitters] = hopper::rest_beyond_tf32(loaded[load]);
            bits |= bits_of(loaded[load]);
        }
    }
    NO_UNROLL for (; i < fours; i += ecr6_splitters) {
        rest[i] = hopper::rest_beyond_tf32(coarse[i]);
        bits |= bits_of(coarse[i]);
    }
    // The threads are a multiple of 8 x 8: one of them meets the same chunk of every pixel.
    static_assert(ecr6_splitters % (ecr6_chunks * ecr6_chunks) == 0);
    return bits != 0 ? 1u << (thread ^ thread / ecr6_chunks) % ecr6_chunks / 2 : 0;
}

/// Elements 32 slice .. 32 slice + 31, in the order (kh, kw, channel), of the windows of a tile whose first is at (p,
/// q): a pixel's row for each window. As split_box(). A thread has the same four elements of every eighth window.
DEVICE unsigned gather_windows(const KernelShape& shape, const float* x, int image, int p, int q, int windows,
                               int slice, float4* coarse, float4* rest, int thread) {
    constexpr int at_once = ecr6_splitters / ecr6_chunks, loads = 2;  // windows; on their way together
    const int chunk = thread % ecr6_chunks, of_row = shape.s * shape.c;
    int down[4], right[4], from[4];  // from the window's corner
    UNROLL
    for (int j = 0; j < 4; ++j) {
        const int element = slice * ecr6_slice + chunk * 4 + j;
        down[j] = element / of_row;
        right[j] = element % of_row / shape.c;
        from[j] = (down[j] * shape.w + right[j]) * shape.c + element % shape.c;
        if (down[j] >= shape.r) down[j] = shape.h + shape.pad_h;  // beyond the window: never inside
    }
    unsigned bits = 0;
    NO_UNROLL for (int start = thread / ecr6_chunks; start < windows; start += loads * at_once) {
        float loaded[loads][4];
        UNROLL for (int load = 0; load < loads; ++load) {
            const int window = start + load * at_once;
            const int row = (p + window / ecr6_columns) * shape.stride_h - shape.pad_h;
            const int column = (q + window % ecr6_columns) * shape.stride_w - shape.pad_w;
            const float* corner = x + ((static_cast<long long>(image) * shape.h + row) * shape.w + column) * shape.c;
            UNROLL for (int j = 0; j < 4; ++j) {
                const int y = row + down[j], z = column + right[j];
                const bool inside = y >= 0 && y < shape.h && z >= 0 && z < shape.w && window < windows;
                loaded[load][j] = inside ? corner[from[j]] : 0.0f;
            }
        }
        UNROLL for (int load = 0; load < loads; ++load) {
            const int window = start + load * at_once, i = window * ecr6_chunks + (chunk ^ window % 8);
            if (window >= windows) continue;
            const float4 four = make_float4(loaded[load][0], loaded[load][1], loaded[load][2], loaded[load][3]);
            coarse[i] = four;
            rest[i] = hopper::rest_beyond_tf32(four);
            bits |= bits_of(four);
        }
    }
    return bits != 0 ? 1u << chunk / 2 : 0;
}

/// A warpgroup: splits each box when it has arrived, or gathers it when there is room.
template <int Filters, int Groups>
DEVICE void split_ecr6_input(const KernelShape& shape, const Ecr6Tiling& tiling, const float* x,
                             const Ecr6Memory<Filters>& memory) {
    const int thread = threadIdx.x % 128, pixels = tiling.box_rows * tiling.box_columns;
    hopper::RingPosition at;
    for (int item = blockIdx.x; item < tiling.items; item += gridDim.x) {
        const Ecr6Place<Groups> place(tiling, item);
        for (int slice = place.first_slice; slice < place.last_slice; ++slice) {
            for_phases(tiling, [&](int, int, int, int) {
                float4* coarse = reinterpret_cast<float4*>(memory.input(at.stage, tiling));
                float4* rest = coarse + tiling.input_bytes / sizeof(float4);
                unsigned marks;
                if (tiling.gathers) {
                    memory.input_free[at.stage].wait(at.parity ^ 1);
                    marks = gather_windows(shape, x, place.image, place.row, place.column, pixels, slice, coarse, rest,
                                           thread);
                } else {
                    memory.input_there[at.stage].wait(at.parity);
                    marks = split_box(coarse, rest, pixels * ecr6_chunks, thread);
                }
                marks = __reduce_or_sync(0xffffffffu, marks);
                hopper::publish_shared_stores();
                __syncwarp();
                if (thread % 32 == 0) {
                    // The marks before these have been read where the box before this one is free.
                    memory.input_free[at.stage].wait(at.parity ^ 1);
                    memory.marks[at.stage * ecr6_splitting_warps + thread / 32] = marks;
                    memory.input_split[at.stage].arrive();
                }
                at.advance(tiling.inputs);
            });
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
