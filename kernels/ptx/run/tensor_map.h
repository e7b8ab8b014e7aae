// The tensor in global memory that cp.async.bulk.tensor copies from or to (cuTensorMapEncodeTiled in the CUDA driver).
// The kernel gets it as a parameter of 128 bytes, in a format of our own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace convscope::ptx {

constexpr std::size_t tensor_map_bytes = 128, max_tensor_dims = 5;

/// Sizes in elements, the innermost first; the tensor is dense. Every element_strides[i]th element that a box covers is
/// copied.
struct TensorBox {
    std::vector<std::int64_t> sizes, box;
    std::vector<std::int64_t> element_strides = {};  ///< empty: each 1
    unsigned swizzle = 0;                            ///< bytes: 0, 32, 64, 128

    /// Why no map with elements of this size can be made of it, as half a sentence; empty where one can.
    std::string reason(unsigned element_bytes) const;
};

struct TensorMap {
    std::uint64_t magic = 0;                                    ///< tells it from other bytes
    std::uint64_t address = 0;                                  ///< of the tensor
    std::array<std::uint32_t, max_tensor_dims> sizes{}, box{};  ///< box: elements that are copied
    std::array<std::uint32_t, max_tensor_dims> element_strides{};
    std::uint32_t dims = 0, element_bytes = 0, swizzle = 0;

    static TensorMap of(const TensorBox&, std::uint64_t address, unsigned element_bytes);
    bool is_valid() const;
    std::uint32_t box_bytes() const;
    /// The position of byte 'at' of a box that lies at this address in shared memory.
    std::uint64_t swizzled(std::uint64_t at) const { return at ^ (at >> 7 & (swizzle / 16 - (swizzle != 0))) << 4; }
};
static_assert(sizeof(TensorMap) <= tensor_map_bytes);

}  // namespace convscope::ptx
