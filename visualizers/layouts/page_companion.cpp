// A second layout on a page: its own arrays, to the right of the first or below it.
#include "visualizers/layouts/layout_pages.h"
#include "visualizers/layouts/page_parts.h"

namespace convscope {
namespace {

/// PECR's output is not that of a convolution alone, so it is shown with it.
Figure pooled_output(const LayoutScene& scene, const ViewStyle& style, std::int64_t block) {
    Figure y = whole_array(scene, ArrayId::y, "PECR's y", "ReLU, max-pooled");
    y.indices = true;
    name_block_rows(y, *style.theme);
    y.decor.outlines.push_back(
        {block, 0, 1, scene.map_values().shape().out_w(), style.theme->category(block), 2, 0, false});
    return y;
}

}  // namespace

CompanionPage companion_page(const LayoutScene& scene, const ThreadMap& map, const ViewStyle& style) {
    const auto add_all = [](FigureBoard& board, std::vector<Figure> figures) {
        for (Figure& figure : figures) board.add(std::move(figure));
    };
    switch (scene.format()) {
        case Format::ecr:
            return {[&scene, map, &style, add_all](FigureBoard& board, std::int64_t block) {
                        add_all(board, ecr_figures(scene, map, style, block));
                    },
                    3, true};
        case Format::pecr:
            return {[&scene, map, &style, add_all](FigureBoard& board, std::int64_t block) {
                        add_all(board, pecr_figures(scene, map, style, block));
                        board.add(pooled_output(scene, style, block));
                    },
                    4, true};
        case Format::mec:
            return {[&scene, &style](FigureBoard& board, std::int64_t) { board.add(mec_figure(scene, style, 0)); }, 1,
                    false};
        case Format::im2col:
            return {[&scene, &style](FigureBoard& board, std::int64_t) { board.add(im2col_figure(scene, style)); }, 1,
                    false};
    }
    return {};
}

std::vector<Arrangement> with_companion(const LayoutPage& page, const CompanionPage& companion) {
    std::vector<Arrangement> own;
    for (std::int64_t i = 0; i < companion.figures; ++i) own.push_back(static_cast<int>(page.figures + i));
    std::vector<Arrangement> ways{own.front()};
    if (own.size() > 1) ways = {Arrangement::column(own), Arrangement::row(own)};
    if (own.size() == 4)
        ways.push_back(
            Arrangement::row({Arrangement::column({own[0], own[1]}), Arrangement::column({own[2], own[3]})}));
    std::vector<Arrangement> all;
    for (const Arrangement& first : page.arrangements)
        for (const Arrangement& second : ways) {
            all.push_back(Arrangement::row({first, second}));
            all.push_back(Arrangement::column({first, second}));
        }
    return all;
}

}  // namespace convscope
