// Shared by the pages: sizes with their symbols, brackets of block rows, names of threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "visualizers/explain/lead.h"
#include "visualizers/explain/notation.h"
#include "visualizers/layouts/figure_board.h"

namespace convscope {

/// A dot between symbols, as parse_math reads it.
inline constexpr const char* tex_dot = " \\cdot ";
/// "$i_h \times i_w = 5 \times 5$": a size with its symbols.
std::string symbol_size(const std::string& symbols, std::int64_t rows, std::int64_t cols);
/// Sizes of the input, the filter and the convolution's output.
std::string input_size(const ConvShape&, Notation);
std::string filter_size(const ConvShape&, Notation);
std::string output_size(const ConvShape&, Notation);
/// The padded map's height: "i_h", or in cuDNN's notation "h", with padding
/// "(h + 2 pad_h)", or "(h + pad_top + pad_bottom)" where they differ; for parse_math.
std::string padded_height(const ConvShape&, Notation);
/// Block rows next to the input: all of them on a small map, else the one that is shown. 'step' and 'height' are the
/// rows of x from one block row to the next and in each.
std::vector<Bracket> block_brackets(const Theme&, std::int64_t blocks, std::int64_t shown, std::int64_t step,
                                    std::int64_t height, std::int64_t pad, std::int64_t map_rows);
/// Threads of up to a warp have a colour each; more are coloured by their warps.
struct ThreadColors {
    std::int64_t threads = 1;  ///< of a block
    std::int64_t per_color() const { return threads > 32 ? 32 : 1; }
    std::int64_t category(std::int64_t row) const { return row % threads / per_color(); }
};
/// Output rows carry the block row that makes them, where there is room for the names.
void name_block_rows(Figure&, const Theme&);
/// Names, colours and links of the threads that own the rows of a figure.
void name_threads(Figure&, const Theme&, ThreadColors, std::int64_t block);
/// The block row whose middle is nearest to a row of x.
std::int64_t nearest_block(double row, std::int64_t blocks, std::int64_t step, std::int64_t height, std::int64_t pad);
/// "B1 skips 63 % of its multiplications: 10 of 27 are needed".
Lead lead_of_block(std::int64_t block, std::int64_t needed, std::int64_t dense);

}  // namespace convscope
