#include "visualizers/layouts/solutions_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/core/format_units.h"
#include "visualizers/explain/links.h"
#include "visualizers/grid/cell_text.h"
#include "visualizers/grid/grid_view.h"
#include "visualizers/layouts/figure_labels.h"
#include "visualizers/layouts/page_parts.h"

namespace convscope {
namespace {

constexpr std::int64_t max_cells = 6000;         // of a matrix whose cells are drawn one by one
constexpr std::int64_t max_multiplies = 400000;  // of a layer whose O is worked out

constexpr float smallest_cell = 8, largest_cell = 96;  // px at scale 1, where all cells are of one size
constexpr float names_px = 20;                         // above a matrix, for the names of partitions and images

struct Box {
    ImVec2 at, size;
    ImVec2 end() const { return {at.x + size.x, at.y + size.y}; }
};

/// A matrix on the page: its size in elements, and where it is drawn.
struct Drawn {
    std::int64_t rows = 1, cols = 1;
    Box box;

    Box part(const MatrixPart& p) const {
        const float w = box.size.x / static_cast<float>(cols), h = box.size.y / static_cast<float>(rows);
        return {{box.at.x + w * static_cast<float>(p.col), box.at.y + h * static_cast<float>(p.row)},
                {w * static_cast<float>(p.cols), h * static_cast<float>(p.rows)}};
    }
};

ValueRange range_of(const std::vector<float>& values) {
    ValueRange range{0, 0};
    for (const float value : values) {
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
    return range;
}

class SolutionPage {
public:
    SolutionPage(const ConvShape& shape, const MecSolution& solution, std::int64_t step, const ViewStyle& style)
        : s_(shape), solution_(solution), step_(step), style_(style), list_(ImGui::GetWindowDrawList()) {}

    bool copying() const { return step_ >= solution_.products(); }

    /// The ground of a matrix, with its title above the names of its columns.
    void frame(const Drawn& m, const std::string& title, const std::string& size, float names = names_px) const {
        draw_title({m.box.at.x, m.box.at.y - title_height(true, style_) - style_.px(names)}, title, size, style_);
        list_->AddRectFilled(m.box.at, m.box.end(), style_.theme->raised.u32());
    }
    void edge(const Drawn& m) const { list_->AddRect(m.box.at, m.box.end(), style_.theme->hairline.u32()); }

    /// 'shown(row, col)' says whether a cell has its value already.
    template <class Shown, class Value>
    void cells(const Drawn& m, const ValueRange& range, Shown shown, Value value) const {
        const float w = m.box.size.x / static_cast<float>(m.cols), h = m.box.size.y / static_cast<float>(m.rows);
        bool whole = true;
        for (std::int64_t i = 0; whole && i < m.rows * m.cols; ++i) {
            const float number = value(i / m.cols, i % m.cols);
            whole = number == std::round(number);
        }
        const CellText text(style_, w, h, range, whole);
        const ImVec2 least = printing_cell(style_);
        const bool print = w >= least.x && h >= least.y && text.fits();
        const float gap = std::min(w, h) > style_.px(5) ? 1.0f : 0.0f;
        for (std::int64_t row = 0; row < m.rows; ++row)
            for (std::int64_t col = 0; col < m.cols; ++col) {
                if (!shown(row, col)) continue;
                const float number = value(row, col);
                const Rgba color = number == 0 ? style_.theme->zero : style_.theme->value(number, range);
                const Box box = m.part({row, col, 1, 1});
                list_->AddRectFilled(box.at, {box.end().x - gap, box.end().y - gap}, color.u32());
                if (print) text.draw(list_, box.at, number, number == 0 ? style_.theme->text_dim : readable_on(color));
            }
    }

    void outline(const Box& box, const Rgba& color, float fill) const {
        ImVec2 a = box.at, b = box.end();
        const float least = style_.px(3);
        if (b.x - a.x < least) b.x = a.x + least;
        if (b.y - a.y < least) b.y = a.y + least;
        if (fill > 0) list_->AddRectFilled(a, b, color.with_alpha(fill).u32());
        list_->AddRect(a, b, color.u32(), 0, 0, style_.px(2.5f));
    }

    /// Images stand apart by a line, and have their number where there is room.
    void images(const Drawn& m, std::int64_t rows_each, bool across = false) const {
        if (s_.n < 2) return;
        for (std::int64_t n = 0; n < s_.n; ++n) {
            const Box box =
                across ? m.part({0, n * rows_each, m.rows, rows_each}) : m.part({n * rows_each, 0, rows_each, m.cols});
            const float room = across ? box.size.x : box.size.y;
            if (n > 0 && room > style_.px(3))
                list_->AddLine(box.at, across ? ImVec2{box.at.x, box.end().y} : ImVec2{box.end().x, box.at.y},
                               style_.theme->text.u32(), style_.px(1));
            if (room < style_.px(16)) continue;
            const std::string name = fmt::format("n{}", n);
            if (across)
                draw_row_label({box.at.x + box.size.x / 2 + style_.px(12), box.at.y - style_.px(9)}, name,
                               style_.theme->vendor, style_);
            else
                draw_row_label({box.at.x - style_.px(4), box.at.y + box.size.y / 2}, name, style_.theme->vendor,
                               style_);
        }
    }

    void sign(ImVec2 middle, const char* text) const {
        ImFont* font = style_.body();
        const float size = font->FontSize * 1.4f;
        const ImVec2 extent = font->CalcTextSizeA(size, 1e9f, 0, text);
        list_->AddText(font, size, {middle.x - extent.x / 2, middle.y - extent.y / 2}, style_.theme->text.u32(), text);
    }

    const ConvShape& s_;
    const MecSolution& solution_;
    std::int64_t step_;
    const ViewStyle& style_;
    ImDrawList* list_;
};

/// Widths for matrices side by side: by their columns, but none too thin to see.
std::vector<float> widths(const std::vector<double>& cols, float room, float least) {
    double sum = 0;
    for (const double each : cols) sum += std::sqrt(each);
    std::vector<float> result;
    for (const double each : cols) result.push_back(std::max(least, static_cast<float>(std::sqrt(each) / sum) * room));
    const float total = std::accumulate(result.begin(), result.end(), 0.0f);
    for (float& width : result) width *= std::min(1.0f, room / total);
    return result;
}

}  // namespace

void SolutionsView::compute(const Workload& data) {
    values_ = {};
    const ConvShape& s = data.spec.shape;
    const MecSolution b(s, true);
    if (b.l_rows() * b.l_cols() > max_cells) return;
    for (std::int64_t row = 0; row < b.l_rows(); ++row)
        for (std::int64_t col = 0; col < b.l_cols(); ++col) {
            const std::int64_t c = col % s.c, j = col / s.c % s.s, h = col / s.c / s.s - s.pad_h;
            const std::int64_t w = row % s.q() * s.stride_w + j - s.pad_w;
            const bool inside = h >= 0 && h < s.h && w >= 0 && w < s.w;
            values_.l.push_back(inside ? data.x.at(row / s.q(), c, h, w) : 0.0f);
        }
    values_.l_range = range_of(values_.l);
    if (b.k_rows() * s.k > max_cells) return;
    for (std::int64_t row = 0; row < b.k_rows(); ++row)
        for (std::int64_t k = 0; k < s.k; ++k)
            values_.k.push_back(data.w.at(k, row % s.c, row / s.c / s.s, row / s.c % s.s));
    values_.k_range = range_of(values_.k);
    const bool small = b.o_rows() * b.o_cols() <= max_cells;
    if (!small || b.o_rows() * b.o_cols() * b.k_rows() > max_multiplies) return;
    for (std::int64_t i = 0; i < b.products(); ++i) {
        const MecProduct p = b.product(i);
        for (std::int64_t row = 0; row < p.l.rows; ++row)
            for (std::int64_t k = 0; k < s.k; ++k) {
                double sum = 0;
                for (std::int64_t t = 0; t < p.l.cols; ++t)
                    sum += static_cast<double>(
                               values_.l[static_cast<std::size_t>((p.l.row + row) * b.l_cols() + p.l.col + t)]) *
                           values_.k[static_cast<std::size_t>(t * s.k + k)];
                values_.o.push_back(static_cast<float>(sum));
            }
    }
    values_.o_range = range_of(values_.o);
}

void SolutionsView::draw(const Workload& data, std::uint64_t number, const MecSolution& solution, std::int64_t step,
                         ImVec2 at, ImVec2 size, const ViewStyle& style) {
    if (number != number_) {
        compute(data);
        number_ = number;
    }
    const ConvShape& s = data.spec.shape;
    const SolutionPage page(s, solution, step, style);
    const Theme& theme = *style.theme;
    const bool copies = solution.copies() > 0 && s.n > 1;
    const float title = title_height(true, style) + style.px(names_px + 4), label = style.px(26), gap = style.px(34);

    // L and K and O side by side; in A the ordered O below the one that the products write.
    const std::int64_t o_cols = std::max(solution.o_cols(), s.q() * s.k);
    const float room = size.x - 2 * gap - 2 * label, least = style.px(44), height = size.y - title;
    std::vector<float> width =
        widths({static_cast<double>(solution.l_cols()), static_cast<double>(s.k) * 2, static_cast<double>(o_cols)},
               room, least);
    // Where all of them can be drawn cell by cell, their cells are of one size, as large as there is room for.
    const std::int64_t rows_of_o = solution.o_rows() + (copies ? s.n * s.p() : 0);
    const float shared_cell =
        std::min({style.px(largest_cell), (room - least) / static_cast<float>(solution.l_cols() + s.k + o_cols),
                  height / static_cast<float>(std::max(solution.l_rows(), solution.k_rows())),
                  (copies ? height - title : height) / static_cast<float>(rows_of_o)});
    const bool of_one_size = shared_cell >= style.px(smallest_cell);
    if (of_one_size)
        width = {shared_cell * static_cast<float>(solution.l_cols()),
                 std::max(least, shared_cell * static_cast<float>(s.k)), shared_cell * static_cast<float>(o_cols)};
    auto fitted = [&](std::int64_t rows, std::int64_t cols, float max_w, float max_h, float least_cell = 0) {
        const float cell = of_one_size ? std::max(shared_cell, least_cell) : style.px(26);
        if (of_one_size) max_h = height;
        return ImVec2{std::min(max_w, cell * static_cast<float>(cols)),
                      std::min(max_h, cell * static_cast<float>(rows))};
    };
    Drawn l{solution.l_rows(), solution.l_cols(), {}};
    l.box = {{at.x + label, at.y + title}, fitted(l.rows, l.cols, width[0], height)};
    Drawn k{solution.k_rows(), s.k, {}};
    k.box = {{l.box.end().x + gap, at.y + title}, fitted(k.rows, k.cols, width[1], height, style.px(26))};
    const float o_x = k.box.end().x + gap + label, o_w = std::min(width[2], at.x + size.x - o_x);
    const float o_room = copies ? (height - title) / 2 : height;
    Drawn o{solution.o_rows(), solution.o_cols(), {}};
    o.box = {{o_x, at.y + title}, fitted(o.rows, o.cols, o_w, o_room)};
    Drawn ordered{s.n * s.p(), s.q() * s.k, {}};
    ordered.box = {{o_x, o.box.end().y + title}, fitted(ordered.rows, ordered.cols, o_w, o_room)};

    const auto dims = [](std::int64_t rows, std::int64_t cols) {
        return fmt::format("{} \u00d7 {}", format_count(rows), format_count(cols));
    };
    const Notation notation = style.notation;
    const std::string named =
        fmt::format("${} \\times {} \\cdot {}$ = {}",
                    tex_symbols(notation, tex_dot, LayerSize::images, LayerSize::out_w), padded_height(s, notation),
                    tex_symbols(notation, tex_dot, LayerSize::filter_w, LayerSize::channels), dims(l.rows, l.cols));
    const bool fits = title_width("L", named, style) <= k.box.at.x - l.box.at.x;
    page.frame(l, "L", s.n > 1 && !solution.is_b() && fits ? named : dims(l.rows, l.cols));
    page.frame(k, "K", dims(k.rows, k.cols));
    const bool ordered_anyway = !copies;
    page.frame(o, ordered_anyway ? "O, in order n-h-w-c" : "O, in order h-n-w-c", dims(o.rows, o.cols));
    if (copies) page.frame(ordered, "O, copied to n-h-w-c", dims(ordered.rows, ordered.cols), 4);

    const std::int64_t done = std::min(step + 1, solution.products());
    const auto always = [](std::int64_t, std::int64_t) { return true; };
    if (!values_.l.empty())
        page.cells(l, values_.l_range, always, [&](std::int64_t row, std::int64_t col) {
            return values_.l[static_cast<std::size_t>(row * l.cols + col)];
        });
    if (!values_.k.empty())
        page.cells(k, values_.k_range, always, [&](std::int64_t row, std::int64_t col) {
            return values_.k[static_cast<std::size_t>(row * k.cols + col)];
        });
    const std::int64_t piece = s.q() * s.k;
    if (!values_.o.empty()) {
        page.cells(
            o, values_.o_range, [&](std::int64_t row, std::int64_t) { return row < done; },
            [&](std::int64_t row, std::int64_t col) {
                const std::int64_t image = solution.is_b() ? 0 : col / piece;
                return values_.o[static_cast<std::size_t>((image * s.p() + row) * piece + col % piece)];
            });
        if (copies)
            page.cells(
                ordered, values_.o_range,
                [&](std::int64_t row, std::int64_t) { return row <= step - solution.products(); },
                [&](std::int64_t row, std::int64_t col) {
                    return values_.o[static_cast<std::size_t>(row * piece + col)];
                });
    } else {
        // Without values, what is done is an area in the colours of the output rows.
        for (std::int64_t i = 0; i < std::min<std::int64_t>(done, 4096); ++i) {
            const MecProduct p = solution.product(i);
            const Box box = o.part(p.o);
            ImGui::GetWindowDrawList()->AddRectFilled(box.at, box.end(), theme.category(p.row).with_alpha(0.55f).u32());
        }
        for (std::int64_t i = 0; copies && i <= std::min<std::int64_t>(step - solution.products(), 4096); ++i) {
            const Box box = ordered.part(solution.copy_to(i));
            ImGui::GetWindowDrawList()->AddRectFilled(box.at, box.end(),
                                                      theme.category(i % s.p()).with_alpha(0.55f).u32());
        }
    }
    for (const Drawn* each : {&l, &k, &o}) page.edge(*each);
    if (copies) page.edge(ordered);
    page.images(l, s.q());
    page.images(o, solution.is_b() ? s.p() : piece, !solution.is_b());
    if (copies) page.images(ordered, s.p());

    page.sign({(l.box.end().x + k.box.at.x) / 2, l.box.at.y + std::min(l.box.size.y, k.box.size.y) / 2}, "\u00d7");
    page.sign({(k.box.end().x + o.box.at.x - label) / 2, l.box.at.y + std::min(l.box.size.y, k.box.size.y) / 2}, "=");
    if (page.copying()) {
        const std::int64_t i = step - solution.products();
        const Rgba& color = theme.category(i % s.p());
        const Box from = o.part(solution.copy_from(i)), to = ordered.part(solution.copy_to(i));
        page.outline(from, color, 0);
        page.outline(to, color, 0);
        ImGui::GetWindowDrawList()->AddLine({from.at.x + from.size.x / 2, from.end().y},
                                            {to.at.x + to.size.x / 2, to.at.y}, color.u32(), style.px(2));
        return;
    }
    const MecProduct p = solution.product(step);
    const Rgba& color = theme.category(p.row);
    page.outline(l.part(p.l), color, values_.l.empty() ? 0.35f : 0.0f);
    page.outline(k.box, color, 0);
    page.outline(o.part(p.o), color, 0);
    const Box marked = l.part(p.l);
    draw_row_label({marked.at.x + marked.size.x / 2 + style.px(8), l.box.at.y - style.px(9)},
                   mec_partition_label(p.row, s), color, style);
}

}  // namespace convscope
