// The report's index helpers, as its kernels have them before fused3.
#pragma once

#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

struct PlainIndex {
    /// Into a feature map of height x width, NCHW without the batch.
    DEVICE static int feature_map_idx(int channel, int row, int column, int height, int width) {
        return (channel * height + row) * width + column;
    }
    /// Into the filters, KCRS.
    DEVICE static int weight_idx(int filter, int channel, int kh, int kw, int channels, int r, int s) {
        return ((filter * channels + channel) * r + kh) * s + kw;
    }
};

}  // namespace convscope::CONVSCOPE_DIALECT
