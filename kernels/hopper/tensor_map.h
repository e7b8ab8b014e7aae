// Encodes tensor maps (CUtensorMap), by which TMA copies boxes of a tensor (bulk_copy.h). Plain C++ on the host.
#pragma once

#include <cuda.h>

#include <string>

#include "kernels/layers/conv_shape.h"

namespace convscope::hopper {

/// Channels of a box: a row of 128 bytes, the widest that TMA swizzles.
constexpr int box_channels = 32;

/// Encodes x, NHWC on the device, in boxes of 'rows' x 'columns' pixels x 32 channels with the 128-byte swizzle that
/// make_descriptor() describes. Coordinates are (channel, column, row, image). A box takes every pixel, or every
/// 'step_h'th row and 'step_w'th column. c is a multiple of 4. Throws Error(failed).
CUtensorMap map_of_pixels(const float* x, const ConvShape&, int rows, int columns, int step_h = 1, int step_w = 1);

/// Why no GPU of this machine runs code for compute capability 9.0a, as half a sentence; empty where one does.
std::string missing_gpu();

}  // namespace convscope::hopper
