#include "visualizers/layouts/solutions_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/core/format_units.h"
#include "visualizers/explain/figure_arrange.h"
#include "visualizers/explain/links.h"
#include "visualizers/grid/cell_text.h"
#include "visualizers/grid/grid_view.h"
#include "visualizers/layouts/figure_labels.h"
#include "visualizers/layouts/page_parts.h"
#include "visualizers/style/control_hook.h"

namespace convscope {
namespace {

constexpr std::int64_t max_cells = 6000;         // of a matrix whose cells are drawn one by one
constexpr std::int64_t max_multiplies = 400000;  // of a layer whose O is worked out

// px at scale 1
constexpr float largest_cell = 96, comfortable_cell = 28;
constexpr float names_px = 20;  // above a matrix, for the names of partitions and images

struct Box {
    ImVec2 at, size;
    ImVec2 end() const { return {at.x + size.x, at.y + size.y}; }
    ImVec2 middle() const { return {at.x + size.x / 2, at.y + size.y / 2}; }
};

/// A matrix on the page: its size in elements, and where it is drawn.
struct Drawn {
    std::int64_t rows = 1, cols = 1;
    Box box;

    ImVec2 cell() const { return {box.size.x / static_cast<float>(cols), box.size.y / static_cast<float>(rows)}; }
    /// The cell at a place on the screen.
    std::optional<std::pair<std::int64_t, std::int64_t>> at(ImVec2 place) const {
        const float x = place.x - box.at.x, y = place.y - box.at.y;
        if (x < 0 || y < 0 || x >= box.size.x || y >= box.size.y) return std::nullopt;
        return std::pair{std::min(rows - 1, static_cast<std::int64_t>(y / cell().y)),
                         std::min(cols - 1, static_cast<std::int64_t>(x / cell().x))};
    }
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

    /// The ground of a matrix, with its title above the names of its columns. 'range': none where it has no values.
    void frame(const Drawn& m, const std::string& title, const std::string& size,
               const std::vector<ValueRange>& range) const {
        const float head = title_height(true, style_) + style_.px(names_px),
                    left = s_.n < 2 ? 0 : style_.px(names_px + 6);
        draw_title({m.box.at.x, m.box.at.y - head}, title, size, style_);
        if (figure_hook)
            figure_hook(title, m.box.at.x - left, m.box.at.y - head,
                        left + std::max(m.box.size.x, title_width(title, size, style_)), head + m.box.size.y, {range});
        list_->AddRectFilled(m.box.at, m.box.end(), style_.theme->raised.u32());
    }
    void edge(const Drawn& m) const { list_->AddRect(m.box.at, m.box.end(), style_.theme->hairline.u32()); }

    /// How its numbers can be printed; none where it has none, or none with a fraction.
    CellDigitsSet fitting(const Drawn& m, const std::vector<float>& values, const ValueRange& range) const {
        const bool whole = std::ranges::all_of(values, [](float value) { return value == std::round(value); });
        if (values.empty() || whole || !prints(m)) return 0;
        return CellText::fitting(style_, m.cell().x, m.cell().y, range);
    }

    /// 'shown(row)' says whether a row has its values already.
    template <class Shown, class Value>
    void cells(const Drawn& m, const std::vector<float>& values, const ValueRange& range,
               std::optional<CellDigits> digits, Shown shown, Value value) const {
        const bool whole = std::ranges::all_of(values, [](float each) { return each == std::round(each); });
        const ImVec2 cell = m.cell();
        const CellText text(style_, cell.x, cell.y, range, whole, digits);
        const bool print = prints(m) && text.fits();
        const float gap = std::min(cell.x, cell.y) > style_.px(5) ? 1.0f : 0.0f;
        for (std::int64_t row = 0; row < m.rows; ++row)
            for (std::int64_t col = 0; shown(row) && col < m.cols; ++col) {
                const float number = value(row, col);
                const Rgba color = number == 0 ? style_.theme->zero : style_.theme->value(number, range);
                const Box box = m.part({row, col, 1, 1});
                const ImVec2 end{box.end().x - gap, box.end().y - gap};
                list_->AddRectFilled(box.at, end, color.u32());
                if (number == 0) hatch(box.at, end);
                if (print) text.draw(list_, box.at, number, number == 0 ? style_.theme->text_dim : readable_on(color));
            }
    }

    /// As zeros are in every array.
    void hatch(ImVec2 a, ImVec2 b) const {
        const float stripe = style_.px(6);
        if (std::min(b.x - a.x, b.y - a.y) < stripe) return;
        // Lines on which x + y is the same, through all cells.
        for (float sum = std::ceil((a.x + a.y) / stripe) * stripe; sum < b.x + b.y; sum += stripe)
            list_->AddLine({std::min(b.x, sum - a.y), std::max(a.y, sum - b.x)},
                           {std::max(a.x, sum - b.y), std::min(b.y, sum - a.x)}, style_.theme->hatch.u32(),
                           style_.px(1.5f));
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

    bool prints(const Drawn& m) const {
        const ImVec2 least = printing_cell(style_);
        return m.cell().x >= least.x && m.cell().y >= least.y;
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

/// In which ways the matrices may stand; 'copies': with the ordered O.
std::vector<Arrangement> arrangements(bool copies) {
    const auto f = [](SolutionMatrix matrix) { return Arrangement(static_cast<int>(matrix)); };
    using A = Arrangement;
    using enum SolutionMatrix;
    if (!copies)
        return {A::row({f(L), f(K), f(O)}), A::column({f(L), A::row({f(K), f(O)})}),
                A::column({A::row({f(L), f(K)}), f(O)})};
    return {A::row({f(L), f(K), A::column({f(O), f(ordered)})}), A::row({A::column({f(L), f(O)}), f(K), f(ordered)}),
            A::row({f(L), f(K), f(O), f(ordered)}), A::column({A::row({f(L), f(K)}), A::row({f(O), f(ordered)})}),
            A::column({f(L), A::row({f(K), f(O), f(ordered)})})};
}

const char* name_of(SolutionMatrix matrix) {
    constexpr const char* names[] = {"L", "K", "O", "O"};
    return names[static_cast<std::size_t>(matrix)];
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

SolutionsResult SolutionsView::draw(const Workload& data, std::uint64_t number, const MecSolution& solution,
                                    std::int64_t step, std::optional<SolutionCell>& pinned, ImVec2 at, ImVec2 size,
                                    const ViewStyle& style) {
    if (number != number_) {
        compute(data);
        number_ = number;
    }
    using enum SolutionMatrix;
    const ConvShape& s = data.spec.shape;
    const SolutionPage page(s, solution, step, style);
    const Theme& theme = *style.theme;
    const bool copies = solution.copies() > 0 && s.n > 1;
    const std::int64_t piece = s.q() * s.k;

    std::vector<Drawn> drawn = {{solution.l_rows(), solution.l_cols(), {}},
                                {solution.k_rows(), s.k, {}},
                                {solution.o_rows(), solution.o_cols(), {}}};
    if (copies) drawn.push_back({s.n * s.p(), piece, {}});
    const auto dims = [](const Drawn& m) {
        return fmt::format("{} \u00d7 {}", format_count(m.rows), format_count(m.cols));
    };
    std::vector<std::string> titles = {"L", "K", copies ? "O, in order h-n-w-c" : "O, in order n-h-w-c",
                                       "O, copied to n-h-w-c"};
    std::vector<FigureSize> sizes;
    const ImVec2 printing = printing_cell(style);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const float left = i == 1 || s.n < 2 ? 0 : style.px(names_px + 6);  // the title stands behind it
        sizes.push_back({static_cast<double>(drawn[i].cols), static_cast<double>(drawn[i].rows), left,
                         title_height(true, style) + style.px(names_px + 4),
                         left + title_width(titles[i], dims(drawn[i]), style), printing.x, printing.y});
    }
    PageLimits limits;
    limits.width = size.x;
    limits.height = size.y;
    limits.gap_x = style.px(34);  // for the signs
    limits.gap_y = style.px(10);
    limits.largest_unit = style.px(largest_cell);
    limits.comfortable_unit = style.px(comfortable_cell);
    const Page placed = arrange(arrangements(copies), sizes, limits);
    SolutionsResult result;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const FigureRect& rect = placed.figures[i];
        drawn[i].box = {{std::round(at.x + rect.x), std::round(at.y + rect.y)}, {rect.width, rect.height}};
        result.matrices.push_back(
            {i == 3 ? "ordered O" : name_of(static_cast<SolutionMatrix>(i)), drawn[i].box.at, drawn[i].box.end()});
    }
    const Drawn &l = drawn[0], &k = drawn[1], &o = drawn[2];

    const Notation notation = style.notation;
    const std::string named = fmt::format(
        "${} \\times {} \\cdot {}$ = {}", tex_symbols(notation, tex_dot, LayerSize::images, LayerSize::out_w),
        padded_height(s, notation), tex_symbols(notation, tex_dot, LayerSize::filter_w, LayerSize::channels), dims(l));
    const bool fits = title_width("L", named, style) <= l.box.size.x;
    // Behind the matrices, whose numbers it would cross.
    if (page.copying()) {
        const std::int64_t i = step - solution.products();
        ImGui::GetWindowDrawList()->AddLine(o.part(solution.copy_from(i)).middle(),
                                            drawn[3].part(solution.copy_to(i)).middle(),
                                            theme.category(i % s.p()).u32(), style.px(2));
    }
    const auto range_in = [&](SolutionMatrix matrix) -> std::vector<ValueRange> {
        const auto& [values, range] = matrix == L   ? std::tie(values_.l, values_.l_range)
                                      : matrix == K ? std::tie(values_.k, values_.k_range)
                                                    : std::tie(values_.o, values_.o_range);
        return values.empty() ? std::vector<ValueRange>() : std::vector<ValueRange>{range};
    };
    for (std::size_t i = 0; i < drawn.size(); ++i)
        page.frame(drawn[i], titles[i], i == 0 && fits ? named : dims(drawn[i]),
                   range_in(static_cast<SolutionMatrix>(i)));

    // One value has the same digits in all matrices.
    CellDigitsSet common = ~0U;
    const auto agree = [&](CellDigitsSet set) { common &= set != 0 ? set : common; };
    agree(page.fitting(l, values_.l, values_.l_range));
    agree(page.fitting(k, values_.k, values_.k_range));
    for (std::size_t i = 2; i < drawn.size(); ++i) agree(page.fitting(drawn[i], values_.o, values_.o_range));
    const std::optional<CellDigits> digits =
        common == 0 || common == ~0U ? std::nullopt : std::optional(first_of(common));

    const auto value_of = [&](const SolutionCell& cell) {
        switch (cell.matrix) {
            case L:
                return values_.l[static_cast<std::size_t>(cell.row * l.cols + cell.col)];
            case K:
                return values_.k[static_cast<std::size_t>(cell.row * k.cols + cell.col)];
            case ordered:
                return values_.o[static_cast<std::size_t>(cell.row * piece + cell.col)];
            case O:
                break;
        }
        const std::int64_t image = solution.is_b() ? 0 : cell.col / piece;
        return values_.o[static_cast<std::size_t>((image * s.p() + cell.row) * piece + cell.col % piece)];
    };
    const auto values_in = [&](SolutionMatrix matrix) {
        return [&value_of, matrix](std::int64_t row, std::int64_t col) { return value_of({matrix, row, col}); };
    };
    const std::int64_t done = std::min(step + 1, solution.products()), copied = step - solution.products() + 1;
    const auto always = [](std::int64_t) { return true; };
    if (!values_.l.empty()) page.cells(l, values_.l, values_.l_range, digits, always, values_in(L));
    if (!values_.k.empty()) page.cells(k, values_.k, values_.k_range, digits, always, values_in(K));
    const auto is_done = [&](const SolutionCell& cell) {
        return cell.matrix == O ? cell.row < done : cell.matrix != ordered || cell.row < copied;
    };
    if (!values_.o.empty()) {
        for (std::size_t i = 2; i < drawn.size(); ++i) {
            const auto matrix = static_cast<SolutionMatrix>(i);
            page.cells(
                drawn[i], values_.o, values_.o_range, digits,
                [&](std::int64_t row) {
                    return is_done({matrix, row, 0});
                },
                values_in(matrix));
        }
    } else {
        // Without values, what is done is an area in the colours of the output rows.
        for (std::int64_t i = 0; i < std::min<std::int64_t>(done, 4096); ++i) {
            const MecProduct p = solution.product(i);
            const Box box = o.part(p.o);
            ImGui::GetWindowDrawList()->AddRectFilled(box.at, box.end(), theme.category(p.row).with_alpha(0.55f).u32());
        }
        for (std::int64_t i = 0; copies && i < std::min<std::int64_t>(copied, 4096); ++i) {
            const Box box = drawn[3].part(solution.copy_to(i));
            ImGui::GetWindowDrawList()->AddRectFilled(box.at, box.end(),
                                                      theme.category(i % s.p()).with_alpha(0.55f).u32());
        }
    }
    for (const Drawn& each : drawn) page.edge(each);
    page.images(l, s.q());
    page.images(o, solution.is_b() ? s.p() : piece, !solution.is_b());
    if (copies) page.images(drawn[3], s.p());

    // The signs stand between matrices that are side by side.
    const float middle = l.box.at.y + std::min(l.box.size.y, k.box.size.y) / 2;
    if (k.box.at.x > l.box.end().x) page.sign({(l.box.end().x + k.box.at.x) / 2, middle}, "\u00d7");
    if (k.box.at.x > l.box.end().x && o.box.at.x > k.box.end().x && o.box.at.y < middle)
        page.sign({(k.box.end().x + o.box.at.x - (s.n < 2 ? 0 : style.px(26))) / 2, middle}, "=");
    if (page.copying()) {
        const std::int64_t i = step - solution.products();
        const Rgba& color = theme.category(i % s.p());
        const Box from = o.part(solution.copy_from(i)), to = drawn[3].part(solution.copy_to(i));
        page.outline(from, color, 0);
        page.outline(to, color, 0);
    } else {
        const MecProduct p = solution.product(step);
        const Rgba& color = theme.category(p.row);
        const Box marked = l.part(p.l);
        page.outline(marked, color, values_.l.empty() ? 0.35f : 0.0f);
        page.outline(k.box, color, 0);
        page.outline(o.part(p.o), color, 0);
        draw_row_label({marked.at.x + marked.size.x / 2 + style.px(8), l.box.at.y - style.px(9)},
                       mec_partition_label(p.row, s), color, style);
    }

    std::optional<SolutionCell> pointed;
    for (std::size_t i = 0; i < drawn.size() && ImGui::IsWindowHovered(); ++i)
        if (const auto cell = drawn[i].at(ImGui::GetIO().MousePos))
            pointed = SolutionCell{static_cast<SolutionMatrix>(i), cell->first, cell->second};
    if (pointed && ImGui::IsMouseClicked(0)) pinned = pinned == pointed ? std::nullopt : pointed;
    const std::optional<SolutionCell> lit = pointed ? pointed : pinned;
    if (!lit || static_cast<std::size_t>(lit->matrix) >= drawn.size()) return result;
    SolutionLinks links = solution.links_of(*lit, step);
    for (std::size_t i = 0; i < drawn.size(); ++i)
        for (const MatrixPart& part : links.parts[i]) page.outline(drawn[i].part(part), theme.accent, 0);
    const bool has_value = !(lit->matrix == L ? values_.l : lit->matrix == K ? values_.k : values_.o).empty();
    const std::string value = !is_done(*lit) ? ", not computed yet"
                              : has_value    ? " = " + format_number(value_of(*lit))
                                             : "";
    result.sentence = fmt::format("{}[{},{}]{}: {}", name_of(lit->matrix), lit->row, lit->col, value, links.sentence);
    return result;
}

}  // namespace convscope
