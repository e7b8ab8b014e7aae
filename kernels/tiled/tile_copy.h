// Copying a tile from global to shared memory, for both kernels of Chang et al. (its text is included by them).
#pragma once

#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Goes through a tile of rows x columns with all threads of the block side by side along the rows, without dividing at
/// each element. The tile's element (0, 0) is the element (first_row, first_column) of an array of source_rows x
/// source_columns in global memory; what lies outside of that is 0.
struct TileCopy {
    Global<const float> from;
    int source, source_rows, source_columns;  ///< 'source': index of the array's first element
    int first_row, first_column;
    Shared<float> to;
    int pitch;  ///< floats between rows in shared memory
    int rows, columns;
    int row, column;            ///< where this thread is
    int row_step, column_step;  ///< the block's threads, as rows and columns

    DEVICE void begin() {
        row = threadIdx.x / columns;
        column = threadIdx.x % columns;
        row_step = blockDim.x / columns;
        column_step = blockDim.x % columns;
    }
    DEVICE bool more() const { return row < rows; }
    DEVICE float load() const {
        const int from_row = first_row + row, from_column = first_column + column;
        float value = 0.0f;
        if (from_row >= 0 && from_row < source_rows && from_column >= 0 && from_column < source_columns)
            value = from[source + from_row * source_columns + from_column];
        return value;
    }
    DEVICE int place() const { return row * pitch + column; }
    DEVICE void advance() {
        row += row_step;
        column += column_step;
        if (column >= columns) {
            column -= columns;
            ++row;
        }
    }
    /// The rest of the tile at once.
    DEVICE void finish() {
        for (; more(); advance()) to[place()] = load();
    }
};

/// Elements of a tile on their way through registers: loads are issued before the arithmetic that hides their latency,
/// and stored after it.
struct Prefetch {
    static constexpr int count = 4;
    float value[count];
    int place[count];

    DEVICE void load(TileCopy& copy) {
        UNROLL
        for (int i = 0; i < count; ++i) {
            place[i] = -1;
            if (!copy.more()) continue;
            place[i] = copy.place();
            value[i] = copy.load();
            copy.advance();
        }
    }
    DEVICE void store(const TileCopy& copy) const {
        UNROLL
        for (int i = 0; i < count; ++i)
            if (place[i] >= 0) copy.to[place[i]] = value[i];
    }
};

}  // namespace convscope::CONVSCOPE_DIALECT
