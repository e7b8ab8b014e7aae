#include "visualizers/explain/notation.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "visualizers/explain/math.h"

namespace convscope {
namespace {

/// In the order of LayerSize. Xu 2019 and Cho & Brand 2017 agree but for the stride: c_s is Xu's, for both directions.
constexpr std::array<std::pair<const char*, const char*>, 15> table{{{"i_n", "n"},
                                                                     {"i_c", "c"},
                                                                     {"i_h", "h"},
                                                                     {"i_w", "w"},
                                                                     {"k_c", "k"},
                                                                     {"k_h", "r"},
                                                                     {"k_w", "s"},
                                                                     {"o_h", "p"},
                                                                     {"o_w", "q"},
                                                                     {"c_s", "stride"},
                                                                     {"s_h", "stride_h"},
                                                                     {"s_w", "stride_w"},
                                                                     {"p_h", "pool_h"},
                                                                     {"p_w", "pool_w"},
                                                                     {"p_s", "pool_stride"}}};

Math padded(const char* size, const char* pad) {
    return math_fence(
        math_row({math_of_name(size), math_sign("+"), math_text("2"), math_sign("\u00b7"), math_of_name(pad)}));
}

/// A sum that is part of a sum needs no brackets.
bool takes_no_brackets(const std::vector<Math>& parts, std::size_t i) {
    const auto binds = [](const Math& sign, const char* also = "") {
        return !sign.spaced || sign.text == "\u00b7" || sign.text == "\u00d7" || sign.text == also;
    };
    return (i == 0 || !binds(parts[i - 1], "\u2212")) && (i + 1 == parts.size() || !binds(parts[i + 1]));
}

/// A symbol with a subscript; empty for a name that is not a quantity.
Math cudnn_symbol(const std::string& name) {
    if (name == "i_h") return padded("h", "pad_h");
    if (name == "i_w") return padded("w", "pad_w");
    const auto found = std::ranges::find_if(table, [&](const auto& row) { return row.first == name; });
    return found == table.end() ? Math{} : math_of_name(found->second);
}

/// "pool_h" as parse_math reads it; letters side by side would be several symbols.
std::string tex_of(const std::string& name) {
    const std::size_t end = std::min(name.find('_'), name.size());
    return end > 1 ? "\\text{" + name.substr(0, end) + "}" + name.substr(end) : name;
}

}  // namespace

const char* to_string(Notation notation) {
    return notation == Notation::paper ? "paper" : "cudnn";
}

const char* symbol(LayerSize quantity, Notation notation) {
    const auto& row = table[static_cast<std::size_t>(quantity)];
    return notation == Notation::paper ? row.first : row.second;
}

std::string tex_symbol(LayerSize quantity, Notation notation) {
    return tex_of(symbol(quantity, notation));
}

std::string tex_product(const std::string& cudnn_names, Notation notation) {
    std::istringstream names(cudnn_names);
    std::string product;
    for (std::string name; names >> name;) {
        const std::string own = name == "padded_h" ? "h" : name;  // which the papers' is
        const auto found = std::ranges::find_if(table, [&](const auto& row) { return row.second == own; });
        if (notation == Notation::paper && found != table.end()) name = found->first;
        product += (product.empty() ? "" : " \\cdot ") + tex_of(name);
    }
    return product;
}

Math in_notation(const Math& math, Notation notation) {
    if (notation == Notation::paper) return math;
    Math other = math;
    for (Math& part : other.parts) part = in_notation(part, notation);
    for (std::size_t i = 0; math.kind == Math::Kind::row && i < other.parts.size(); ++i)
        if (other.parts[i].kind == Math::Kind::fence && math.parts[i].kind == Math::Kind::script &&
            takes_no_brackets(other.parts, i))
            other.parts[i] = Math(other.parts[i].parts[0]);
    const bool named = math.kind == Math::Kind::script && math.parts[0].kind == Math::Kind::text &&
                       math.parts[1].kind == Math::Kind::text;
    if (!named) return other;
    Math symbol = cudnn_symbol(math.parts[0].text + "_" + math.parts[1].text);
    if (symbol.empty()) return other;
    symbol.may_break = math.may_break;
    if (math.parts[2].empty()) return symbol;
    other.parts[0] = std::move(symbol);  // the power stays
    other.parts[1] = Math{};
    return other;
}

}  // namespace convscope
