// Cho & Brand 2017, Figs. 1 and 2: MEC's L with its partitions beside the im2col matrix.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "visualizers/layout_pages.h"

namespace convscope {
namespace {

constexpr std::int64_t most_brackets = 14, most_lanes = 5;  // more than these are clutter

class MecPage {
public:
    MecPage(const LayoutScene& mec, const LayoutScene& im2col, const ViewStyle& style)
        : mec_(mec), im2col_(im2col), s_(mec.slice().shape()), theme_(*style.theme) {}

    void compose(FigureBoard& board) const {
        Figure x = whole_array(mec_, ArrayId::x, "Input x", symbol_size("i_h \u00d7 i_w", s_.h, s_.w));
        x.indices = true;
        x.above = windows();
        board.add(std::move(x));
        board.add(whole_array(mec_, ArrayId::w, "Filter w", symbol_size("k_h \u00d7 k_w", s_.r, s_.s)));
        Figure y = whole_array(mec_, ArrayId::y, "Output y", symbol_size("o_h \u00d7 o_w", s_.p(), s_.q()));
        label_rows(y, 1);
        board.add(std::move(y));
        board.add(lowered());
        Figure matrix = whole_array(im2col_, ArrayId::im2col, "im2col matrix",
                                    symbol_size("o_h o_w \u00d7 k_h k_w", s_.p() * s_.q(), s_.window()));
        label_output_rows(matrix);
        board.add(std::move(matrix));
    }

    PageText text() const {
        const std::int64_t l = s_.mec_elements(), matrix = s_.im2col_elements();
        PageText text;
        const std::string sizes =
            fmt::format("L has {} elements, the im2col matrix {}", format_count(l), format_count(matrix));
        if (l < matrix)
            text.summary = fmt::format("{}: {} less", sizes,
                                       format_percent(1 - static_cast<double>(l) / static_cast<double>(matrix)));
        else
            text.summary = fmt::format("{}: MEC saves nothing here, its strips hardly overlap", sizes);
        text.formula = fmt::format(
            "L: o_w \u00b7 i_h \u00b7 k_w = {} \u00b7 {} \u00b7 {} = {}; im2col: o_h o_w \u00b7 k_h k_w = {} "
            "\u00b7 {} = {} (Cho & Brand, Eqs. 2-3)",
            s_.q(), s_.padded_h(), s_.s, format_count(l), s_.p() * s_.q(), s_.window(), format_count(matrix));
        return text;
    }

private:
    /// Windows A, B, ...: the strips of x that become the rows of L.
    std::vector<Bracket> windows() const {
        const std::int64_t lanes = (s_.s + s_.stride_w - 1) / s_.stride_w;
        std::vector<Bracket> brackets;
        if (s_.q() > most_brackets || lanes > most_lanes) return brackets;
        for (std::int64_t ox = 0; ox < s_.q(); ++ox)
            brackets.push_back({ox * s_.stride_w - s_.pad_w, s_.s, mec_window_name(ox, s_), theme_.vendor,
                                static_cast<int>(ox % lanes)});
        return brackets;
    }

    Figure lowered() const {
        Figure figure =
            whole_array(mec_, ArrayId::L, "MEC's L", symbol_size("o_w \u00d7 i_h k_w", s_.q(), s_.padded_h() * s_.s));
        const std::int64_t lanes = (s_.r + s_.stride_h - 1) / s_.stride_h;
        if (s_.p() <= most_brackets && lanes <= most_lanes)
            for (std::int64_t oy = 0; oy < s_.p(); ++oy)
                figure.above.push_back({oy * s_.stride_h * s_.s, s_.window(), mec_partition_name(oy, s_),
                                        theme_.category(oy), static_cast<int>(oy % lanes)});
        if (s_.q() <= most_brackets) {
            const ConvShape& s = s_;
            figure.row_label = [&s](std::int64_t row) { return mec_window_name(row, s); };
            const Rgba neutral = theme_.vendor;
            figure.row_color = [neutral](std::int64_t) { return neutral; };
        }
        return figure;
    }

    /// Output rows carry the partition that makes them.
    void label_rows(Figure& figure, std::int64_t rows_each) const {
        if (s_.p() > most_brackets) return;
        const ConvShape& s = s_;
        const Theme& theme = theme_;
        figure.row_label = [&s, rows_each](std::int64_t row) { return mec_partition_name(row / rows_each, s); };
        figure.row_color = [&theme, rows_each](std::int64_t row) { return theme.category(row / rows_each); };
    }

    void label_output_rows(Figure& figure) const {
        if (s_.p() > most_brackets) return;
        for (std::int64_t oy = 0; oy < s_.p(); ++oy)
            figure.left.push_back({oy * s_.q(), s_.q(), mec_partition_name(oy, s_), theme_.category(oy), 0});
    }

    const LayoutScene& mec_;
    const LayoutScene& im2col_;
    const ConvShape& s_;
    const Theme& theme_;
};

}  // namespace

LayoutPage mec_page(const LayoutScene& mec, const LayoutScene& im2col, const ViewStyle& style) {
    const MecPage page(mec, im2col, style);
    auto f = [](int figure) { return Arrangement::of(figure); };
    enum { x, w, y, l, matrix };
    const Arrangement top = Arrangement::row({f(x), f(w), f(y)});
    return {[page](FigureBoard& board, std::int64_t) { page.compose(board); },
            {Arrangement::row({Arrangement::column({top, f(l)}), f(matrix)}),
             Arrangement::column({top, Arrangement::row({f(l), f(matrix)})}),
             Arrangement::row({Arrangement::column({f(x), f(w)}), Arrangement::column({f(l), f(y)}), f(matrix)}),
             Arrangement::row({Arrangement::column({f(x), Arrangement::row({f(w), f(y)})}), f(l), f(matrix)})},
            [page](std::int64_t) { return page.text(); },
            false,
            &im2col};
}

}  // namespace convscope
