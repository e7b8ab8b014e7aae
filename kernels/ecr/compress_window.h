// Compressing one window of all channels with one warp: the step that ecr3 and pecr3 share.
#pragma once

#include "kernels/simt/feature_map.h"

namespace convscope::CONVSCOPE_DIALECT {

/// Appends the non-zero elements of a window to the segment that starts at 'segment' of values and positions, in the
/// order (c, r, s), each with its place (c r + i) s + j in a filter. All 32 lanes call it together; every lane gets
/// the count. (row, column) is the window's corner on the padded map; x_first the first element of its image.
DEVICE int compress_window(const KernelShape& shape, Global<const float> x, int x_first, int row, int column,
                           Global<float> values, Global<int> positions, long long segment) {
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x % 32;
    const int window = shape.r * shape.s;
    const int elements = shape.c * window;
    // This lane's element as (channel, i, j), and the step to its next one, 32 elements on: no division in the loop.
    int channel = lane / window, i = lane % window / shape.s, j = lane % shape.s;
    const int step_channel = 32 / window, step_i = 32 % window / shape.s, step_j = 32 % shape.s;
    // One warp walks the whole window, so what counts is how many of its loads are on their way at once.
    constexpr int loads = 8;
    int count = 0;
    for (int start = 0; start < elements; start += 32 * loads) {
        float loaded[loads];
        UNROLL for (int load = 0; load < loads; ++load) {
            float value = 0.0f;
            if (channel < shape.c)
                value = element_or_zero(x, x_first + channel * shape.h * shape.w, shape, row - shape.pad_h + i,
                                        column - shape.pad_w + j);
            loaded[load] = value;
            j += step_j;
            i += step_i;
            channel += step_channel;
            if (j >= shape.s) {
                j -= shape.s;
                ++i;
            }
            if (i >= shape.r) {
                i -= shape.r;
                ++channel;
            }
        }
        UNROLL for (int load = 0; load < loads; ++load) {
            const int first = start + 32 * load;
            if (first >= elements) break;
            const float value = loaded[load];
            // Lanes with a non-zero value take places in lane order.
            const unsigned nonzero = __ballot_sync(all_lanes, value != 0.0f);
            if (value != 0.0f) {
                const int before = __popc(nonzero & ((1u << lane) - 1));
                values[segment + count + before] = value;
                positions[segment + count + before] = first + lane;
            }
            count += __popc(nonzero);
        }
    }
    return count;
}

}  // namespace convscope::CONVSCOPE_DIALECT
