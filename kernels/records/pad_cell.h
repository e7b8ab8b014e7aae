// A cell of pad_h or pad_w: "1", or "0+1" where opposite sides differ: above and below the map, left and right of it.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "kernels/records/cell.h"

namespace convscope::cell {

inline constexpr std::int64_t max_pad = 2147483647;

inline std::string print_pad(std::int64_t pad, std::int64_t extra) {
    return extra == 0 ? print(pad) : fmt::format("{}+{}", pad, pad + extra);
}

inline bool is_pad(std::string_view column) {
    return column == "pad_h" || column == "pad_w";
}

/// The first number of "0+1", or the whole text where there is one number.
inline std::string_view near_side(std::string_view text) {
    return text.substr(0, text.find('+', 1));
}

/// The excess of the second number over the first; 0 where there is none.
inline std::int64_t read_pad_extra(std::string_view text) {
    const std::string_view first = near_side(text);
    if (first == text) return 0;
    std::int64_t near = 0, far = 0;
    for (const auto& [part, value] : {std::pair{first, &near}, {text.substr(first.size() + 1), &far}}) {
        const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), *value);
        if (error != std::errc() || stop != part.data() + part.size() || *value < 0 || *value > max_pad)
            throw BadCell(fmt::format("'{}' is not a padding; it is one number, or two as 0+1, each from 0 to {}", text,
                                      max_pad));
    }
    return far - near;
}

}  // namespace convscope::cell
