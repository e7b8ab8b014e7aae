// The words of a PTX text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace convscope::ptx {

/// A word ("ld.global.f32", "%r1", "0f3F800000", ".reg"), a text in quotes, or one sign. The last token is empty.
struct Token {
    std::string_view text;
    std::uint32_t line = 0;
};

/// Without comments. The tokens point into 'text'.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace convscope::ptx
