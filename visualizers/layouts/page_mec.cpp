// Cho & Brand 2017, Figs. 1 and 2: MEC's L with its partitions next to the im2col matrix. The columns of L that two
// neighbouring partitions share have a dashed frame.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "visualizers/layouts/layout_pages.h"
#include "visualizers/layouts/page_parts.h"

namespace convscope {
namespace {

constexpr std::int64_t max_brackets = 14, max_lanes = 5;  // more than these are clutter

using Kind = LinkGroup::Kind;

bool all_fit(std::int64_t count, std::int64_t lanes) {
    return count <= max_brackets && lanes <= max_lanes;
}

/// Partitions from 'first' on get brackets: all of them, or where these are too many two neighbours.
struct Range {
    std::int64_t first, end, lanes;
};

Range shown(std::int64_t count, std::int64_t lanes, std::int64_t wanted) {
    if (all_fit(count, lanes)) return {0, count, lanes};
    const std::int64_t first = std::clamp<std::int64_t>(wanted, 0, std::max<std::int64_t>(0, count - 2));
    return {first, std::min(count, first + 2), 2};
}

/// Output rows carry the partition that makes them.
void label_rows(Figure& figure, const ConvShape& s, const Theme& theme) {
    if (s.p() > max_brackets) return;
    figure.row_label = [s](std::int64_t row) { return mec_partition_label(row, s); };
    figure.row_color = [&theme](std::int64_t row) { return theme.category(row); };
    figure.row_group = [](std::int64_t row) { return LinkGroup{Kind::partition, row, 0}; };
}

/// Windows A, B, ...: the strips of x that become the rows of L.
std::vector<Bracket> windows(const ConvShape& s, const Theme& theme) {
    const std::int64_t lanes = (s.s + s.stride_w - 1) / s.stride_w;
    const Range range = shown(s.q(), lanes, 0);
    std::vector<Bracket> brackets;
    for (std::int64_t ox = range.first; ox < range.end; ++ox)
        brackets.push_back({ox * s.stride_w - s.pad_w, s.s, mec_window_label(ox, s), theme.vendor,
                            static_cast<int>(ox % range.lanes), LinkGroup{Kind::window, ox, 0}});
    return brackets;
}

PageText text(const ConvShape& s, Notation notation, std::int64_t partition) {
    const std::int64_t l = s.mec_elements(), matrix = s.im2col_elements();
    PageText text;
    const std::string elements = format_count(l), of_im2col = format_count(matrix);
    if (l < matrix) {
        const double share = 1 - static_cast<double>(l) / static_cast<double>(matrix);
        text.lead = {"MEC saves ", format_percent(share),
                     fmt::format(": L has {} elements, im2col {}", elements, of_im2col), share};
    } else {
        text.lead = {"MEC saves ", "nothing", fmt::format(": L has {} elements, im2col {}", elements, of_im2col)};
    }
    text.more = describe_mec_overlap(partition, s);
    text.formula = fmt::format(
        "L: ${} \\cdot {} \\cdot {} = {} \\cdot {} \\cdot {} = \\text{{{}}}$; "
        "im2col: ${} = {} \\cdot {} = \\text{{{}}}$ (Cho & Brand, Eqs. 2-3)",
        tex_symbol(LayerSize::out_w, notation), padded_height(s, notation), tex_symbol(LayerSize::filter_w, notation),
        s.q(), s.padded_h(), s.s, format_count(l),
        tex_symbols(notation, tex_dot, LayerSize::out_h, LayerSize::out_w, LayerSize::filter_h, LayerSize::filter_w),
        s.p() * s.q(), s.window(), format_count(matrix));
    return text;
}

}  // namespace

Figure mec_figure(const LayoutScene& mec, const ViewStyle& style, std::int64_t partition) {
    const ConvShape& s = mec.map_values().shape();
    const Theme& theme = *style.theme;
    Figure figure = whole_array(
        mec, ArrayId::L, "MEC's L",
        symbol_size(fmt::format("{} \\times {} \\cdot {}", tex_symbol(LayerSize::out_w, style.notation),
                                padded_height(s, style.notation), tex_symbol(LayerSize::filter_w, style.notation)),
                    s.q(), s.padded_h() * s.s));
    const std::int64_t step = s.stride_h * s.s;
    const Range range = shown(s.p(), (s.r + s.stride_h - 1) / s.stride_h, partition);
    for (std::int64_t oy = range.first; oy < range.end; ++oy)
        figure.above.push_back({oy * step, s.window(), mec_partition_label(oy, s), theme.category(oy),
                                static_cast<int>(oy % range.lanes), LinkGroup{Kind::partition, oy, 0}});
    if (const std::int64_t shared = mec_shared_columns(s); shared > 0 && s.p() > 1) {
        const std::int64_t oy = std::clamp<std::int64_t>(partition, 0, s.p() - 2);
        figure.decor.outlines.push_back({0, (oy + 1) * step, s.q(), shared, theme.text, 1.25f, 0, true});
    }
    if (s.q() <= max_brackets) {
        figure.row_label = [s](std::int64_t row) { return mec_window_label(row, s); };
        figure.row_color = [&theme](std::int64_t) { return theme.vendor; };
        figure.row_group = [](std::int64_t row) { return LinkGroup{Kind::window, row, 0}; };
    }
    return figure;
}

Figure im2col_figure(const LayoutScene& im2col, const ViewStyle& style) {
    const ConvShape& s = im2col.map_values().shape();
    Figure figure =
        whole_array(im2col, ArrayId::im2col, "im2col matrix",
                    symbol_size(tex_symbols(style.notation, tex_dot, LayerSize::out_h, LayerSize::out_w) + " \\times " +
                                    tex_symbols(style.notation, tex_dot, LayerSize::filter_h, LayerSize::filter_w),
                                s.p() * s.q(), s.window()));
    if (s.p() > max_brackets) return figure;
    for (std::int64_t oy = 0; oy < s.p(); ++oy)
        figure.left.push_back({oy * s.q(), s.q(), mec_partition_label(oy, s), style.theme->category(oy), 0,
                               LinkGroup{Kind::partition, oy, 0}});
    return figure;
}

LayoutPage mec_page(const LayoutScene& mec, const LayoutScene& im2col, const ViewStyle& style) {
    auto compose = [&mec, &im2col, &style](FigureBoard& board, std::int64_t partition) {
        const ConvShape& s = mec.map_values().shape();
        Figure x = whole_array(mec, ArrayId::x, "Input x", input_size(s, style.notation));
        x.indices = true;
        x.above = windows(s, *style.theme);
        board.add(std::move(x));
        board.add(whole_array(mec, ArrayId::w, "Filter w", filter_size(s, style.notation)));
        Figure y = whole_array(mec, ArrayId::y, "Output y", output_size(s, style.notation));
        label_rows(y, s, *style.theme);
        board.add(std::move(y));
        board.add(mec_figure(mec, style, partition));
        board.add(im2col_figure(im2col, style));
    };
    enum { x, w, y, l, matrix };
    const Arrangement top = Arrangement::row({x, w, y});
    return {compose,
            {Arrangement::row({Arrangement::column({top, l}), matrix}),
             Arrangement::column({top, Arrangement::row({l, matrix})}),
             Arrangement::row({Arrangement::column({x, w}), Arrangement::column({l, y}), matrix}),
             Arrangement::row({Arrangement::column({x, Arrangement::row({w, y})}), l, matrix})},
            [&mec, notation = style.notation](std::int64_t partition) {
                return text(mec.map_values().shape(), notation, partition);
            },
            false,
            &im2col,
            5};
}

}  // namespace convscope
