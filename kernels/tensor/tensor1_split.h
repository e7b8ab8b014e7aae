// Splits tensor1's input in shared memory: scales it, replaces FP32 in place by an FP16 high part and residual, and
// records which steps of 16 channels hold a non-zero. TMA or gather_windows() brings the input.
#pragma once

#include "kernels/hopper/split_halves.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/tensor/tensor1_fetch.h"

namespace convscope::CONVSCOPE_DIALECT {

constexpr int tensor1_chunks = tensor1_row_bytes / 16;  ///< of a row; chunk i of row j lies at i ^ j % 8

/// Waits for all threads that split.
DEVICE void splitters_barrier() {
    asm volatile("bar.sync 1, %0;" ::"n"(tensor1_splitters) : "memory");
}

/// Returns the largest magnitude in this thread's share of a box; NaNs do not count.
DEVICE float largest_magnitude(const float4* fours, int count, int thread) {
    float largest = 0.0f;
    _Pragma("unroll 4") for (int i = thread; i < count; i += tensor1_splitters) {
        const float4 four = fours[i];
        largest = fmaxf(fmaxf(fmaxf(largest, fabsf(four.x)), fmaxf(fabsf(four.y), fabsf(four.z))), fabsf(four.w));
    }
    return largest;
}
/// The same without infinities.
DEVICE float largest_finite_magnitude(const float4* fours, int count, int thread) {
    unsigned largest = 0;
    NO_UNROLL for (int i = thread; i < count; i += tensor1_splitters) {
        const float4 four = fours[i];
        largest = max(max(largest, hopper::finite_magnitude(four.x)), hopper::finite_magnitude(four.y));
        largest = max(max(largest, hopper::finite_magnitude(four.z)), hopper::finite_magnitude(four.w));
    }
    return __uint_as_float(largest);
}

/// Turns rows of 32 FP32 into 32 FP16 and, 64 bytes behind, their 32 residuals. Four threads share a row. Returns the
/// steps in which this thread met a non-zero.
DEVICE unsigned split_rows(uint4* chunks, int rows, float scale, int thread) {
    constexpr int at_once = tensor1_splitters / 4;
    unsigned marks = 0;
    const int quarter = thread % 4;
    _Pragma("unroll 2") for (int first = 0; first < rows; first += at_once) {
        const int row = first + thread / 4, turn = row % 8;
        uint4* chunk = chunks + row * tensor1_chunks;
        const bool here = row < rows;
        uint4 hi, lo;
        if (here) {
            const float4 a = reinterpret_cast<const float4*>(chunk)[(quarter * 2) ^ turn];
            const float4 b = reinterpret_cast<const float4*>(chunk)[(quarter * 2 + 1) ^ turn];
            const hopper::SplitPair pairs[4]{
                {a.x, a.y, scale}, {a.z, a.w, scale}, {b.x, b.y, scale}, {b.z, b.w, scale}};
            hi = make_uint4(pairs[0].hi, pairs[1].hi, pairs[2].hi, pairs[3].hi);
            lo = make_uint4(pairs[0].lo, pairs[1].lo, pairs[2].lo, pairs[3].lo);
            constexpr unsigned magnitudes = 0x7fff7fff;
            if (((hi.x | hi.y | hi.z | hi.w) & magnitudes) != 0) marks |= 1u << quarter / 2;
        }
        __syncwarp();  // all four threads of a row have read
        if (here) {
            // Odd rows begin with the other half, so that the rows of a store meet different banks.
            const bool odd = row % 2;
            chunk[(quarter + (odd ? 4 : 0)) ^ turn] = odd ? lo : hi;
            chunk[(quarter + (odd ? 0 : 4)) ^ turn] = odd ? hi : lo;
        }
    }
    return marks;
}

/// Gathers elements 32 slice .. 32 slice + 31, in the order (kh, kw, channel), of the windows of a tile whose first is
/// at (p, q): a row for each window. A lane has the same element of every third window.
DEVICE void gather_windows(const KernelShape& shape, const float* x, int image, int p, int q, int slice, float* values,
                           int thread) {
    const int lane = thread % 32, element = slice * tensor1_slice + lane, of_row = shape.s * shape.c;
    const int down = element / of_row, right = element % of_row / shape.c;
    const bool exists = down < shape.r;
    const float* from = x + static_cast<long long>(image) * shape.h * shape.w * shape.c + element % shape.c;
    _Pragma("unroll 4") for (int window = thread / 32; window < tensor1_windows; window += tensor1_splitting_warps) {
        const int row = (p + window / tensor1_side) * shape.stride_h - shape.pad_h + down;
        const int column = (q + window % tensor1_side) * shape.stride_w - shape.pad_w + right;
        const bool inside = exists && row >= 0 && row < shape.h && column >= 0 && column < shape.w;
        values[window * tensor1_slice + (lane / 4 ^ window % 8) * 4 + lane % 4] =
            inside ? from[(static_cast<long long>(row) * shape.w + column) * shape.c] : 0.0f;
    }
}

/// Chooses the scale of a full box, the same in all splitting threads: by its largest finite value, or the previous
/// box's scale ('exponent') where the values are only a little smaller, since the sums then need no rescaling.
template <int Filters>
DEVICE hopper::Scale scale_of_box(const float4* values, int fours, int thread, int stage,
                                  const Tensor1Memory<Filters>& memory, int& exponent) {
    const auto share = [&](float largest) {  // of this thread, for that of all
        const unsigned of_warp = __reduce_max_sync(0xffffffffu, __float_as_uint(largest));
        if (thread % 32 == 0) memory.largest[stage * tensor1_splitting_warps + thread / 32] = of_warp;
        splitters_barrier();
        return memory.largest_of(stage);
    };
    unsigned largest = share(largest_magnitude(values, fours, thread));
    constexpr unsigned infinity = 0x7f800000;
    if (largest == infinity) {
        splitters_barrier();  // all have read
        largest = share(largest_finite_magnitude(values, fours, thread));
    }
    constexpr int slack = 6;
    const int needed = static_cast<int>(largest >> 23);
    if (needed > exponent || (needed < exponent - slack && needed > 0)) exponent = needed;
    return hopper::Scale(exponent);
}

/// Fetches or gathers the input phase by phase, slice by slice, item by item, and splits it. Three warps call this.
template <int Filters, bool gathers>
DEVICE void fetch_and_split(const KernelShape& shape, const Tensor1Tiling& tiling, const CUtensorMap& map,
                            const float* x, const Tensor1Memory<Filters>& memory) {
    const int thread = threadIdx.x - 32, rows = tiling.box_rows * tiling.box_columns;
    hopper::RingPosition at;
    int exponent = 0;  // of the present scale
    for (int item = first_item(); item < tiling.items; item += items_at_once()) {
        const Tensor1Place place(tiling, item);
        for (int slice = place.first_slice; slice < place.last_slice; ++slice) {
            for_phases(tiling, [&](int phase_row, int phase_column, int, int) {
                float4* values = reinterpret_cast<float4*>(memory.input(at.stage, tiling));
                if constexpr (gathers) {
                    memory.input_free[at.stage].wait(at.parity ^ 1);
                    gather_windows(shape, x, place.image, place.row, place.column, slice,
                                   reinterpret_cast<float*>(values), thread);
                    splitters_barrier();
                } else {
                    if (thread == 0) fetch_box(shape, tiling, map, place, slice, phase_row, phase_column, at, memory);
                    memory.input_there[at.stage].wait(at.parity);
                }
                const hopper::Scale scale =
                    scale_of_box(values, rows * tensor1_chunks, thread, at.stage, memory, exponent);
                const unsigned marks = __reduce_or_sync(
                    0xffffffffu, split_rows(reinterpret_cast<uint4*>(values), rows, scale.scale, thread));
                hopper::fence_proxy_async();
                __syncwarp();
                if (thread % 32 == 0) {
                    memory.marks[at.stage * tensor1_splitting_warps + thread / 32] = marks;
                    if (thread == 0) memory.inverse_scale[at.stage] = scale.inverse_scale;
                    memory.input_split[at.stage].arrive();
                }
                at.advance(tensor1_inputs);
            });
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
