// pecr1: Xu 2019, Algorithms 3 and 4, Figs. 7 and 8. One block per pooling-pack row (one row of pooled outputs), one
// thread per pooling result. One map, one filter.
//
// As printed, every thread of a block writes Data, Index and Count from the same start; here each thread has its own
// segment. A window's place in the pooling window is (n / pool_w, n % pool_w), an element's place in the filter
// i * s + j, and the segment advances after every window, whether or not it held the maximum.
#pragma once

#include "kernels/layers/pooling.h"
#include "kernels/simt/feature_map.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Where a picture of the format goes when a user wants to see it (LayoutBuilder), in global memory: Data and Index
/// [out_h out_w][pool_h pool_w r s], Count [out_h out_w][pool_h pool_w], conv [p][q] before ReLU.
struct PecrExport {
    Global<float> Data;
    Global<int> Index;
    Global<int> Count;
    Global<float> conv;
};

/// Copies one thread's segment; slots that it did not fill are left as they are.
DEVICE void export_pooling_window(const KernelShape& shape, Shared<const float> Data, Shared<const int> Index,
                                  Shared<const int> Count, int filled, int result, const PecrExport& out) {
    const int windows = shape.pool_h * shape.pool_w;
    const long long first = static_cast<long long>(result) * windows;
    const long long segment = first * shape.r * shape.s;
    for (int i = 0; i < filled; ++i) {
        out.Data[segment + i] = Data[i];
        out.Index[segment + i] = Index[i];
    }
    for (int n = 0; n < windows; ++n) out.Count[first + n] = Count[n];
}

/// Dynamic shared memory: Data and Index, blockDim.x segments of pool_h pool_w r s elements each, then Count,
/// blockDim.x segments of pool_h pool_w ints. Grid: x pooling-pack rows, y tiles of blockDim.x results where a row is
/// wider than a block.
template <bool exporting>
KERNEL pecr1(KernelShape shape, Global<const float> x, Global<const float> filter, Global<float> y, PecrExport out) {
    const int windows = shape.pool_h * shape.pool_w;
    const int capacity = windows * shape.r * shape.s;
    DYNAMIC_SHARED(memory);
    Shared<float> all_Data = memory.take<float>(blockDim.x * capacity);
    Shared<int> all_Index = memory.take<int>(blockDim.x * capacity);
    Shared<int> all_Count = memory.take<int>(blockDim.x * windows);

    const int out_row = blockIdx.x;
    const int out_column = blockIdx.y * blockDim.x + threadIdx.x;
    if (out_column >= shape.out_w) return;
    Shared<float> Data = all_Data + threadIdx.x * capacity;
    Shared<int> Index = all_Index + threadIdx.x * capacity;
    Shared<int> Count = all_Count + threadIdx.x * windows;

    // Algorithm 3: compress the windows of this thread's pooling window, one behind the other.
    int filled = 0;
    for (int n = 0; n < windows; ++n) {
        const int row = (out_row * shape.pool_stride + n / shape.pool_w) * shape.stride_h - shape.pad_h;
        const int column = (out_column * shape.pool_stride + n % shape.pool_w) * shape.stride_w - shape.pad_w;
        const int before = filled;
        for (int i = 0; i < shape.r; ++i) {
            for (int j = 0; j < shape.s; ++j) {
                const float value = element_or_zero(x, 0, shape, row + i, column + j);
                if (value != 0.0f) {
                    Data[filled] = value;
                    Index[filled] = i * shape.s + j;
                    ++filled;
                }
            }
        }
        Count[n] = filled - before;
    }

    // Algorithm 4: one SpMV per window, then ReLU and the maximum. Starting from zero is the ReLU. Four elements to a
    // step, so that their loads are on their way together; lanes with windows of different lengths take the steps side
    // by side.
    constexpr int loads = 4;
    const int result = out_row * shape.out_w + out_column;
    float most = 0.0f;
    int next = 0;
    for (int n = 0; n < windows; ++n) {
        const int end = next + Count[n];
        float sum = 0.0f;
        NO_UNROLL for (int i = next; i < end; i += loads) {
            UNROLL for (int j = 0; j < loads; ++j) {
                if (i + j < end) sum = fmaf(Data[i + j], filter[Index[i + j]], sum);
            }
        }
        next = end;
        most = max_or_nan(most, sum);
        if constexpr (exporting) {
            const int i = n / shape.pool_w, j = n % shape.pool_w;
            // Several pooling windows may share this result: the last of them along each axis stores it.
            const bool last_row = i < shape.pool_stride || out_row == shape.out_h - 1;
            const bool last_column = j < shape.pool_stride || out_column == shape.out_w - 1;
            const int conv_row = out_row * shape.pool_stride + i;
            if (last_row && last_column) out.conv[conv_row * shape.q + out_column * shape.pool_stride + j] = sum;
        }
    }
    y[result] = most;
    if constexpr (exporting) export_pooling_window(shape, Data, Index, Count, filled, result, out);
}

}  // namespace convscope::CONVSCOPE_DIALECT
