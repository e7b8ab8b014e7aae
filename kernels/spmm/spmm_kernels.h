// Convolution as a product of a sparse matrix and a dense one (SpMM), a kernel for each format of the sparse one.
//
// The sparse matrix is im2col's, a row for each window [n p q] and a column for each weight of a filter [r s c]; the
// dense one is w, [r s c][k], a row for each column of the sparse one. y[row] = sum over the row's non-zeros of value
// times w[column], for all filters: y in NHWC. Every kernel that multiplies keeps the sums of some filters in
// registers. What differs is how the lanes of a warp find the non-zeros in memory.
#pragma once

#include "kernels/simt/dialect.h"
#include "kernels/spmm/spmm_shape.h"

namespace convscope::CONVSCOPE_DIALECT {

/// V filters' weights in one row of w, side by side. V is 1 or a multiple of 4.
template <int V>
struct FilterWeights {
    float of[V];

    /// 'there': how many weights are left from 'first' to the end of the row, a multiple of 4. A thread that has none
    /// loads none.
    DEVICE void load(Global<const float> first, int there) {
        UNROLL for (int i = 0; i < V; ++i) of[i] = 0.0f;
        if constexpr (V == 1) {
            if (there > 0) of[0] = __ldg(first);
        } else {
            UNROLL for (int i = 0; i < V; i += 4) {
                if (i < there) {
                    const float4 four = __ldg(vectors<const float4>(first + i));
                    of[i] = four.x;
                    of[i + 1] = four.y;
                    of[i + 2] = four.z;
                    of[i + 3] = four.w;
                }
            }
        }
    }
};

/// The sums of V filters for one row.
template <int V>
struct FilterSums {
    float of[V];

    DEVICE void clear() { UNROLL for (int i = 0; i < V; ++i) of[i] = 0.0f; }
    DEVICE void add(float value, const FilterWeights<V>& weights) {
        UNROLL for (int i = 0; i < V; ++i) of[i] = fmaf(value, weights.of[i], of[i]);
    }
    /// 'there': how many filters are left from the first one.
    DEVICE void store(Global<float> first, int there) const {
        UNROLL for (int i = 0; i < V; ++i) {
            if (i < there) first[i] = of[i];
        }
    }
    DEVICE void add_to(Global<float> first, int there) const {
        UNROLL for (int i = 0; i < V; ++i) {
            if (i < there) atomicAdd(first + i, of[i]);
        }
    }
};

/// V filters of the problem, from 'first' on, as one thread sees them.
template <int V>
struct Filters {
    SpmmShape shape;
    int first;

    DEVICE FilterWeights<V> weights(Global<const float> w, int column) const {
        FilterWeights<V> loaded;
        loaded.load(w + (static_cast<long long>(column) * shape.leading + first), shape.leading - first);
        return loaded;
    }
    DEVICE void store(const FilterSums<V>& sums, Global<float> y, int row) const {
        sums.store(y + (static_cast<long long>(row) * shape.filters + first), shape.filters - first);
    }
    DEVICE void add(const FilterSums<V>& sums, Global<float> y, int row) const {
        sums.add_to(y + (static_cast<long long>(row) * shape.filters + first), shape.filters - first);
    }
};

// CSR: row i's non-zeros are values and columns [row_offsets[i], row_offsets[i + 1]). csr_count, csr_scan and csr_fill
// (csr_kernels.h) make it.

/// A thread per row ('scalar' CSR). The lanes of a warp read 32 rows at once, and each row is somewhere else in values
/// and columns, so that a load takes up to 32 sectors. The warp goes on until its longest row ends. Grid: x groups of
/// rows, y groups of V filters.
template <int V>
KERNEL csr2_multiply(SpmmShape shape, Global<const int> row_offsets, Global<const int> columns,
                     Global<const float> values, Global<const float> w, Global<float> y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= shape.rows) return;
    const Filters<V> filters{shape, static_cast<int>(blockIdx.y) * V};
    FilterSums<V> sums;
    sums.clear();
    const int end = row_offsets[row + 1];
    for (int at = row_offsets[row]; at < end; ++at) {
        const int column = columns[at];
        const float value = values[at];
        sums.add(value, filters.weights(w, column));
    }
    filters.store(sums, y, row);
}

/// A warp per row. The lanes load 32 non-zeros that lie side by side, one each, then pass them round by shuffles, while
/// each lane sums up V filters of its own: loads of w are as wide as the warp. Block: x a multiple of 32. Grid: x
/// groups of rows, y groups of 32 V filters.
template <int V>
KERNEL csr3_multiply(SpmmShape shape, Global<const int> row_offsets, Global<const int> columns,
                     Global<const float> values, Global<const float> w, Global<float> y) {
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= shape.rows) return;  // a whole warp leaves together
    const Filters<V> filters{shape, (static_cast<int>(blockIdx.y) * 32 + lane) * V};
    FilterSums<V> sums;
    sums.clear();
    const int begin = row_offsets[row], end = row_offsets[row + 1];
    for (int start = begin; start < end; start += 32) {
        int column = 0;
        float value = 0.0f;
        if (start + lane < end) {
            column = columns[start + lane];
            value = values[start + lane];
        }
        const int there = min(32, end - start);
        for (int i = 0; i < there; ++i) {
            const int its_column = __shfl_sync(all_lanes, column, i);
            const float its_value = __shfl_sync(all_lanes, value, i);
            sums.add(its_value, filters.weights(w, its_column));
        }
    }
    filters.store(sums, y, row);
}

// ELL: every row has as many slots as the longest row has non-zeros. Slot i of all rows lies side by side, so that
// columns and values are [width][rows]. A slot that a row does not need has column -1.

/// The longest row: the largest of the rows' counts. 'width' begins as 0. One thread per row; block: x a multiple of
/// 32.
KERNEL ell_width(SpmmShape shape, Global<const int> counts, Global<int> width) {
    const unsigned all_lanes = 0xffffffffu;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    int longest = 0;
    if (row < shape.rows) longest = counts[row];
    for (int by = 16; by > 0; by /= 2) longest = max(longest, __shfl_down_sync(all_lanes, longest, by));
    if (threadIdx.x % 32 == 0) atomicMax(width, longest);
}

/// Moves each row's non-zeros to its slots, and marks those that are left. One warp per row of E, the im2col matrix: it
/// reads 32 elements side by side, but the slots of one row lie apart, so that a store takes a sector for each value.
KERNEL ell_fill(SpmmShape shape, Global<const float> E, Global<const int> width, Global<int> columns,
                Global<float> values) {
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= shape.rows) return;  // a whole warp leaves together
    int next = 0;
    for (int start = 0; start < shape.depth; start += 32) {
        const int column = start + lane;
        float value = 0.0f;
        if (column < shape.depth) value = E[static_cast<long long>(row) * shape.depth + column];
        const unsigned nonzero = __ballot_sync(all_lanes, value != 0.0f);
        if (value != 0.0f) {
            const int slot = next + __popc(nonzero & ((1u << lane) - 1));
            columns[slot * shape.rows + row] = column;
            values[slot * shape.rows + row] = value;
        }
        next += __popc(nonzero);
    }
    const int slots = width[0];
    for (int slot = next + lane; slot < slots; slot += 32) {
        columns[slot * shape.rows + row] = -1;
        values[slot * shape.rows + row] = 0.0f;
    }
}

/// A thread per row, as csr2, but the lanes read slots that lie side by side. In return every row reads as many slots
/// as the longest one. Grid: x groups of rows, y groups of V filters.
template <int V>
KERNEL ell_multiply(SpmmShape shape, Global<const int> width, Global<const int> columns, Global<const float> values,
                    Global<const float> w, Global<float> y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= shape.rows) return;
    const Filters<V> filters{shape, static_cast<int>(blockIdx.y) * V};
    FilterSums<V> sums;
    sums.clear();
    const int slots = width[0];
    for (int slot = 0; slot < slots; ++slot) {
        const int column = columns[slot * shape.rows + row];
        const float value = values[slot * shape.rows + row];
        if (column >= 0) sums.add(value, filters.weights(w, column));
    }
    filters.store(sums, y, row);
}

// Bitmap: a bit for each element, 32 to a word, a row beginning with a new word; for each word how many non-zeros there
// are before it; the non-zeros, packed. A column takes one bit, not 32, but the zeros' bits are there as well.

/// Writes bits, offsets and values from E, the im2col matrix, and from csr_scan's sums over tiles of 'tile_rows' rows.
/// One warp per tile: a ballot is a word.
KERNEL bitmap_fill(SpmmShape shape, int tile_rows, Global<const float> E, Global<const int> starts,
                   Global<unsigned> bits, Global<int> offsets, Global<float> values) {
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const int tile = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const int words = (shape.depth + 31) / 32;
    const long long first = static_cast<long long>(tile) * tile_rows;
    if (first >= shape.rows) return;  // a whole warp leaves together
    const int end = static_cast<int>(min(first + tile_rows, static_cast<long long>(shape.rows)));
    int next = starts[tile];
    for (int row = static_cast<int>(first); row < end; ++row) {
        for (int word = 0; word < words; ++word) {
            const int column = word * 32 + lane;
            float value = 0.0f;
            if (column < shape.depth) value = E[static_cast<long long>(row) * shape.depth + column];
            const unsigned nonzero = __ballot_sync(all_lanes, value != 0.0f);
            if (lane == 0) {
                bits[static_cast<long long>(row) * words + word] = nonzero;
                offsets[static_cast<long long>(row) * words + word] = next;
            }
            if (value != 0.0f) values[next + __popc(nonzero & ((1u << lane) - 1))] = value;
            next += __popc(nonzero);
        }
    }
}

/// A warp per row. Each lane loads one of 32 words and its offset; of each word that is not empty the lanes whose bit
/// is set load their values, which lie side by side: a lane counts the set bits below its own to find its place. Then
/// one set bit after another, as in csr3. Block and grid as in csr3_multiply.
template <int V>
KERNEL bitmap_multiply(SpmmShape shape, Global<const unsigned> bits, Global<const int> offsets,
                       Global<const float> values, Global<const float> w, Global<float> y) {
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= shape.rows) return;  // a whole warp leaves together
    const Filters<V> filters{shape, (static_cast<int>(blockIdx.y) * 32 + lane) * V};
    FilterSums<V> sums;
    sums.clear();
    const int words = (shape.depth + 31) / 32;
    const long long first_word = static_cast<long long>(row) * words;
    for (int start = 0; start < words; start += 32) {
        unsigned my_word = 0;
        int my_offset = 0;
        if (start + lane < words) {
            my_word = bits[first_word + start + lane];
            my_offset = offsets[first_word + start + lane];
        }
        const int there = min(32, words - start);
        for (int i = 0; i < there; ++i) {
            const unsigned word = __shfl_sync(all_lanes, my_word, i);
            const int offset = __shfl_sync(all_lanes, my_offset, i);
            float value = 0.0f;
            if ((word >> lane & 1) != 0) value = values[offset + __popc(word & ((1u << lane) - 1))];
            for (unsigned left = word; left != 0; left &= left - 1) {
                const int bit = __popc((left & (0u - left)) - 1);  // the lowest one
                const float its_value = __shfl_sync(all_lanes, value, bit);
                sums.add(its_value, filters.weights(w, (start + i) * 32 + bit));
            }
        }
    }
    filters.store(sums, y, row);
}

// BSR: CSR of blocks of B x B elements, which are stored whole, zeros as well, if one of their elements is not zero.
// csr_count, csr_scan and csr_fill make row_offsets and columns of the blocks from the matrix of their flags.

/// flags = a matrix of the blocks, 1 where an element of E, the im2col matrix, is not zero. One thread per block of E.
template <int B>
KERNEL bsr_flag(SpmmShape shape, Global<const float> E, Global<float> flags) {
    const int block_columns = (shape.depth + B - 1) / B, block_rows = (shape.rows + B - 1) / B;
    const long long place = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (place >= static_cast<long long>(block_rows) * block_columns) return;
    const int first_row = static_cast<int>(place / block_columns) * B;
    const int first_column = static_cast<int>(place % block_columns) * B;
    float flag = 0.0f;
    for (int row = first_row; row < min(first_row + B, shape.rows); ++row) {
        for (int column = first_column; column < min(first_column + B, shape.depth); ++column) {
            const float value = E[static_cast<long long>(row) * shape.depth + column];
            if (value != 0.0f) flag = 1.0f;
        }
    }
    flags[place] = flag;
}

/// values = the elements of the blocks, block after block, row by row; zeros where a block hangs over E's edge. One
/// warp per row of blocks.
template <int B>
KERNEL bsr_fill(SpmmShape shape, Global<const float> E, Global<const int> row_offsets, Global<const int> columns,
                Global<float> values) {
    const int block_row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (block_row >= (shape.rows + B - 1) / B) return;
    const long long end = static_cast<long long>(row_offsets[block_row + 1]) * (B * B);
    long long at = static_cast<long long>(row_offsets[block_row]) * (B * B) + threadIdx.x % 32;
    for (; at < end; at += 32) {
        const int within = static_cast<int>(at % (B * B));
        const int row = block_row * B + within / B;
        const int block_column = columns[at / (B * B)];
        const int column = block_column * B + within % B;
        float value = 0.0f;
        if (row < shape.rows && column < shape.depth) value = E[static_cast<long long>(row) * shape.depth + column];
        values[at] = value;
    }
}

/// A warp per row of blocks; each lane has the sums of V filters for B rows. A row of w is loaded once for B rows of
/// the matrix, and a column's index once for B x B elements: that is what the stored zeros buy. Block: x a multiple of
/// 32. Grid: x groups of rows of blocks, y groups of 32 V filters.
template <int V, int B>
KERNEL bsr_multiply(SpmmShape shape, Global<const int> row_offsets, Global<const int> columns,
                    Global<const float> values, Global<const float> w, Global<float> y) {
    const int lane = threadIdx.x % 32;
    const int block_row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (block_row >= (shape.rows + B - 1) / B) return;
    const Filters<V> filters{shape, (static_cast<int>(blockIdx.y) * 32 + lane) * V};
    FilterSums<V> sums[B];
    UNROLL for (int i = 0; i < B; ++i) sums[i].clear();
    const int end = row_offsets[block_row + 1];
    for (int at = row_offsets[block_row]; at < end; ++at) {
        const int block_column = columns[at];
        const int first_column = block_column * B;
        UNROLL for (int j = 0; j < B; ++j) {
            if (first_column + j < shape.depth) {
                const FilterWeights<V> weights = filters.weights(w, first_column + j);
                UNROLL for (int i = 0; i < B; ++i) {
                    const float value = values[static_cast<long long>(at) * (B * B) + i * B + j];
                    sums[i].add(value, weights);
                }
            }
        }
    }
    UNROLL for (int i = 0; i < B; ++i) {
        const int row = block_row * B + i;
        if (row < shape.rows) filters.store(sums[i], y, row);
    }
}

// COO: row, column and value of each non-zero, here in the order of the rows.

/// Writes the row of each non-zero: CSR's offsets spelled out. One warp per row.
KERNEL coo_rows(SpmmShape shape, Global<const int> row_offsets, Global<int> rows) {
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= shape.rows) return;
    const int end = row_offsets[row + 1];
    for (int at = row_offsets[row] + threadIdx.x % 32; at < end; at += 32) rows[at] = row;
}

/// A warp per 'entries' non-zeros, whatever rows they are in: all warps have as much to do, however long the rows are,
/// but no warp knows whether it has all of a row. So it sums up while the row stays the same and then adds its sums to
/// y by atomics; y begins as 0. Three warps or more that share a row add in any order, so that the last bits may differ
/// from run to run. There are total[0] non-zeros. Block and grid as in csr3_multiply, x over groups of entries.
template <int V>
KERNEL coo_multiply(SpmmShape shape, int entries, Global<const int> total, Global<const int> rows,
                    Global<const int> columns, Global<const float> values, Global<const float> w, Global<float> y) {
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const long long mine = static_cast<long long>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    const long long first = mine * entries, nonzeros = total[0];
    if (first >= nonzeros) return;  // a whole warp leaves together
    const int end = static_cast<int>(min(first + entries, nonzeros));
    const Filters<V> filters{shape, (static_cast<int>(blockIdx.y) * 32 + lane) * V};
    FilterSums<V> sums;
    sums.clear();
    int current = rows[first];
    for (int start = static_cast<int>(first); start < end; start += 32) {
        int row = 0, column = 0;
        float value = 0.0f;
        if (start + lane < end) {
            row = rows[start + lane];
            column = columns[start + lane];
            value = values[start + lane];
        }
        const int there = min(32, end - start);
        for (int i = 0; i < there; ++i) {
            const int its_row = __shfl_sync(all_lanes, row, i);
            const int its_column = __shfl_sync(all_lanes, column, i);
            const float its_value = __shfl_sync(all_lanes, value, i);
            if (its_row != current) {
                filters.add(sums, y, current);
                sums.clear();
                current = its_row;
            }
            sums.add(its_value, filters.weights(w, its_column));
        }
    }
    filters.add(sums, y, current);
}

}  // namespace convscope::CONVSCOPE_DIALECT
