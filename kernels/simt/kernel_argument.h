// The argument for one of a kernel's parameters, as the checker and the trace know it.
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/simt/kernel_shape.h"

namespace convscope::simt {

struct KernelArgument {
    const void* address = nullptr;  ///< that it holds; null for one that is no pointer
    /// Whole numbers: of a KernelShape by member, of a number itself by "". Empty for everything else.
    std::vector<std::pair<const char*, std::int64_t>> numbers;
};

inline constexpr std::pair<const char*, int KernelShape::*> kernel_shape_members[] = {
    {"n", &KernelShape::n},
    {"c", &KernelShape::c},
    {"h", &KernelShape::h},
    {"w", &KernelShape::w},
    {"k", &KernelShape::k},
    {"r", &KernelShape::r},
    {"s", &KernelShape::s},
    {"stride_h", &KernelShape::stride_h},
    {"stride_w", &KernelShape::stride_w},
    {"pad_h", &KernelShape::pad_h},
    {"pad_w", &KernelShape::pad_w},
    {"p", &KernelShape::p},
    {"q", &KernelShape::q},
    {"pool_h", &KernelShape::pool_h},
    {"pool_w", &KernelShape::pool_w},
    {"pool_stride", &KernelShape::pool_stride},
    {"out_h", &KernelShape::out_h},
    {"out_w", &KernelShape::out_w}};
static_assert(sizeof(KernelShape) == std::size(kernel_shape_members) * sizeof(int), "a member is missing");

template <class T>
std::vector<std::pair<const char*, std::int64_t>> numbers_of(const T& value) {
    std::vector<std::pair<const char*, std::int64_t>> numbers;
    if constexpr (std::is_integral_v<T>)
        numbers.emplace_back("", static_cast<std::int64_t>(value));
    else if constexpr (std::is_same_v<T, KernelShape>)
        for (const auto& [name, member] : kernel_shape_members) numbers.emplace_back(name, value.*member);
    return numbers;
}

}  // namespace convscope::simt
