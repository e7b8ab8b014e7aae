// Layers on which MEC was measured (Cho & Brand 2017, Table 2), in the paper's batches of 32.
#pragma once

#include "kernels/layers/conv_shape.h"

namespace convscope::testing {

constexpr ConvShape cv1{.n = 32, .c = 3, .h = 227, .w = 227, .k = 96, .r = 11, .s = 11, .stride_h = 4, .stride_w = 4};
constexpr ConvShape cv7{.n = 32, .c = 3, .h = 224, .w = 224, .k = 64, .r = 3, .s = 3};
constexpr ConvShape cv8{.n = 32, .c = 64, .h = 112, .w = 112, .k = 128, .r = 3, .s = 3};
constexpr ConvShape cv12{.n = 32, .c = 512, .h = 7, .w = 7, .k = 512, .r = 3, .s = 3};

}  // namespace convscope::testing
