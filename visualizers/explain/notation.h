// The notation of formulas and labels: the papers' symbols, or cuDNN's, which the fields, flags and files have.
#pragma once

#include <string>

namespace convscope {

struct Math;

enum class Notation { paper, cudnn };
inline constexpr int notation_count = 2;
const char* to_string(Notation);  ///< "paper", "cudnn"

/// The meaning of a symbol.
enum class LayerSize {
    images,
    channels,
    map_h,
    map_w,
    filters,
    filter_h,
    filter_w,
    out_h,
    out_w,
    stride,  ///< in both directions
    stride_h,
    stride_w,
    pool_h,
    pool_w,
    pool_stride
};

/// In plain text: "i_h" or "h". The papers' maps are padded already; in cuDNN's notation h is without.
const char* symbol(LayerSize, Notation);
/// As parse_math reads them, several with a sign between them: "i_h \times i_w", "\text{pool}_h".
std::string tex_symbol(LayerSize, Notation);
template <class... Sizes>
std::string tex_symbols(Notation notation, const char* sign, LayerSize first, Sizes... more) {
    std::string text = tex_symbol(first, notation);
    ((text += sign, text += tex_symbol(more, notation)), ...);
    return text;
}

/// "padded_h s c", in cuDNN's symbols, as a product for parse_math: "i_h \cdot k_w \cdot i_c". What is no symbol of the
/// papers stays.
std::string tex_product(const std::string& cudnn_names, Notation);

/// Mathematics that was written with the papers' symbols, in this notation. The papers' padded height is h + 2 pad_h.
Math in_notation(const Math&, Notation);

}  // namespace convscope
