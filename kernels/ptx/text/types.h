// The types and state spaces of PTX (PTX ISA, 5.1 and 5.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace convscope::ptx {

enum class Space : std::uint8_t { generic, global, shared, local, constant, parameter };

enum class Type : std::uint8_t {
    none,
    pred,
    b8,
    u8,
    s8,
    b16,
    u16,
    s16,
    f16,
    bf16,
    b32,
    u32,
    s32,
    f32,
    f16x2,
    bf16x2,
    tf32,
    b64,
    u64,
    s64,
    f64,
    b128
};  // clang-format would give each a line

/// Parses "f32" and the like; empty for anything else.
std::optional<Type> parse_type(std::string_view);
const char* to_string(Type);
/// Bytes of an element; 4 for a predicate: a warp's 32 lanes, a bit each.
unsigned bytes_of(Type);
bool is_signed(Type);  ///< s8 to s64
bool is_real(Type);    ///< f16, bf16, their pairs, tf32, f32, f64

}  // namespace convscope::ptx
