// Splits PTX into tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace convscope::ptx {

/// One token: a word ("ld.global.f32", "%r1", "0f3F800000", ".reg"), a quoted text, or one sign. The last one is empty.
struct Token {
    std::string_view text;
    std::uint32_t line = 0;
};

/// Leaves out comments. The tokens point into 'text'.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace convscope::ptx
