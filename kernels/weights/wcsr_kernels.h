// wcsr1's kernels: CSR of the weights, made once, then direct sparse convolution. Park et al., "Faster CNNs with Direct
// Sparse Convolutions and Guided Pruning" (ICLR 2017): every non-zero weight is multiplied with all the inputs that it
// meets, where they are; no im2col matrix is made. Its column in CSR is the distance from an output's position to the
// input that the weight meets, which is the same for all outputs of the layer.
//
// As in Chen, "Escoin: Efficient Sparse Convolutional Neural Network Inference on GPUs" (2018), a tile of inputs is in
// shared memory and the sums are in registers; every lane has V outputs, so that a weight that a warp has loaded serves
// 32 V of them. Each product takes an input from shared memory, which gives 32 in a cycle: that limits the kernel, not
// the multiplications.
#pragma once

#include "kernels/simt/async_copy.h"
#include "kernels/simt/dependent_launch.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_shape.h"
#include "kernels/weights/wcsr_tiling.h"

namespace convscope::CONVSCOPE_DIALECT {

/// A row of the CSR matrix: a filter's weights of one chunk's channels, side by side in w, KCRS.
struct WcsrRow {
    long long first;  ///< in w
    int count;
    DEVICE WcsrRow(const KernelShape& shape, const WcsrTiling& tiling, int row) {
        const int filter = row / tiling.chunks, channel = row % tiling.chunks * tiling.channels;
        const int taps = shape.r * shape.s;
        first = (static_cast<long long>(filter) * shape.c + channel) * taps;
        count = min(tiling.channels, shape.c - channel) * taps;
    }
};

/// row_offsets[row] = the non-zeros of a row. One warp per row of the k * chunks; block: x a multiple of 32. csr_scan
/// (csr_kernels.h) makes offsets of the counts.
KERNEL wcsr_count(KernelShape shape, WcsrTiling tiling, Global<const float> w, Global<int> row_offsets) {
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= shape.k * tiling.chunks) return;  // a whole warp leaves together
    const WcsrRow weights(shape, tiling, row);
    int count = 0;
    for (int start = 0; start < weights.count; start += 32) {
        float value = 0.0f;
        if (start + lane < weights.count) value = w[weights.first + start + lane];
        count += __popc(__ballot_sync(all_lanes, value != 0.0f));
    }
    if (lane == 0) row_offsets[row] = count;
}

/// Moves the non-zeros of every row to values, and writes to columns where the input of each lies in the chunk's tile
/// of inputs, counted from that of an output's position. Warps and blocks as in wcsr_count.
KERNEL wcsr_fill(KernelShape shape, WcsrTiling tiling, Global<const float> w, Global<const int> row_offsets,
                 Global<float> values, Global<int> columns) {
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= shape.k * tiling.chunks) return;  // a whole warp leaves together
    const WcsrRow weights(shape, tiling, row);
    const int taps = shape.r * shape.s;
    int next = row_offsets[row];
    for (int start = 0; start < weights.count; start += 32) {
        const int place = start + lane;
        float value = 0.0f;
        if (place < weights.count) value = w[weights.first + place];
        const unsigned nonzero = __ballot_sync(all_lanes, value != 0.0f);
        if (value != 0.0f) {
            const int channel = place / taps, tap = place % taps;
            const int down = tap / shape.s * tiling.dilation_h, right = tap % shape.s * tiling.dilation_w;
            const int phase = down % shape.stride_h * tiling.phases_w + right % shape.stride_w;
            const int at = next + __popc(nonzero & ((1u << lane) - 1));
            values[at] = value;
            columns[at] = channel * tiling.channel_length + phase * tiling.phase_length +
                          down / shape.stride_h * tiling.pitch + right / shape.stride_w;
        }
        next += __popc(nonzero);
    }
}

/// Where the input of a tile's slot lies in the first map of x's, -1 in the padding; slots as in shared memory.
DEVICE int wcsr_source(const KernelShape& shape, const WcsrTiling& tiling, int first_position, int slot) {
    const int phase = slot / tiling.phase_length, position = first_position + slot % tiling.phase_length;
    const int row = position / tiling.pitch, image = row / tiling.image_rows;
    const int down = row % tiling.image_rows * shape.stride_h + phase / tiling.phases_w - shape.pad_h;
    const int right = position % tiling.pitch * shape.stride_w + phase % tiling.phases_w - shape.pad_w;
    const bool inside = image < shape.n && down >= 0 && down < shape.h && right >= 0 && right < shape.w;
    return inside ? (image * shape.c * shape.h + down) * shape.w + right : -1;
}

/// The sums of one filter for a lane's V positions, which lie 32 apart.
template <int V>
struct WcsrSums {
    float of[V];

    DEVICE void clear() { UNROLL for (int v = 0; v < V; ++v) of[v] = 0.0f; }
    /// 'inputs' begin at the lane's first position.
    DEVICE void add(float weight, Shared<float> inputs, int column) {
        UNROLL for (int v = 0; v < V; ++v) of[v] = fmaf(weight, inputs[column + 32 * v], of[v]);
    }
    /// The non-zeros [begin, end). Four at a time where they begin at a multiple of four, the next four in flight.
    DEVICE void add_row(Global<const float> values, Global<const int> columns, int begin, int end,
                        Shared<float> inputs) {
        int at = begin;
        NO_UNROLL for (; at < end && at % 4 != 0; ++at) add(__ldg(values + at), inputs, __ldg(columns + at));
        float4 weights{0.0f, 0.0f, 0.0f, 0.0f};
        int4 places{0, 0, 0, 0};
        if (at + 4 <= end) {
            weights = __ldg(vectors<const float4>(values + at));
            places = __ldg(vectors<const int4>(columns + at));
        }
        NO_UNROLL for (; at + 4 <= end; at += 4) {
            const float4 now = weights;
            const int4 here = places;
            if (at + 8 <= end) {
                weights = __ldg(vectors<const float4>(values + (at + 4)));
                places = __ldg(vectors<const int4>(columns + (at + 4)));
            }
            add(now.x, inputs, here.x);
            add(now.y, inputs, here.y);
            add(now.z, inputs, here.z);
            add(now.w, inputs, here.w);
        }
        NO_UNROLL for (; at < end; ++at) add(__ldg(values + at), inputs, __ldg(columns + at));
    }
};

/// Sums over a share of the chunks, for a tile of 32 V positions and the block's 8 F filters, of which every warp has
/// F. While a chunk is multiplied the inputs of the next are in flight.
///
/// Block: wcsr_threads. Grid: x tiles, y groups of 8 F filters, z shares of the chunks. Dynamic shared memory: the
/// inputs of two chunks, each channels * channel_length floats; where a channel's inputs lie in x, channel_length ints.
/// sums: [share][n][k][p][q]; of one share y before pooling.
template <int V, int F>
LAUNCH_BOUNDS(wcsr_threads)
KERNEL wcsr_multiply(KernelShape shape, WcsrTiling tiling, Global<const float> x, Global<const int> row_offsets,
                     Global<const float> values, Global<const int> columns, Global<float> sums) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int first_position = blockIdx.x * 32 * V, first_filter = (blockIdx.y * wcsr_warps + warp) * F;
    const int first_chunk = static_cast<int>(static_cast<long long>(blockIdx.z) * tiling.chunks / tiling.split);
    const int end_chunk = static_cast<int>((static_cast<long long>(blockIdx.z) + 1) * tiling.chunks / tiling.split);
    const int chunk_length = tiling.channels * tiling.channel_length;
    DYNAMIC_SHARED(memory);
    const Shared<float> inputs = memory.take<float>(2 * chunk_length);
    const Shared<int> source = memory.take<int>(tiling.channel_length);
    launch_dependents();

    for (int slot = threadIdx.x; slot < tiling.channel_length; slot += blockDim.x)
        source[slot] = wcsr_source(shape, tiling, first_position, slot);
    __syncthreads();
    const auto load_chunk = [&](int chunk) {
        const int buffer = (chunk - first_chunk) % 2 * chunk_length;
        for (int channel = warp; channel < tiling.channels; channel += wcsr_warps) {
            const int of_x = chunk * tiling.channels + channel;
            const long long map = static_cast<long long>(of_x) * shape.h * shape.w;
            for (int slot = lane; slot < tiling.channel_length; slot += 32) {
                const int from = source[slot];
                copy_async<1>(inputs, buffer + channel * tiling.channel_length + slot, x, map + from,
                              from >= 0 && of_x < shape.c);
            }
        }
        end_copy_group();
    };

    WcsrSums<V> filter_sums[F];
    UNROLL for (int f = 0; f < F; ++f) filter_sums[f].clear();
    load_chunk(first_chunk);
    for (int chunk = first_chunk; chunk < end_chunk; ++chunk) {
        int begin[F], end[F];
        UNROLL for (int f = 0; f < F; ++f) {
            begin[f] = end[f] = 0;
            if (first_filter + f < shape.k) {
                const int row = (first_filter + f) * tiling.chunks + chunk;
                begin[f] = row_offsets[row];
                end[f] = row_offsets[row + 1];
            }
        }
        arrive_copies<0>();
        __syncthreads();  // this chunk is there, and nobody reads the one before
        if (chunk + 1 < end_chunk) load_chunk(chunk + 1);
        const Shared<float> here = inputs + ((chunk - first_chunk) % 2 * chunk_length + lane);
        UNROLL for (int f = 0; f < F; ++f) filter_sums[f].add_row(values, columns, begin[f], end[f], here);
    }

    const int outputs = shape.p * shape.q;
    UNROLL for (int v = 0; v < V; ++v) {
        const int position = first_position + lane + 32 * v;
        const int row = position / tiling.pitch, image = row / tiling.image_rows;
        const int down = row % tiling.image_rows, right = position % tiling.pitch;
        if (image >= shape.n || down >= shape.p || right >= shape.q) continue;
        const long long map = (static_cast<long long>(blockIdx.z) * shape.n + image) * shape.k + first_filter;
        UNROLL for (int f = 0; f < F; ++f) {
            if (first_filter + f < shape.k) sums[(map + f) * outputs + down * shape.q + right] = filter_sums[f].of[v];
        }
    }
}

/// The shares' sums, [split][outputs], added in the order of the shares. One thread per output.
KERNEL share_sum(int split, int outputs, Global<const float> partial, Global<float> y) {
    const long long output = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    grid_dependency_wait();
    if (output >= outputs) return;
    constexpr int loads = 8;  // in flight
    float total = 0.0f;
    NO_UNROLL for (int share = 0; share < split; share += loads) {
        float loaded[loads];
        UNROLL for (int load = 0; load < loads; ++load) {
            loaded[load] = 0.0f;
            if (share + load < split) loaded[load] = partial[static_cast<long long>(share + load) * outputs + output];
        }
        UNROLL for (int load = 0; load < loads; ++load) total += loaded[load];
    }
    y[output] = total;
}

}  // namespace convscope::CONVSCOPE_DIALECT
