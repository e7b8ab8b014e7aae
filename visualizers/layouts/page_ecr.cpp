// Xu 2019, Figs. 4 and 6: the map cut into block rows, one of them taken apart into F_data, K_data and Ptr.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "visualizers/layouts/layout_pages.h"
#include "visualizers/layouts/page_parts.h"

namespace convscope {
namespace {

class EcrPage {
public:
    EcrPage(const LayoutScene& scene, const ThreadMap& map, const ViewStyle& style)
        : scene_(scene), s_(scene.map_values().shape()), theme_(*style.theme), notation_(style.notation) {
        threads_ = map.threads_per_block > 0 ? std::min(map.threads_per_block, s_.q()) : s_.q();
    }

    void compose(FigureBoard& board, std::int64_t block) const {
        board.add(input(block));
        Figure filter = whole_array(scene_, ArrayId::w, "Filter w", filter_size(s_, notation_));
        board.add(std::move(filter));
        for (Figure& figure : own(block)) board.add(std::move(figure));
        board.add(output(block));
    }

    std::vector<Figure> own(std::int64_t block) const {
        return {threads(ArrayId::F_data, block, "non-zero inputs"), threads(ArrayId::K_data, block, "their weights"),
                ptr(block)};
    }

    PageText text(std::int64_t block) const {
        const std::int64_t dense = s_.q() * s_.window(), needed = scene_.map_values().needed_in_row(block);
        const std::int64_t all_dense = s_.multiplications_per_map(), all = scene_.map_values().needed_in_all();
        PageText text;
        text.lead = lead_of_block(block, needed, dense);
        const std::string factors = tex_symbols(notation_, tex_dot, LayerSize::out_h, LayerSize::out_w,
                                                LayerSize::filter_h, LayerSize::filter_w);
        text.formula = fmt::format("whole map: {} of {} (${} = {} \\cdot {} \\cdot {} \\cdot {}$; Xu 2019, Eq. 1)",
                                   format_count(all), format_count(all_dense), factors, s_.p(), s_.q(), s_.r, s_.s);
        return text;
    }

private:
    Figure input(std::int64_t block) const {
        Figure figure = whole_array(scene_, ArrayId::x, "Input x", input_size(s_, notation_));
        figure.indices = true;
        figure.left = block_brackets(theme_, s_.p(), block, s_.stride_h, s_.span_h(), s_.pad_h, s_.h);
        figure.block_at = [s = s_](double row) { return nearest_block(row, s.p(), s.stride_h, s.span_h(), s.pad_h); };
        return figure;
    }

    /// With every slot that a window can fill: another block row, and other zeros, move nothing.
    Figure threads(ArrayId id, std::int64_t block, std::string note) const {
        Figure figure = array_rows(scene_, id, block * s_.q(), s_.q(), s_.window());
        figure.title = fmt::format("{} of B{}", to_string(id), block + 1);
        figure.widest_title = fmt::format("{} of B{}", to_string(id), s_.p());
        figure.note = std::move(note);
        const ThreadColors colors{threads_};
        figure.decor.tint_rows = colors.per_color();
        if (id == ArrayId::F_data) name_threads(figure, theme_, colors, block);
        return figure;
    }

    Figure ptr(std::int64_t block) const {
        Figure figure = array_rows(scene_, ArrayId::Ptr, block, s_.q(), 1);
        figure.source.row_stride = 1;
        figure.row_as_column = true;
        figure.title = "Ptr";
        figure.note = "count";
        return figure;
    }

    Figure output(std::int64_t block) const {
        Figure figure = whole_array(scene_, ArrayId::y, "Output y", output_size(s_, notation_));
        figure.indices = true;
        name_block_rows(figure, theme_);
        figure.decor.outlines.push_back({block, 0, 1, s_.q(), theme_.category(block), 2, 0});
        return figure;
    }

    const LayoutScene& scene_;
    const ConvShape& s_;
    const Theme& theme_;
    Notation notation_;
    std::int64_t threads_ = 1;
};

}  // namespace

LayoutPage ecr_page(const LayoutScene& scene, const ThreadMap& map, const ViewStyle& style) {
    const EcrPage page(scene, map, style);
    enum { x, w, F, K, ptr, y };
    return {[page](FigureBoard& board, std::int64_t block) { page.compose(board, block); },
            {Arrangement::column({Arrangement::row({x, w, y}), Arrangement::row({F, K, ptr})}),
             Arrangement::row({x, w, F, K, ptr, y}),
             Arrangement::column({Arrangement::row({x, w, y}), Arrangement::row({F, ptr}), K}),
             Arrangement::row({Arrangement::column({x, Arrangement::row({w, y})}), F, K, ptr}),
             Arrangement::row({Arrangement::column({x, w}), F, K, ptr, y})},
            [page](std::int64_t block) { return page.text(block); },
            true,
            nullptr,
            6};
}

std::vector<Figure> ecr_figures(const LayoutScene& scene, const ThreadMap& map, const ViewStyle& style,
                                std::int64_t block) {
    return EcrPage(scene, map, style).own(block);
}

}  // namespace convscope
