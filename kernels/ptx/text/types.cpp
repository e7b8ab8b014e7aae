#include "kernels/ptx/text/types.h"

#include <algorithm>
#include <iterator>

namespace convscope::ptx {
namespace {

struct TypeRow {
    const char* name;
    unsigned bytes;
    bool is_signed, is_real;
};
/// In the order of Type.
constexpr TypeRow rows[] = {
    {"none", 0, false, false}, {"pred", 4, false, false},  {"b8", 1, false, false},   {"u8", 1, false, false},
    {"s8", 1, true, false},    {"b16", 2, false, false},   {"u16", 2, false, false},  {"s16", 2, true, false},
    {"f16", 2, false, true},   {"bf16", 2, false, true},   {"b32", 4, false, false},  {"u32", 4, false, false},
    {"s32", 4, true, false},   {"f32", 4, false, true},    {"f16x2", 4, false, true}, {"bf16x2", 4, false, true},
    {"tf32", 4, false, true},  {"b64", 8, false, false},   {"u64", 8, false, false},  {"s64", 8, true, false},
    {"f64", 8, false, true},   {"b128", 16, false, false},
};
static_assert(std::size(rows) == static_cast<std::size_t>(Type::b128) + 1);

const TypeRow& row(Type type) {
    return rows[static_cast<std::size_t>(type)];
}

}  // namespace

std::optional<Type> parse_type(std::string_view text) {
    const auto found =
        std::find_if(std::begin(rows) + 1, std::end(rows), [&](const TypeRow& r) { return text == r.name; });
    if (found == std::end(rows)) return std::nullopt;
    return static_cast<Type>(found - std::begin(rows));
}

const char* to_string(Type type) {
    return row(type).name;
}
unsigned bytes_of(Type type) {
    return row(type).bytes;
}
bool is_signed(Type type) {
    return row(type).is_signed;
}
bool is_real(Type type) {
    return row(type).is_real;
}

}  // namespace convscope::ptx
