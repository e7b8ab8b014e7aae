// What each composed view consists of: its figures, how they may be arranged, and its sentences.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "visualizers/explain/links.h"
#include "visualizers/explain/notation.h"
#include "visualizers/layouts/figure_board.h"
#include "visualizers/style/view_style.h"

namespace convscope {

struct PageText {
    std::string summary;  ///< one plain sentence with the numbers in it
    std::string formula;  ///< where they come from, with the paper's symbols
};

struct LayoutPage {
    std::function<void(FigureBoard&, std::int64_t block)> compose;
    std::vector<Arrangement> arrangements;  ///< the one nearest to the paper's figure first
    std::function<PageText(std::int64_t block)> text;
    bool has_blocks = false;              ///< one block row is taken apart
    const LayoutScene* second = nullptr;  ///< a second scene on the page
    std::int64_t figures = 0;             ///< how many there are
};

/// What a second layout, of the same map, adds to a page: the arrays that are its own.
struct BesidePage {
    std::function<void(FigureBoard&, std::int64_t block)> compose;
    std::int64_t figures = 0;
    bool has_blocks = false;
};
BesidePage beside_page(const LayoutScene&, const ThreadMap&, const ViewStyle&);
/// The page with the second layout's figures to the right of it or below.
std::vector<Arrangement> with_beside(const LayoutPage&, const BesidePage&);
/// The format's own arrays, without x, w and what comes out; of the formats with block rows, those of one.
std::vector<Figure> ecr_figures(const LayoutScene&, const ThreadMap&, const ViewStyle&, std::int64_t block);
std::vector<Figure> pecr_figures(const LayoutScene&, const ThreadMap&, const ViewStyle&, std::int64_t block);
Figure mec_figure(const LayoutScene& mec, const ViewStyle&, std::int64_t partition);
Figure im2col_figure(const LayoutScene& im2col, const ViewStyle&);

LayoutPage ecr_page(const LayoutScene&, const ThreadMap&, const ViewStyle&);
LayoutPage pecr_page(const LayoutScene&, const ThreadMap&, const ViewStyle&);
LayoutPage mec_page(const LayoutScene& mec, const LayoutScene& im2col, const ViewStyle&);
LayoutPage map_page(const LayoutScene&, ArrayId);

// Shared by the pages.

/// A dot between symbols, as parse_math reads it.
inline constexpr const char* tex_dot = " \\cdot ";
/// "$i_h \times i_w = 5 \times 5$": a size with its symbols.
std::string symbol_size(const std::string& symbols, std::int64_t rows, std::int64_t cols);
/// Of the input, the filter and the convolution's output.
std::string input_size(const ConvShape&, Notation);
std::string filter_size(const ConvShape&, Notation);
std::string output_size(const ConvShape&, Notation);
/// The padded map's height: "i_h", or in cuDNN's notation "h", with padding
/// "(h + 2 pad_h)"; for parse_math.
std::string padded_height(const ConvShape&, Notation);
/// Block rows beside the input: all of them on a small map, else the one that is shown. 'step' and 'height' are the
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
/// 63 % skipped, or what else there is to say.
std::string skipped(std::int64_t needed, std::int64_t dense);

}  // namespace convscope
