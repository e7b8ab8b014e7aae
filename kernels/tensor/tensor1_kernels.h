// tensor1: dense convolution on Hopper's tensor cores, FP32 emulated by three FP16 products. CUDA-only (compute
// capability 9.0): wgmma, clusters and TMA have no meaning for single threads.
//
// It began as ECR by tiles. ECR keeps a window's non-zeros and multiplies nothing else, so that each weight that is
// loaded meets one input (docs/kernels/ecr4.md: that is the limit of ecr4). Here 8 x 8 windows stay together and each
// weight meets 64 inputs. Skipping is left only for a step of 16 channels in which all of a tile's inputs are zero.
// Single zeros never give that, so the time does not fall with the zeros.
//
// FP32 from FP16: a value is split into an FP16 high part and residual, both scaled (kernels/hopper/split_halves.h):
// a b = A B + A b' + a' B. The fourth product, a' b', is about FP32's own rounding error and left out. Accumulation in
// the tensor cores truncates, so their sums are promoted to FP32 totals every few taps ('promotion_interval').
//
// A work item is a tile of windows, Filters filters and a part of the channels. Without split-K a block is persistent
// and takes item after item; with it, the blocks of a cluster share a tile's channels and take one item each. As in
// fused6, 32 channels of the tile's input lie in shared memory once for all taps, and a tap's operand begins elsewhere
// in the same array. One thread fetches weights, three warps fetch and split input, a warpgroup multiplies. NHWC.
//
// In the order in which it runs: shared memory, weights, fetching, products, results.
#pragma once

#include "kernels/hopper/bulk_copy.h"
#include "kernels/hopper/matrix_product.h"
#include "kernels/hopper/mbarrier.h"
#include "kernels/hopper/quotient.h"
#include "kernels/hopper/split_halves.h"
#include "kernels/layers/pooling.h"
#include "kernels/simt/cluster.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/tensor/tensor1_tile.h"

namespace convscope::CONVSCOPE_DIALECT {

// Lays out the shared memory of a tensor1 block and orders its work items.

/// A block's shared memory: inputs[2][input_bytes], weights[stages][Filters][128 bytes],
/// filter_inverse_scale[4 warps][Filters], mbarriers, and inverse_scale, largest and marks of the inputs.
/// The sums that a cluster adds up reuse the memory of the weights.
template <int Filters>
struct Tensor1Memory {
    static constexpr int stage_bytes = Filters * tensor1_row_bytes;
    unsigned char *inputs, *weights;
    /// One mbarrier per input buffer for each state: full, split, empty; per weight stage: full, empty.
    hopper::Mbarrier *input_there, *input_split, *input_free, *weights_there, *weights_free;
    float* filter_inverse_scale;  ///< [multiplying warp][Filters]: factors of the filters' sums
    float* inverse_scale;         ///< [2]: factors of the inputs' sums
    unsigned* largest;            ///< [2][splitting warp]: bits of the largest magnitude that the warp saw
    unsigned* marks;              ///< [2][splitting warp]: bit i: the warp saw a non-zero among the channels of step i

    DEVICE Tensor1Memory(unsigned char* start, const Tensor1Tiling& tiling) {
        inputs = start + (-hopper::shared_address(start) & (tensor1_alignment - 1));
        weights = inputs + tensor1_inputs * tiling.input_bytes;
        filter_inverse_scale = reinterpret_cast<float*>(weights + tiling.stages * stage_bytes);
        input_there =
            reinterpret_cast<hopper::Mbarrier*>(filter_inverse_scale + tensor1_multiplying_threads / 32 * Filters);
        input_split = input_there + tensor1_inputs;
        input_free = input_split + tensor1_inputs;
        weights_there = input_free + tensor1_inputs;
        weights_free = weights_there + tiling.stages;
        inverse_scale = reinterpret_cast<float*>(weights_free + tiling.stages);
        largest = reinterpret_cast<unsigned*>(inverse_scale + tensor1_inputs);
        marks = largest + tensor1_inputs * tensor1_splitting_warps;
    }
    DEVICE void init_mbarriers(const Tensor1Tiling& tiling) const {
        constexpr int multiplying_warps = tensor1_multiplying_threads / 32;
        for (int i = 0; i < tensor1_inputs; ++i) {
            input_there[i].init(1);
            input_split[i].init(tensor1_splitting_warps);
            input_free[i].init(multiplying_warps);
        }
        for (int i = 0; i < tiling.stages; ++i) {
            weights_there[i].init(1);
            weights_free[i].init(multiplying_warps);
        }
        hopper::fence_mbarrier_init();
    }
    DEVICE unsigned char* input(int stage, const Tensor1Tiling& tiling) const {
        return inputs + stage * tiling.input_bytes;
    }
    DEVICE unsigned marked(int stage) const {
        const unsigned* of_warp = marks + stage * tensor1_splitting_warps;
        return of_warp[0] | of_warp[1] | of_warp[2];
    }
    DEVICE unsigned largest_of(int stage) const {
        const unsigned* of_warp = largest + stage * tensor1_splitting_warps;
        return max(max(of_warp[0], of_warp[1]), of_warp[2]);
    }
};

/// Replaces 'dividend' by the quotient and returns the remainder.
DEVICE int remainder(unsigned& dividend, const Divisor& divisor) {
    const unsigned quotient = hopper::quotient(dividend, divisor);
    const unsigned left = dividend - quotient * divisor.by;
    dividend = quotient;
    return static_cast<int>(left);
}

/// Decodes a work item. The part varies fastest, so that the parts of a tile are a cluster's blocks; then the filter
/// group, so that neighbouring items share their input.
struct Tensor1Place {
    int image, row, column, group, part, first_k_tile, last_k_tile;
    DEVICE Tensor1Place(const Tensor1Tiling& tiling, int item) {
        unsigned left = item;
        part = remainder(left, tiling.by_split_k);
        group = remainder(left, tiling.by_filter_groups);
        column = remainder(left, tiling.by_tiles_across) * tensor1_side;
        row = remainder(left, tiling.by_tiles_down) * tensor1_side;
        image = left;
        first_k_tile = part * tiling.k_tiles_of_part;
        last_k_tile = min(first_k_tile + tiling.k_tiles_of_part, tiling.k_tiles);
    }
};

/// The items of a block: all of a grid's z belong to one tile, as the blocks of its cluster.
DEVICE int first_item() {
    return static_cast<int>(blockIdx.x * gridDim.z + blockIdx.z);
}
DEVICE int items_at_once() {
    return static_cast<int>(gridDim.x * gridDim.z);
}

/// Calls 'box' for each phase of the strides that any tap reads, with its first row and column and its taps down and
/// across: with a stride of 2 the taps of even rows read other pixels than those of odd rows, and each of the up to
/// four phases reads a box of its own.
template <class Box>
DEVICE void for_phases(const Tensor1Tiling& tiling, Box box) {
    for (int row = 0; row < min(tiling.step_h, tiling.taps_h); ++row)
        for (int column = 0; column < min(tiling.step_w, tiling.taps_w); ++column)
            box(row, column, (tiling.taps_h - row + tiling.step_h - 1) / tiling.step_h,
                (tiling.taps_w - column + tiling.step_w - 1) / tiling.step_w);
}

// Prepares tensor1's weights for its bulk copies. A framework does this once per layer.

/// The offset in a filter's weights, [c][r][s], of an element of the tiles' order: 'tap' in the order in which the
/// phases take them; or -1 beyond them. Where the tiling gathers, the channel counts a window's elements, (kh, kw, c).
DEVICE int weight_offset(const KernelShape& shape, const Tensor1Tiling& tiling, int channel, int tap) {
    if (tiling.gathers) {
        if (channel >= shape.c * shape.r * shape.s) return -1;
        return channel % shape.c * shape.r * shape.s + channel / shape.c;
    }
    if (channel >= shape.c) return -1;
    for (int row = 0; row < min(tiling.step_h, tiling.taps_h); ++row) {
        for (int column = 0; column < min(tiling.step_w, tiling.taps_w); ++column) {
            const int down = (tiling.taps_h - row + tiling.step_h - 1) / tiling.step_h;
            const int across = (tiling.taps_w - column + tiling.step_w - 1) / tiling.step_w;
            if (tap < down * across)
                return (channel * shape.r + row + tap / across * tiling.step_h) * shape.s + column +
                       tap % across * tiling.step_w;
            tap -= down * across;
        }
    }
    return -1;
}

/// prepared, [K tile][tap][leading][32 FP16, 32 residuals], from w: scaled and split, zeros beyond k and c; the 16
/// bytes i of filter f lie at i ^ f % 8, as shared memory needs them. One thread per weight.
KERNEL tensor1_weights(KernelShape shape, Tensor1Tiling tiling, const float* w, const float* inverse_scale,
                       unsigned short* prepared) {
    const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int taps = tiling.taps_h * tiling.taps_w;
    const int within = static_cast<int>(thread % tensor1_tile_k);
    const int filter = static_cast<int>(thread / tensor1_tile_k % tiling.leading);
    const long long plane = thread / tensor1_tile_k / tiling.leading;  // of a K tile and a tap
    if (plane >= static_cast<long long>(tiling.k_tiles) * taps) return;
    const int channel = static_cast<int>(plane / taps) * tensor1_tile_k + within;
    const int offset = weight_offset(shape, tiling, channel, static_cast<int>(plane % taps));
    float value = 0.0f, scale = 1.0f;
    if (filter < shape.k && offset >= 0) {
        value = w[static_cast<long long>(filter) * shape.c * shape.r * shape.s + offset];
        scale = 1.0f / inverse_scale[filter];
    }
    const hopper::SplitPair split(value, 0.0f, scale);
    constexpr int halves = tensor1_row_bytes / 2, of_chunk = 8, residuals = 4;  // chunks before the residuals
    unsigned short* row = prepared + (plane * tiling.leading + filter) * halves;
    const int chunk = within / of_chunk, turn = filter % 8, place = within % of_chunk;
    row[(chunk ^ turn) * of_chunk + place] = static_cast<unsigned short>(split.hi);
    row[((chunk + residuals) ^ turn) * of_chunk + place] = static_cast<unsigned short>(split.lo);
}

// Fetches the operands of tensor1's tiles into shared memory by TMA: weights by bulk copies, since they were split once
// per layer; input by boxes, which are split after they have arrived.

/// Copies the weights tap by tap, K tile by K tile, item by item. One thread calls this.
template <int Filters>
DEVICE void fetch_weights(const Tensor1Tiling& tiling, const unsigned char* weights,
                          const Tensor1Memory<Filters>& memory) {
    constexpr int bytes = Tensor1Memory<Filters>::stage_bytes;
    const int taps = tiling.taps_h * tiling.taps_w;
    const long long plane = static_cast<long long>(tiling.leading) * tensor1_row_bytes;  // of a tap
    hopper::RingPosition at;
    for (int item = first_item(); item < tiling.items; item += items_at_once()) {
        const Tensor1Place place(tiling, item);
        const unsigned char* from = weights + place.first_k_tile * taps * plane + place.group * bytes;
        const int count = (place.last_k_tile - place.first_k_tile) * taps;
        for (int i = 0; i < count; ++i, at.advance(tiling.stages), from += plane) {
            hopper::Mbarrier& there = memory.weights_there[at.stage];
            memory.weights_free[at.stage].wait(at.parity ^ 1);
            there.arrive_expect_tx(bytes);
            hopper::copy_bulk(memory.weights + at.stage * bytes, from, bytes, there);
        }
    }
}

/// Waits for a free input buffer and copies a box of input to it. One thread calls this.
template <int Filters>
DEVICE void fetch_box(const KernelShape& shape, const Tensor1Tiling& tiling, const CUtensorMap& map,
                      const Tensor1Place& place, int k_tile, int phase_row, int phase_column,
                      const hopper::RingPosition& at, const Tensor1Memory<Filters>& memory) {
    hopper::Mbarrier& there = memory.input_there[at.stage];
    memory.input_free[at.stage].wait(at.parity ^ 1);
    there.arrive_expect_tx(tiling.box_rows * tiling.box_columns * tensor1_row_bytes);
    hopper::copy_box(memory.input(at.stage, tiling), map, k_tile * tensor1_tile_k,
                     place.column * shape.stride_w - shape.pad_w + phase_column,
                     place.row * shape.stride_h - shape.pad_h + phase_row, place.image, there);
}

// Splits tensor1's input in shared memory: scales it, replaces FP32 in place by an FP16 high part and residual, and
// records which steps of 16 channels hold a non-zero. TMA or gather_windows() brings the input.

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

/// Gathers elements 32 k_tile .. 32 k_tile + 31, in the order (kh, kw, channel), of the windows of a tile whose first
/// is at (p, q): a row for each window. A lane has the same element of every third window.
DEVICE void gather_windows(const KernelShape& shape, const float* x, int image, int p, int q, int k_tile, float* values,
                           int thread) {
    const int lane = thread % 32, element = k_tile * tensor1_tile_k + lane, of_row = shape.s * shape.c;
    const int down = element / of_row, right = element % of_row / shape.c;
    const bool exists = down < shape.r;
    const float* from = x + static_cast<long long>(image) * shape.h * shape.w * shape.c + element % shape.c;
    _Pragma("unroll 4") for (int window = thread / 32; window < tensor1_windows; window += tensor1_splitting_warps) {
        const int row = (p + window / tensor1_side) * shape.stride_h - shape.pad_h + down;
        const int column = (q + window % tensor1_side) * shape.stride_w - shape.pad_w + right;
        const bool inside = exists && row >= 0 && row < shape.h && column >= 0 && column < shape.w;
        values[window * tensor1_tile_k + (lane / 4 ^ window % 8) * 4 + lane % 4] =
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

/// Fetches or gathers the input phase by phase, K tile by K tile, item by item, and splits it. Three warps call this.
template <int Filters, bool gathers>
DEVICE void fetch_and_split(const KernelShape& shape, const Tensor1Tiling& tiling, const CUtensorMap& map,
                            const float* x, const Tensor1Memory<Filters>& memory) {
    const int thread = threadIdx.x - 32, rows = tiling.box_rows * tiling.box_columns;
    hopper::RingPosition at;
    int exponent = 0;  // of the present scale
    for (int item = first_item(); item < tiling.items; item += items_at_once()) {
        const Tensor1Place place(tiling, item);
        for (int k_tile = place.first_k_tile; k_tile < place.last_k_tile; ++k_tile) {
            for_phases(tiling, [&](int phase_row, int phase_column, int, int) {
                float4* values = reinterpret_cast<float4*>(memory.input(at.stage, tiling));
                if constexpr (gathers) {
                    memory.input_free[at.stage].wait(at.parity ^ 1);
                    gather_windows(shape, x, place.image, place.row, place.column, k_tile,
                                   reinterpret_cast<float*>(values), thread);
                    splitters_barrier();
                } else {
                    if (thread == 0) fetch_box(shape, tiling, map, place, k_tile, phase_row, phase_column, at, memory);
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

// Split-K reduction of tensor1: the blocks of a cluster share a tile's channels and add up their sums through
// distributed shared memory. The sums never go to global memory, and no second kernel waits for the first.

/// Stores four neighbouring filters of an output, of which 'left' exist.
DEVICE void store_four(float* to, const float4& four, int left, bool fours) {
    if (fours) {
        *reinterpret_cast<float4*>(to) = four;
    } else {
        to[0] = four.x;
        if (left > 1) to[1] = four.y;
        if (left > 2) to[2] = four.z;
        if (left > 3) to[3] = four.w;
    }
}

/// Applies ReLU and returns the maximum of a 2x2 square of windows, which four neighbouring lanes hold.
DEVICE float largest_of_square(float value) {
    value = max_or_nan(0.0f, value);
    value = max_or_nan(value, __shfl_xor_sync(0xffffffffu, value, 1));
    return max_or_nan(value, __shfl_xor_sync(0xffffffffu, value, 2));
}

/// The multiplying warpgroup calls this when nothing in the block reads or copies to 'sums' any more. Each block writes
/// its sums of the tile, [window][filter], to its own 'sums'. Then the blocks share the windows: each thread adds four
/// filters of one window at a time, with the four windows of a square in neighbouring threads. The order of the
/// additions is fixed, so results are deterministic.
template <int Filters>
DEVICE void add_in_cluster(const KernelShape& shape, const Tensor1Tiling& tiling, const float (&own)[Filters / 2],
                           const Tensor1Place& place, float* sums, float* y) {
    constexpr int pitch = tensor1_sums_pitch(Filters), fours = Filters / 4, units = tensor1_windows * fours;
    const int thread = threadIdx.x - tensor1_fetching_threads, lane = thread % 32, first_row = thread / 32 * 2;
    UNROLL
    for (int below = 0; below < 2; ++below) {
        float* to = sums + ((first_row + below) * tensor1_side + lane / 4) * pitch + lane % 4 * 2;
        UNROLL
        for (int eight = 0; eight < Filters / 8; ++eight)
            *reinterpret_cast<float2*>(to + eight * 8) =
                make_float2(own[eight * 4 + below * 2], own[eight * 4 + below * 2 + 1]);
    }
    wait_for_cluster();
    for (int first = place.part * tensor1_multiplying_threads; first < units;
         first += tiling.split_k * tensor1_multiplying_threads) {
        const int unit = first + thread, corner = unit % 4, four = unit / 4 % fours, square = unit / 4 / fours;
        const int row = square / 4 * 2 + corner / 2, column = square % 4 * 2 + corner % 2;
        const int mine = (row * tensor1_side + column) * pitch + four * 4;
        float4 parts[tensor1_max_split_k];  // all in flight together
        UNROLL
        for (int part = 0; part < tensor1_max_split_k; ++part)
            if (part < tiling.split_k) parts[part] = from_cluster(sums, mine, part);
        float4 sum = parts[0];
        UNROLL
        for (int part = 1; part < tensor1_max_split_k; ++part) {
            if (part >= tiling.split_k) continue;
            sum.x += parts[part].x;
            sum.y += parts[part].y;
            sum.z += parts[part].z;
            sum.w += parts[part].w;
        }
        const int filter = place.group * Filters + four * 4, left = shape.k - filter;
        const int p = place.row + row, q = place.column + column;
        bool inside = left > 0;
        long long output;
        if (tiling.pool) {
            sum = make_float4(largest_of_square(sum.x), largest_of_square(sum.y), largest_of_square(sum.z),
                              largest_of_square(sum.w));
            inside = inside && corner == 0 && p / 2 < shape.out_h && q / 2 < shape.out_w;
            output = (static_cast<long long>(place.image) * shape.out_h + p / 2) * shape.out_w + q / 2;
        } else {
            inside = inside && p < shape.p && q < shape.q;
            output = (static_cast<long long>(place.image) * shape.p + p) * shape.q + q;
        }
        if (inside) store_four(y + output * shape.k + filter, sum, left, shape.k % 4 == 0);
    }
    wait_for_cluster();  // a block must not end while others read its sums
}

// Stores tensor1's results. A warp holds the sums of two rows of 8 windows: lane l has column l / 4, and in every
// 8 filters 2 (l % 4) and the next.

/// Stores two neighbouring filters of an output, of which 'left' exist. even: the number of filters is even.
DEVICE void store_pair(float* to, float first, float second, int left, bool even) {
    if (even) {
        if (left > 0) *reinterpret_cast<float2*>(to) = make_float2(first, second);
    } else {
        if (left > 0) to[0] = first;
        if (left > 1) to[1] = second;
    }
}

/// Stores to y, [n][p][q][k]. row: the warp's first row of windows, in the layer.
template <int Filters>
DEVICE void store_windows(const KernelShape& shape, const float (&sum)[Filters / 2], const Tensor1Place& place, int row,
                          float* y) {
    const int lane = threadIdx.x % 32, q = place.column + lane / 4, filter = place.group * Filters + lane % 4 * 2;
    if (q >= shape.q) return;
    UNROLL
    for (int below = 0; below < 2; ++below) {
        if (row + below >= shape.p) continue;
        float* to =
            y + ((static_cast<long long>(place.image) * shape.p + row + below) * shape.q + q) * shape.k + filter;
        UNROLL
        for (int eight = 0; eight < Filters / 8; ++eight)
            store_pair(to + eight * 8, sum[eight * 4 + below * 2], sum[eight * 4 + below * 2 + 1],
                       shape.k - filter - eight * 8, shape.k % 2 == 0);
    }
}

/// Applies ReLU and 2x2 max-pooling and stores to y, [n][p / 2][q / 2][k]. Two lanes hold a square's columns; each
/// stores every other eight filters.
template <int Filters>
DEVICE void store_squares(const KernelShape& shape, const float (&sum)[Filters / 2], const Tensor1Place& place, int row,
                          float* y) {
    const int lane = threadIdx.x % 32, odd = lane / 4 % 2, filter = place.group * Filters + odd * 8 + lane % 4 * 2;
    const int out_row = row / 2, out_column = (place.column + lane / 4) / 2;
    const bool inside = out_row < shape.out_h && out_column < shape.out_w;
    float* to = y +
                ((static_cast<long long>(place.image) * shape.out_h + out_row) * shape.out_w + out_column) * shape.k +
                filter;
    UNROLL
    for (int eight = 0; eight < Filters / 8; eight += 2) {
        float largest[4];
        UNROLL
        for (int i = 0; i < 4; ++i) {
            const int j = (eight + i / 2) * 4 + i % 2;
            const float own = max_or_nan(max_or_nan(0.0f, sum[j]), sum[j + 2]);
            largest[i] = max_or_nan(own, __shfl_xor_sync(0xffffffffu, own, 4));
        }
        if (inside)
            store_pair(to + eight * 8, odd ? largest[2] : largest[0], odd ? largest[3] : largest[1],
                       shape.k - filter - eight * 8, shape.k % 2 == 0);
    }
}

constexpr int tensor1_unit = 16;  ///< bytes: the unit of a descriptor's address

/// Issues the products of one step of 16 channels, the small ones first. The residuals lie 64 bytes behind.
template <int Filters>
DEVICE void multiply_step(float (&sum)[Filters / 2], std::uint64_t a, std::uint64_t b) {
    constexpr int residuals = 64 / tensor1_unit;
    hopper::multiply_halves<Filters>(sum, a + residuals, b);
    hopper::multiply_halves<Filters>(sum, a, b + residuals);
    hopper::multiply_halves<Filters>(sum, a, b);
}

/// Issues a tap's products as one group, for the steps whose bit is set in 'marks'.
template <int Filters>
DEVICE void multiply_tap(float (&sum)[Filters / 2], std::uint64_t a, std::uint64_t b, unsigned marks) {
    constexpr int step = 32 / tensor1_unit;
    constexpr unsigned both = 3;
    hopper::warpgroup_arrive();
    if (marks == both) {
        multiply_step<Filters>(sum, a, b);
        multiply_step<Filters>(sum, a + step, b + step);
        hopper::warpgroup_commit();
    } else {
        const int at = static_cast<int>(marks >> 1) * step;
        if (marks != 0) multiply_step<Filters>(sum, a + at, b + at);
        hopper::warpgroup_commit();
    }
}

/// The consumer: the warpgroup that multiplies.
template <int Filters>
DEVICE void multiply_tensor1(const KernelShape& shape, const Tensor1Tiling& tiling,
                             const Tensor1Memory<Filters>& memory, const float* filter_inverse_scale, float* y) {
    constexpr int row_units = tensor1_row_bytes / tensor1_unit;
    const int lane = threadIdx.x % 32, warp = (threadIdx.x - tensor1_fetching_threads) / 32;
    // The descriptors are made once and incremented: the compiler then keeps them in the registers that the tensor
    // cores read.
    const std::uint64_t inputs =
        hopper::make_descriptor(hopper::shared_address(memory.inputs), tiling.box_columns * tensor1_row_bytes);
    const std::uint64_t weights =
        hopper::make_descriptor(hopper::shared_address(memory.weights), 8 * tensor1_row_bytes);
    float* scales = memory.filter_inverse_scale + warp * Filters;
    hopper::RingPosition input, stage;
    float total[Filters / 2], sum[Filters / 2] = {};
    hopper::Mbarrier *done_weights = nullptr, *done_input = nullptr;  // read by the products in flight
    int unpromoted = 0;
    float inverse_scale = 1.0f;
    const auto release = [&] {
        if (lane == 0 && done_weights) done_weights->arrive();
        if (lane == 0 && done_input) done_input->arrive();
        done_weights = done_input = nullptr;
    };
    const auto promote = [&] {
        hopper::warpgroup_wait<0>();
        release();
        UNROLL
        for (int i = 0; i < Filters / 2; ++i) {
            total[i] = fmaf(sum[i], inverse_scale, total[i]);
            sum[i] = 0.0f;
        }
        unpromoted = 0;
    };
    for (int item = first_item(); item < tiling.items; item += items_at_once()) {
        const Tensor1Place place(tiling, item);
        __syncwarp();
        for (int i = lane; i < Filters; i += 32) scales[i] = filter_inverse_scale[place.group * Filters + i];
        UNROLL
        for (float& each : total) each = 0.0f;
        for (int k_tile = place.first_k_tile; k_tile < place.last_k_tile; ++k_tile) {
            for_phases(tiling, [&](int, int, int taps_down, int taps_across) {
                memory.input_split[input.stage].wait(input.parity);
                const float next_inverse_scale = memory.inverse_scale[input.stage];
                const unsigned marks = __shfl_sync(0xffffffffu, memory.marked(input.stage), 0);  // one for all lanes
                if (next_inverse_scale != inverse_scale && unpromoted > 0) promote();
                inverse_scale = next_inverse_scale;
                std::uint64_t a = inputs + input.stage * (tiling.input_bytes / tensor1_unit);
                for (int down = 0; down < taps_down; ++down, a += (tiling.box_columns - taps_across) * row_units) {
                    for (int across = 0; across < taps_across; ++across, a += row_units, stage.advance(tiling.stages)) {
                        memory.weights_there[stage.stage].wait(stage.parity);
                        multiply_tap<Filters>(
                            sum, a, weights + stage.stage * (Tensor1Memory<Filters>::stage_bytes / tensor1_unit),
                            marks);
                        hopper::warpgroup_wait<1>();  // those of the tap before
                        release();
                        done_weights = &memory.weights_free[stage.stage];
                        if (++unpromoted == tiling.promotion_interval) promote();
                    }
                }
                // Once the products have ended, the input is free as well.
                done_input = &memory.input_free[input.stage];
                if (unpromoted == 0) release();
                input.advance(tensor1_inputs);
            });
        }
        promote();
        __syncwarp();
        UNROLL
        for (int i = 0; i < Filters / 2; ++i) total[i] *= scales[i / 4 * 8 + lane % 4 * 2 + i % 2];
        if (tiling.split_k > 1) {
            asm volatile("bar.sync 2, %0;" ::"n"(tensor1_multiplying_threads)
                         : "memory");  // nobody multiplies any more
            add_in_cluster<Filters>(shape, tiling, total, place, reinterpret_cast<float*>(memory.weights), y);
        } else if (tiling.pool) {
            store_squares<Filters>(shape, total, place, place.row + warp * 2, y);
        } else {
            store_windows<Filters>(shape, total, place, place.row + warp * 2, y);
        }
    }
}

/// Grid: at most one block per item; with split-K exactly one, the parts of a tile along z as a cluster. x_map: boxes
/// of one phase x 32 channels of x, NHWC; unused where 'gathers'. weights and filter_inverse_scale: the output of
/// tensor1_weights() and filter_scales(). y: NHWC.
// clang-format off: one line for those who look for the kernel's name.
template <int Filters, bool gathers>
__launch_bounds__(tensor1_fetching_threads + tensor1_multiplying_threads, tensor1_blocks_per_sm) KERNEL
    tensor1(KernelShape shape, Tensor1Tiling tiling, const __grid_constant__ CUtensorMap x_map, const float* x,
            const unsigned char* weights, const float* filter_inverse_scale, float* y) {
    // clang-format on
    extern __shared__ unsigned char shared[];
    const Tensor1Memory<Filters> memory(shared, tiling);
    if (threadIdx.x == 0) memory.init_mbarriers(tiling);
    if (threadIdx.x == 32 && !gathers) hopper::prefetch_map(x_map);
    __syncthreads();
    // One warpgroup releases registers and the other takes them: 72 and 184 of 2 x 128.
    if (threadIdx.x < tensor1_fetching_threads) {
        hopper::setmaxnreg_dec<72>();
        if (threadIdx.x == 0) fetch_weights<Filters>(tiling, weights, memory);
        if (threadIdx.x >= 32) fetch_and_split<Filters, gathers>(shape, tiling, x_map, x, memory);
    } else {
        hopper::setmaxnreg_inc<184>();
        multiply_tensor1<Filters>(shape, tiling, memory, filter_inverse_scale, y);
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
