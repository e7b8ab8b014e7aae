#include "kernels/ptx/run/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>

namespace convscope::ptx {
namespace {

constexpr double max_box_bytes = 227 * 1024;
constexpr std::uint64_t tensor_map_magic = 0x70616d726f736e74;

}  // namespace

/// As the driver has it ('cuTensorMapEncodeTiled').
std::string TensorBox::reason(unsigned element_bytes) const {
    constexpr std::int64_t max_box = 256, alignment = 16;
    if (sizes.empty() || sizes.size() > max_tensor_dims)
        return fmt::format("a tensor of {} dimensions; it can have 1 to {}", sizes.size(), max_tensor_dims);
    if (box.size() != sizes.size())
        return fmt::format("a box of {} sizes for a tensor of {} dimensions", box.size(), sizes.size());
    for (const std::int64_t size : box)
        if (size < 1 || size > max_box) return fmt::format("a box of size {}; accepted is 1 to {}", size, max_box);
    for (const std::int64_t size : sizes)
        if (size > std::int64_t{UINT32_MAX}) return fmt::format("a tensor of size {}, which is too large", size);
    if (sizes.size() > 1 && sizes[0] * element_bytes % alignment != 0)
        return fmt::format("rows of {} bytes, which is not a multiple of {}", sizes[0] * element_bytes, alignment);
    double box_bytes = element_bytes;
    for (const std::int64_t size : box) box_bytes *= static_cast<double>(size);
    if (box_bytes > max_box_bytes) return fmt::format("a box of {:.0f} bytes, more than shared memory has", box_bytes);
    const std::int64_t row = box[0] * element_bytes;
    if (row % alignment != 0) return fmt::format("a box with rows of {} bytes; accepted are multiples of 16", row);
    if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
        return fmt::format("a swizzle of {} bytes; accepted are 0, 32, 64 and 128", swizzle);
    if (swizzle != 0 && row > swizzle)
        return fmt::format("a box with rows of {} bytes for a swizzle of {}", row, swizzle);
    return {};
}

TensorMap TensorMap::of(const TensorBox& tensor, std::uint64_t address, unsigned element_bytes) {
    TensorMap map;
    map.magic = tensor_map_magic;
    map.address = address;
    std::ranges::transform(tensor.sizes, map.sizes.begin(), [](auto size) { return static_cast<std::uint32_t>(size); });
    for (std::size_t i = 0; i < tensor.box.size(); ++i) {
        const std::int64_t stride = tensor.element_strides.empty() ? 1 : tensor.element_strides[i];
        map.element_strides[i] = static_cast<std::uint32_t>(stride);
        map.box[i] = static_cast<std::uint32_t>((tensor.box[i] + stride - 1) / stride);
    }
    map.dims = static_cast<std::uint32_t>(tensor.sizes.size());
    map.element_bytes = element_bytes;
    map.swizzle = tensor.swizzle;
    return map;
}

bool TensorMap::is_valid() const {
    return magic == tensor_map_magic;
}

std::uint32_t TensorMap::box_bytes() const {
    std::uint32_t bytes = element_bytes;
    for (std::uint32_t i = 0; i < dims; ++i) bytes *= box[i];
    return bytes;
}

}  // namespace convscope::ptx
