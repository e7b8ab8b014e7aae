// Reads the printed name of an enumeration's value.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>

#include "kernels/core/error.h"

namespace convscope {

/// The value whose to_string() is 'text'. Throws Error(usage) that lists the accepted names; 'what' is what they name.
template <class Enum, std::size_t N>
Enum parse_name(const std::array<Enum, N>& values, const std::string& text, const char* what) {
    std::string accepted;
    for (Enum value : values) {
        if (text == to_string(value)) return value;
        accepted += (accepted.empty() ? "" : ", ") + std::string(to_string(value));
    }
    throw Error(ErrorKind::usage, fmt::format("'{}' is not a {}; accepted are {}", text, what, accepted));
}

}  // namespace convscope
