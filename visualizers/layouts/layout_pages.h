// The content of each composed view: its figures, their possible arrangements, and its sentences.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "visualizers/explain/lead.h"
#include "visualizers/layouts/figure_board.h"
#include "visualizers/style/view_style.h"

namespace convscope {

struct PageText {
    Lead lead;              ///< one plain sentence with the number in it
    std::string formula;    ///< where it comes from, with the paper's symbols
    std::string more = {};  ///< what else there is to say; empty: nothing
};

struct LayoutPage {
    std::function<void(FigureBoard&, std::int64_t block)> compose;
    std::vector<Arrangement> arrangements;  ///< the one nearest to the paper's figure first
    std::function<PageText(std::int64_t block)> text;
    bool has_blocks = false;              ///< one block row is taken apart
    const LayoutScene* second = nullptr;  ///< a second scene on the page
    std::int64_t figures = 0;             ///< how many there are
};

/// The additions of a second layout, of the same map, to a page: the arrays that are its own.
struct CompanionPage {
    std::function<void(FigureBoard&, std::int64_t block)> compose;
    std::int64_t figures = 0;
    bool has_blocks = false;
};
CompanionPage companion_page(const LayoutScene&, const ThreadMap&, const ViewStyle&);
/// The page with the second layout's figures to the right of it or below.
std::vector<Arrangement> with_companion(const LayoutPage&, const CompanionPage&);
/// The format's own arrays, without x, w and what comes out; of the formats with block rows, those of one.
std::vector<Figure> ecr_figures(const LayoutScene&, const ThreadMap&, const ViewStyle&, std::int64_t block);
std::vector<Figure> pecr_figures(const LayoutScene&, const ThreadMap&, const ViewStyle&, std::int64_t block);
Figure mec_figure(const LayoutScene& mec, const ViewStyle&, std::int64_t partition);
Figure im2col_figure(const LayoutScene& im2col, const ViewStyle&);

LayoutPage ecr_page(const LayoutScene&, const ThreadMap&, const ViewStyle&);
LayoutPage pecr_page(const LayoutScene&, const ThreadMap&, const ViewStyle&);
LayoutPage mec_page(const LayoutScene& mec, const LayoutScene& im2col, const ViewStyle&);
LayoutPage map_page(const LayoutScene&, ArrayId);
LayoutPage output_page(const LayoutScene&, const ViewStyle&);

}  // namespace convscope
