// fcr1 and fcr2: fully connected layers of few images, skipping the rows of weights whose input is zero.
//
// y[image][output] = sum over inputs of x[image][input] w[input][output]. The weights are stored input by input, so
// that an input which is zero in every image saves the load of a whole row, and loads are all the time that such a
// layer takes: every weight is used once per image. There is no format in global memory; each block compacts the inputs
// of its slice in shared memory.
#pragma once

#include "kernels/fcr/fcr_tiling.h"
#include "kernels/fcr/fcr_weights.h"
#include "kernels/simt/cluster.h"
#include "kernels/simt/dependent_launch.h"
#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

/// w, [outputs][inputs], to rows of FP16 weights [inputs][leading / 2 words], zeros beyond the last output. One thread
/// per word.
KERNEL fcr_halves(FcrTiling tiling, Global<const float> w, Global<int> prepared) {
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int words = tiling.leading / 2;
    if (place >= static_cast<long long>(words) * tiling.inputs) return;
    const int input = static_cast<int>(place / words), output = static_cast<int>(place % words) * 2;
    float first = 0.0f, second = 0.0f;
    if (output < tiling.outputs) first = w[static_cast<long long>(output) * tiling.inputs + input];
    if (output + 1 < tiling.outputs) second = w[static_cast<long long>(output + 1) * tiling.inputs + input];
    prepared[place] = to_halves(first, second);
}

/// Sums over the inputs of a slice, for a group of 32 V outputs, of N images.
///
/// Slice s has every slices-th run of 32 inputs, beginning with run s, so that zeros in a row are shared by all slices.
/// A block goes through them in rounds: each thread takes up to fcr_inputs inputs; ballots give every input that is not
/// zero in some image its place in a list, always the same; then warp after warp takes an input off the list, U of them
/// at a time, and each lane multiplies its V weights of the row. The warps' sums are added in shared memory in the
/// order of the warps.
///
/// The slices' sums are added by fcr_sum or, where their blocks are a cluster, here: each block adds a part of the
/// outputs, slice after slice, from the shared memory of all of them.
///
/// Block: x a multiple of 32, up to fcr_max_threads. Grid: x groups of outputs, y slices; z slices, a cluster. Dynamic
/// shared memory: the list, tiling.list ints; its inputs' values, N tiling.list floats; sums, one float for each
/// output, image and warp; of a cluster as many for each output and image; an int for each warp. sums:
/// [slices][N][leading] for fcr_sum, else y, [N][outputs].
template <template <int> class Weights, int N, int V, int U>
LAUNCH_BOUNDS(fcr_max_threads)
KERNEL fcr_multiply(FcrTiling tiling, Global<const float> x, Global<const typename Weights<V>::Word> weights,
                    Global<float> sums) {
    constexpr int width = 32 * V;
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const int slice = blockIdx.y + blockIdx.z, group = blockIdx.x;
    DYNAMIC_SHARED(memory);
    const Shared<int> list = memory.take<int>(tiling.list);
    const Shared<float> values = memory.take<float>(N * tiling.list);
    const Shared<float> warp_sums = memory.take<float>(N * width * warps);
    const Shared<float> block_sums = memory.take<float>(tiling.cluster ? N * width : 0);
    const Shared<int> counts = memory.take<int>(warps);
    if (!tiling.cluster) launch_dependents();

    const int there = min(width, tiling.leading - group * width);
    float sum[N][V];
    UNROLL for (int n = 0; n < N; ++n) {
        UNROLL for (int i = 0; i < V; ++i) sum[n][i] = 0.0f;
    }
    for (int round = 0; round < tiling.rounds; ++round) {
        const int first_run = round * fcr_inputs * warps + warp;
        const int first_input = (first_run * tiling.slices + slice) * 32 + lane;
        const int step = warps * tiling.slices * 32;
        float value[N][fcr_inputs];
        UNROLL for (int i = 0; i < fcr_inputs; ++i) {
            const int input = first_input + i * step;
            UNROLL for (int n = 0; n < N; ++n) {
                value[n][i] = 0.0f;
                if (input < tiling.inputs) value[n][i] = x[n * tiling.inputs + input];
            }
        }
        unsigned nonzero[fcr_inputs];
        int count = 0;
        UNROLL for (int i = 0; i < fcr_inputs; ++i) {
            bool any = false;
            UNROLL for (int n = 0; n < N; ++n) any = any || value[n][i] != 0.0f;
            nonzero[i] = __ballot_sync(all_lanes, any);
            count += __popc(nonzero[i]);
        }
        if (round > 0) __syncthreads();  // the list of the round before has been used
        if (lane == 0) counts[warp] = count;
        __syncthreads();
        int place = 0, total = 0;
        for (int other = 0; other < warps; ++other) {
            const int theirs = counts[other];
            if (other < warp) place += theirs;
            total += theirs;
        }
        UNROLL for (int i = 0; i < fcr_inputs; ++i) {
            if ((nonzero[i] >> lane & 1) != 0) {
                const int at = place + __popc(nonzero[i] & ((1u << lane) - 1));
                list[at] = first_input + i * step;
                UNROLL for (int n = 0; n < N; ++n) values[n * tiling.list + at] = value[n][i];
            }
            place += __popc(nonzero[i]);
        }
        __syncthreads();

        NO_UNROLL for (int first = warp; first < total; first += U * warps) {
            Weights<V> row[U];
            UNROLL for (int u = 0; u < U; ++u) {
                row[u].clear();
                const int at = first + u * warps;
                if (at < total) {
                    const int input = list[at];
                    const long long begin =
                        (static_cast<long long>(input) * tiling.leading + group * width) / Weights<V>::per_word;
                    row[u].load(weights + begin, lane, there);
                }
            }
            UNROLL for (int u = 0; u < U; ++u) {
                float weight[V];
                row[u].expand(weight);
                const int at = first + u * warps;
                if (at < total) {
                    UNROLL for (int n = 0; n < N; ++n) {
                        const float factor = values[n * tiling.list + at];
                        UNROLL for (int i = 0; i < V; ++i) sum[n][i] = fmaf(factor, weight[i], sum[n][i]);
                    }
                }
            }
        }
    }

    UNROLL for (int n = 0; n < N; ++n) {
        UNROLL for (int i = 0; i < V; ++i) warp_sums[(warp * N + n) * width + Weights<V>::output(lane, i)] = sum[n][i];
    }
    __syncthreads();
    const bool partial = tiling.slices > 1 && !tiling.cluster;
    const int row_length = partial ? tiling.leading : tiling.outputs;
    const long long first_row = partial ? static_cast<long long>(slice) * N : 0;
    for (int i = threadIdx.x; i < N * width; i += blockDim.x) {
        const int n = i / width, output = group * width + i % width;
        float total = 0.0f;
        for (int other = 0; other < warps; ++other) total += warp_sums[other * N * width + i];
        if (tiling.cluster)
            block_sums[i] = total;
        else if (output < tiling.outputs)
            sums[(first_row + n) * row_length + output] = total;
    }
    if (!tiling.cluster) return;
    wait_for_cluster();
    // Every slices-th four outputs.
    for (int i = 4 * (threadIdx.x * tiling.slices + slice); i < N * width; i += 4 * blockDim.x * tiling.slices) {
        float4 total{0.0f, 0.0f, 0.0f, 0.0f};
        for (int other = 0; other < tiling.slices; ++other) {
            const float4 part = from_cluster(block_sums, i, other);
            total.x += part.x;
            total.y += part.y;
            total.z += part.z;
            total.w += part.w;
        }
        const int first = group * width + i % width;
        const float four[4] = {total.x, total.y, total.z, total.w};
        UNROLL for (int j = 0; j < 4; ++j) {
            if (first + j < tiling.outputs)
                sums[static_cast<long long>(i / width) * tiling.outputs + first + j] = four[j];
        }
    }
    wait_for_cluster();  // nobody leaves while others read its shared memory
}

/// The slices' sums, [slices][images][leading], added in the order of the slices: y, [images][outputs]. One thread per
/// output. Grid: y images.
KERNEL fcr_sum(FcrTiling tiling, Global<const float> partial, Global<float> y) {
    const int output = blockIdx.x * blockDim.x + threadIdx.x, image = blockIdx.y;
    grid_dependency_wait();
    if (output >= tiling.outputs) return;
    constexpr int loads = 8;  // in flight
    const long long step = static_cast<long long>(tiling.images) * tiling.leading;
    Global<const float> from = partial + (static_cast<long long>(image) * tiling.leading + output);
    float total = 0.0f;
    NO_UNROLL for (int slice = 0; slice < tiling.slices; slice += loads) {
        float loaded[loads];
        UNROLL for (int load = 0; load < loads; ++load) {
            loaded[load] = 0.0f;
            if (slice + load < tiling.slices) loaded[load] = from[(slice + load) * step];
        }
        UNROLL for (int load = 0; load < loads; ++load) total += loaded[load];
    }
    y[image * tiling.outputs + output] = total;
}

}  // namespace convscope::CONVSCOPE_DIALECT
