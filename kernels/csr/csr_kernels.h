// Compression of the extended map to CSR, Xu 2022's second stage. CSR keeps the order of the dense matrix, so it is one
// stream compaction over all of its elements, rows of any length alike: count the non-zeros of each tile, sum the
// counts up, move every non-zero to its place. The matrix is read twice.
#pragma once

#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Loads of one lane that are on their way at once.
constexpr int csr_loads = 8;

/// counts[t] = the non-zeros of E's elements [t tile, (t + 1) tile), a tile of any length. One warp per tile; block: x
/// a multiple of 32.
KERNEL csr_count(Global<const float> E, long long elements, int tile, Global<int> counts) {
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const long long mine = static_cast<long long>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    const long long first = mine * tile;
    if (first >= elements) return;  // a whole warp leaves together
    const long long end = min(first + tile, elements);

    int count = 0;
    for (long long start = first + lane; start < end; start += 32 * csr_loads) {
        UNROLL for (int load = 0; load < csr_loads; ++load) {
            const long long place = start + 32 * load;
            float value = 0.0f;
            if (place < end) value = E[place];
            if (value != 0.0f) ++count;
        }
    }
    for (int by = 16; by > 0; by /= 2) count += __shfl_down_sync(all_lanes, count, by);
    if (lane == 0) counts[mine] = count;
}

/// Replaces each count by the sum of those before it, and writes the sum of all to 'total'. One block, x up to 1024 and
/// a multiple of 32; it goes through the counts in rounds of one per thread.
KERNEL csr_scan(Global<int> counts, int tiles, Global<int> total) {
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    SHARED_ARRAY(int, warp_sums, 32);

    int before = 0;  // the sum of earlier rounds
    for (int start = 0; start < tiles; start += blockDim.x) {
        const int tile = start + threadIdx.x;
        int count = 0;
        if (tile < tiles) count = counts[tile];
        int sum = count;  // of this lane and those below it
        for (int by = 1; by < 32; by *= 2) {
            const int below = __shfl_up_sync(all_lanes, sum, by);
            if (lane >= by) sum += below;
        }
        if (lane == 31) warp_sums[warp] = sum;
        __syncthreads();
        int earlier_warps = 0, round = 0;
        for (int other = 0; other < static_cast<int>(blockDim.x) / 32; ++other) {
            const int theirs = warp_sums[other];
            if (other < warp) earlier_warps += theirs;
            round += theirs;
        }
        if (tile < tiles) counts[tile] = before + earlier_warps + sum - count;
        before += round;
        __syncthreads();
    }
    if (threadIdx.x == 0) total[0] = before;
}

/// Moves the non-zeros of each tile to values and columns, from starts[t] on, and writes the offset of every row that
/// begins in it. Warps and blocks as in csr_count; a tile is a multiple of 32 csr_loads elements.
KERNEL csr_fill(Global<const float> E, long long elements, int row_length, int tile, Global<const int> starts,
                Global<float> values, Global<int> columns, Global<int> row_offsets) {
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const long long mine = static_cast<long long>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    const long long first = mine * tile;
    if (first >= elements) return;  // a whole warp leaves together

    int next = starts[mine];
    // This lane's element as (row, column), and the step to its next one, 32 elements on: no division in the loop.
    int row = static_cast<int>((first + lane) / row_length), column = static_cast<int>((first + lane) % row_length);
    const int step_rows = 32 / row_length, step_columns = 32 % row_length;
    for (int start = lane; start < tile; start += 32 * csr_loads) {
        float loaded[csr_loads];
        UNROLL for (int load = 0; load < csr_loads; ++load) {
            const long long place = first + start + 32 * load;
            float value = 0.0f;
            if (place < elements) value = E[place];
            loaded[load] = value;
        }
        UNROLL for (int load = 0; load < csr_loads; ++load) {
            const float value = loaded[load];
            const unsigned nonzero = __ballot_sync(all_lanes, value != 0.0f);
            // Lanes with a non-zero value take places in lane order.
            const int at = next + __popc(nonzero & ((1u << lane) - 1));
            if (column == 0 && first + start + 32 * load < elements) row_offsets[row] = at;
            if (value != 0.0f) {
                values[at] = value;
                columns[at] = column;
            }
            next += __popc(nonzero);
            row += step_rows;
            column += step_columns;
            if (column >= row_length) {
                column -= row_length;
                ++row;
            }
        }
    }
}

}  // namespace convscope::CONVSCOPE_DIALECT
