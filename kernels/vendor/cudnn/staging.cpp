#include "kernels/vendor/cudnn/staging.h"

#include <cuda_fp16.h>

#include <algorithm>
#include <cstring>

namespace convscope::cudnn {

std::vector<std::byte> pack(const std::vector<float>& values, DType dtype) {
    std::vector<std::byte> bytes(values.size() * static_cast<std::size_t>(element_bytes(dtype)));
    if (dtype != DType::f16) {
        std::memcpy(bytes.data(), values.data(), bytes.size());
        return bytes;
    }
    auto* halves = reinterpret_cast<__half*>(bytes.data());
    std::transform(values.begin(), values.end(), halves, [](float value) { return __float2half_rn(value); });
    return bytes;
}

void unpack(const std::vector<std::byte>& bytes, DType dtype, std::vector<float>& values) {
    if (dtype != DType::f16) {
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return;
    }
    const auto* halves = reinterpret_cast<const __half*>(bytes.data());
    std::transform(halves, halves + values.size(), values.begin(), [](__half value) { return __half2float(value); });
}

}  // namespace convscope::cudnn
