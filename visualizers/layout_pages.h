// What each composed view consists of: its figures, how they may be arranged, and its sentences.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "visualizers/figure_board.h"
#include "visualizers/links.h"

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
};

LayoutPage ecr_page(const LayoutScene&, const ThreadMap&, const ViewStyle&);
LayoutPage pecr_page(const LayoutScene&, const ThreadMap&, const ViewStyle&);
LayoutPage mec_page(const LayoutScene& mec, const LayoutScene& im2col, const ViewStyle&);
LayoutPage map_page(const LayoutScene&, ArrayId);

// Shared by the pages.

/// "i_h \u00d7 i_w = 5 \u00d7 5": a size with the papers' symbols.
std::string symbol_size(const char* symbols, std::int64_t rows, std::int64_t cols);
/// Block rows beside the input: all of them on a small map, else the one that is shown. 'step' and 'height' are the
/// rows of x from one block row to the next and in each.
std::vector<Bracket> block_brackets(const Theme&, std::int64_t blocks, std::int64_t shown, std::int64_t step,
                                    std::int64_t height, std::int64_t pad, std::int64_t map_rows);
/// The block row whose middle is nearest to a row of x.
std::int64_t nearest_block(double row, std::int64_t blocks, std::int64_t step, std::int64_t height, std::int64_t pad);
/// 63 % skipped, or what else there is to say.
std::string skipped(std::int64_t needed, std::int64_t dense);

}  // namespace convscope
