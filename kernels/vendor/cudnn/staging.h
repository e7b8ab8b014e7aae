// Numbers as cuDNN's device memory holds them: FP32, or rounded to FP16.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/method/method.h"

namespace convscope::cudnn {

/// Bytes of one element of x, w and y.
constexpr std::int64_t element_bytes(DType dtype) {
    return dtype == DType::f16 ? 2 : 4;
}
std::vector<std::byte> pack(const std::vector<float>& values, DType);
/// 'values' has its final size.
void unpack(const std::vector<std::byte>& bytes, DType, std::vector<float>& values);

/// Every byte of a NaN, in FP32 and in FP16.
inline constexpr int poison = 0xFF;

}  // namespace convscope::cudnn
