#include "visualizers/layouts/figure_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "visualizers/layouts/figure_labels.h"
#include "visualizers/style/control_hook.h"
#include "visualizers/style/tooltip.h"

namespace convscope {
namespace {

int lanes(const std::vector<Bracket>& brackets) {
    int count = 0;
    for (const Bracket& bracket : brackets) count = std::max(count, bracket.lane + 1);
    return count;
}

/// The surroundings of the cells, from a page with room to one with none.
constexpr FigureBoard::Surroundings surroundings[] = {
    {true, true, false}, {false, true, false}, {false, false, false}, {false, false, true}};

constexpr std::int64_t max_read_out = 1024;  ///< cells
constexpr std::int64_t max_flat = 256;       ///< cells: of larger arrays the shape says more than the numbers

std::string size_of(const GridSource& source) {
    return fmt::format("{} x {}", source.rows, source.cols);
}

/// A line for each row.
std::string values_of(const GridSource& source) {
    if (source.rows * source.cols > max_read_out) return size_of(source);
    const std::vector<std::uint32_t>& bits = source.read(source.first, source.rows, source.cols, source.row_stride);
    std::string text;
    for (std::size_t i = 0; i < bits.size(); ++i) {
        if (i > 0) text += i % static_cast<std::size_t>(source.cols) == 0 ? '\n' : ' ';
        if (source.empty_slots && bits[i] == 0xffffffffu)
            text += '-';
        else if (source.element == Element::i32)
            text += std::to_string(std::bit_cast<std::int32_t>(bits[i]));
        else
            text += fmt::format("{:g}", std::bit_cast<float>(bits[i]));
    }
    return text;
}

ImVec2 extent(const FigureRect& rect) {
    return {rect.width, rect.height};
}

}  // namespace

std::optional<Cell> Figure::from_array(const Cell& cell) const {
    if (row_as_column) {
        if (cell.row != offset.row) return std::nullopt;
        return Cell{cell.col, 0};
    }
    const Cell here{cell.row - offset.row, cell.col - offset.col};
    if (here.row < 0 || here.row >= source.rows || here.col < 0 || here.col >= source.cols) return std::nullopt;
    return here;
}

Figure array_rows(const LayoutScene& scene, ArrayId id, std::int64_t first_row, std::int64_t rows, std::int64_t cols) {
    const SceneArray& array = *scene.find(id);
    Figure figure;
    figure.id = id;
    figure.offset = {first_row, 0};
    GridSource& source = figure.source;
    source.buffer = scene.buffer(id);
    source.first = first_row * array.spec.cols;
    source.rows = rows;
    source.cols = cols;
    source.row_stride = array.spec.cols;
    source.element = array.spec.element;
    source.empty_slots = array.empty_slots;
    source.zero_is_a_value = id == ArrayId::Index;
    source.range = array.range;
    if (const TilePyramid* pyramid = scene.pyramid(id)) source.contents = pyramid->version();
    source.read = [&scene, id](std::int64_t first, std::int64_t r, std::int64_t c,
                               std::int64_t stride) -> const std::vector<std::uint32_t>& {
        return scene.read(id, first, r, c, stride);
    };
    return figure;
}

Figure whole_array(const LayoutScene& scene, ArrayId id, std::string title, std::string note) {
    const ArraySpec& spec = scene.find(id)->spec;
    Figure figure = array_rows(scene, id, 0, spec.rows, spec.cols);
    figure.source.pyramid = scene.pyramid(id);
    figure.title = std::move(title);
    figure.note = std::move(note);
    return figure;
}

FigureBoard::FigureBoard(GridRenderer& renderer, std::map<ArrayId, GridCamera>& cameras, const ViewStyle& style)
    : renderer_(renderer), cameras_(cameras), style_(style) {}

void FigureBoard::add(Figure figure) {
    if (companion_cameras_) {
        figure.companion = true;
        figure.key = std::string("beside ") + to_string(figure.id);
        figure.camera = &(*companion_cameras_)[figure.id];
    }
    figures_.push_back(std::move(figure));
}

void FigureBoard::conceal(const std::vector<ArrayId>& arrays, std::int64_t block) {
    // As many names as y has rows, or columns, would tell its size: the chosen block row's stays, as do the first
    // window's and the first partition's.
    const auto tells_size = [block](const Bracket& bracket) {
        return bracket.group && bracket.group->index != (bracket.group->kind == LinkGroup::Kind::block_row ? block : 0);
    };
    const bool without_size = std::ranges::find(arrays, ArrayId::y) != arrays.end();
    for (Figure& figure : figures_) {
        if (without_size) {
            std::erase_if(figure.left, tells_size);
            std::erase_if(figure.above, tells_size);
            figure.block_at = nullptr;
        }
        if (std::ranges::find(arrays, figure.id) == arrays.end()) continue;
        figure.concealed = true;
        figure.indices = false;
        figure.note.clear();
        figure.left.clear();
        figure.above.clear();
        figure.row_label = nullptr;
        figure.row_group = nullptr;
        figure.block_at = nullptr;
    }
}

/// Width of the names directly next to the rows.
float FigureBoard::names_width(const Figure& figure) const {
    // A bracket's name is wider than its line: with nothing between, it would lie on the first cells.
    const float bare = figure.left.empty() ? 0 : style_.px(8);
    return figure.row_label ? style_.px(row_label_px) : figure.indices ? style_.px(index_px) : bare;
}

FigureBoard::Margins FigureBoard::margins(const Figure& figure) const {
    Margins m{0, 0};
    m.left = style_.px(left_lane_px) * static_cast<float>(lanes(figure.left)) + names_width(figure);
    m.top =
        title_height(!figure.note.empty(), style_) + style_.px(figure.indices || !figure.above.empty() ? line_px : 3);
    m.top += style_.px(lane_px) * static_cast<float>(lanes(figure.above));
    return m;
}

void FigureBoard::arrange(const std::vector<Arrangement>& candidates, ImVec2 at, ImVec2 size) {
    at_ = at;
    std::vector<std::pair<std::string, bool>> said;
    for (const Figure& figure : figures_) said.emplace_back(figure.note, figure.indices);
    const auto place_with = [&](const Surroundings& keep) {
        for (std::size_t i = 0; i < figures_.size(); ++i) {
            figures_[i].note = keep.notes ? said[i].first : std::string();
            figures_[i].indices = keep.indices && said[i].second;
        }
        place(candidates, size, keep);
        return with_numbers();
    };
    // In a small window what stands round the cells leaves its room to them: the notes where the cells would be next to
    // nothing, and what gets them so large that they have numbers. Flat cells are for where all get numbers by it.
    const bool few = std::ranges::all_of(
        figures_, [](const Figure& figure) { return figure.source.rows * figure.source.cols <= max_flat; });
    const Surroundings* best = surroundings;
    std::size_t most = 0;
    bool tiny = false;
    for (const Surroundings& keep : surroundings) {
        if (keep.flat ? !few : tiny && !keep.indices) continue;
        const std::size_t count = place_with(keep);
        if (count == figures_.size()) return;
        if (keep.flat || (!keep.notes && !tiny && count <= most)) continue;
        best = &keep;
        most = count;
        if (keep.notes) tiny = page_.unit < style_.px(6);
    }
    place_with(*best);
}

float FigureBoard::narrowest_cell() const {
    float narrowest = HUGE_VALF;
    for (std::size_t i = 0; i < figures_.size(); ++i)
        narrowest = std::min(narrowest, page_.figures[i].width / static_cast<float>(figures_[i].source.cols));
    return narrowest;
}

/// How many of the figures have cells that are large enough for numbers.
std::size_t FigureBoard::with_numbers() const {
    const ImVec2 printing = printing_cell(style_);
    std::size_t count = 0;
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        const FigureRect& rect = page_.figures[i];
        const GridSource& source = figures_[i].source;
        count += rect.width >= static_cast<double>(printing.x) * static_cast<double>(source.cols) &&
                 rect.height >= static_cast<double>(printing.y) * static_cast<double>(source.rows);
    }
    return count;
}

void FigureBoard::place(const std::vector<Arrangement>& candidates, ImVec2 size, const Surroundings& keep) {
    std::vector<FigureSize> sizes;
    const ImVec2 printing = printing_cell(style_);
    for (const Figure& figure : figures_) {
        const Margins m = margins(figure);
        sizes.push_back(
            {static_cast<double>(figure.source.cols), static_cast<double>(figure.source.rows), m.left, m.top,
             title_width(figure.widest_title.empty() ? figure.title : figure.widest_title, figure.note, style_),
             printing.x, printing.y});
    }
    PageLimits limits;
    limits.width = size.x;
    limits.height = size.y;
    limits.gap_x = style_.px(28);
    limits.gap_y = style_.px(keep.flat ? 8 : 16);
    if (keep.flat) limits.flat = printing.y / printing.x;
    limits.largest_unit = style_.px(96);
    limits.comfortable_unit = style_.px(28);
    page_ = convscope::arrange(candidates, sizes, limits);
    bottom_ = 0;
    for (FigureRect& rect : page_.figures) {
        rect.x = std::round(rect.x);
        rect.y = std::round(rect.y);
        bottom_ = std::max(bottom_, rect.y + rect.height);
    }
}

void FigureBoard::glide(FigureGlide& glide, bool at_once) {
    std::string names;
    for (const Figure& figure : figures_) names += to_string(figure.id) + figure.key + ' ';
    // On the screen: a panel that folds moves the page, too.
    const auto moved = [](std::vector<FigureRect> rects, ImVec2 by) {
        for (FigureRect& rect : rects) rect.x += by.x, rect.y += by.y;
        return rects;
    };
    page_.figures = moved(glide.toward(moved(page_.figures, at_), names, at_once), {-at_.x, -at_.y});
}

std::optional<FigurePoint> FigureBoard::pointed() const {
    // A cell that is being pressed is an active item, and still pointed at.
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) return std::nullopt;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        const FigureRect& rect = page_.figures[i];
        const ImVec2 at = corner(rect);
        if (mouse.x < at.x || mouse.y < at.y || mouse.x >= at.x + rect.width || mouse.y >= at.y + rect.height) continue;
        const Figure& figure = figures_[i];
        if (figure.concealed) continue;
        const GridCamera& view = camera(figure);
        const double rows = static_cast<double>(figure.source.rows), cols = static_cast<double>(figure.source.cols);
        const Cell cell{static_cast<std::int64_t>(view.row + (mouse.y - at.y) / rect.height * rows / view.zoom),
                        static_cast<std::int64_t>(view.col + (mouse.x - at.x) / rect.width * cols / view.zoom)};
        if (cell.row < figure.source.rows && cell.col < figure.source.cols) return FigurePoint{i, cell};
    }
    return std::nullopt;
}

std::optional<ElementRef> FigureBoard::hovered() const {
    const std::optional<FigurePoint> point = pointed();
    if (!point) return std::nullopt;
    const Figure& figure = figures_[point->figure];
    return ElementRef{figure.id, figure.to_array(point->cell)};
}

/// One value has the same digits in all arrays: those that fit into each.
void FigureBoard::agree_on_digits() {
    CellDigitsSet common = ~0U;
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        const Figure& figure = figures_[i];
        if (figure.concealed) continue;
        const FigureRect& rect = page_.figures[i];
        const CellDigitsSet set = fitting_digits(corner(rect), extent(rect), figure.source, camera(figure), style_);
        if (set != 0) common &= set;
    }
    if (common == 0 || common == ~0U) return;
    for (Figure& figure : figures_) figure.decor.digits = first_of(common);
}

bool FigureBoard::draw(const LinkSet* first, const LinkSet* companion, bool focus_companion) {
    bool clicked = false;
    draw_companion_frame();
    agree_on_digits();
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        Figure& figure = figures_[i];
        const FigureRect& rect = page_.figures[i];
        if (figure.concealed) {
            draw_titles(figure, rect);
            draw_concealed(rect);
            continue;
        }
        const LinkSet* marked = figure.companion ? companion : first;
        const std::size_t own_outlines = figure.decor.outlines.size();
        if (marked) mark(figure, *marked, figure.companion == focus_companion);
        const char* name = figure.key.empty() ? to_string(figure.id) : figure.key.c_str();
        const GridHit hit =
            renderer_.draw(name, corner(rect), extent(rect), figure.source, camera(figure), figure.decor, style_);
        if (marked && style_.spotlight) spotlight(figure, rect, own_outlines);
        if (array_hook) array_hook(figure.title, hit.values_shown ? values_of(figure.source) : size_of(figure.source));
        clicked = clicked || (hit.clicked && hit.hovered);
        aggregated_ = aggregated_ || hit.aggregated;
        small_ = small_ || !hit.values_shown;
        draw_titles(figure, rect);
        if (figure.block_at) pick_block(figure, rect);
        draw_brackets(figure, rect);
        draw_row_labels(figure, rect);
        if (marked) mark_names(figure, rect, *marked);
        if (figure.indices) draw_indices(figure, rect);
        if (figure_hook) tell_of_figure(figure, rect);
    }
    return clicked;
}

std::vector<ValueRange> FigureBoard::ranges() const {
    std::vector<ValueRange> all;
    for (const Figure& figure : figures_)
        if (!figure.concealed) all.push_back(figure.source.range);
    return all;
}

std::string FigureBoard::scale_note(Aggregate aggregate) const {
    constexpr const char* words[] = {"the share of them that is not zero", "the one of largest magnitude",
                                     "their mean"};
    if (aggregated_)
        return std::string("A pixel stands for several elements: ") + words[static_cast<int>(aggregate)] +
               ". Wheel to zoom, A for another value.";
    if (small_) return "Wheel over an array to see its numbers; double click to fit.";
    return {};
}

void FigureBoard::pick_block(const Figure& figure, const FigureRect& rect) {
    const float width = margins(figure).left;
    const ImVec2 at{corner(rect).x - width, corner(rect).y};
    ImGui::SetCursorScreenPos(at);
    const bool clicked = ImGui::InvisibleButton("block rows", {width, rect.height});
    if (!ImGui::IsItemHovered()) return;
    const GridCamera& view = camera(figure);
    const double rows = static_cast<double>(figure.source.rows) / view.zoom;
    const std::int64_t block = figure.block_at(view.row + (ImGui::GetIO().MousePos.y - at.y) / rect.height * rows);
    tooltip(at, {at.x + width, at.y + rect.height}, "Click to take block row B" + std::to_string(block + 1) + " apart",
            style_.body(), style_.scale);
    if (clicked) picked_block_ = block;
}

void FigureBoard::draw_titles(const Figure& figure, const FigureRect& rect) const {
    const float left = at_.x + rect.x - margins(figure).left, top = at_.y + rect.y - rect.top;
    draw_title({left, top}, figure.title, figure.note, style_);
}

void FigureBoard::tell_of_figure(const Figure& figure, const FigureRect& rect) const {
    const float left = margins(figure).left, width = title_width(figure.title, figure.note, style_);
    figure_hook(figure.title, at_.x + rect.x - left, at_.y + rect.y - rect.top, std::max(left + rect.width, width),
                rect.top + rect.height, {{figure.source.range}, figure.source.empty_slots});
}

void FigureBoard::draw_brackets(const Figure& figure, const FigureRect& rect) const {
    const ImVec2 at = corner(rect), size = extent(rect);
    LabelRoom left(lanes(figure.left)), above(lanes(figure.above));
    for (const Bracket& b : figure.left) {
        const double first = static_cast<double>(b.first), end = static_cast<double>(b.first + b.count);
        const float y0 = grid_point(at, size, figure.source, camera(figure), first, 0).y;
        const float y1 = grid_point(at, size, figure.source, camera(figure), end, 0).y;
        const float top = std::max(y0, at.y), bottom = std::min(y1, at.y + size.y);
        if (bottom <= top) continue;
        const bool room = left.take(b.lane, (top + bottom) / 2, label_size(b.label, style_).y);
        draw_bracket_left({bracket_x(figure, rect, b), top}, bottom, room ? b.label : "", b.color, style_);
    }
    for (const Bracket& b : figure.above) {
        const double first = static_cast<double>(b.first), end = static_cast<double>(b.first + b.count);
        const float x0 = grid_point(at, size, figure.source, camera(figure), 0, first).x;
        const float x1 = grid_point(at, size, figure.source, camera(figure), 0, end).x;
        const float from = std::max(x0, at.x), to = std::min(x1, at.x + size.x);
        if (to <= from) continue;
        const bool room = above.take(b.lane, (from + to) / 2, label_size(b.label, style_).x + style_.px(2));
        draw_bracket_above({from, bracket_y(rect, b)}, to, room ? b.label : "", b.color, style_);
    }
}

void FigureBoard::draw_row_labels(const Figure& figure, const FigureRect& rect) const {
    if (!figure.row_label) return;
    const GridCamera& view = camera(figure);
    const float cell_h = static_cast<float>(rect.height / static_cast<double>(figure.source.rows) * view.zoom);
    const ImVec2 at = corner(rect), size = extent(rect);
    const auto first = static_cast<std::int64_t>(view.row);
    // Small rows: only every n-th label, so that none touches the next.
    const auto every = static_cast<std::int64_t>(nice_step(style_.px(line_px) / cell_h));
    for (std::int64_t row = first - first % every; row < figure.source.rows; row += every) {
        const float y = grid_point(at, size, figure.source, view, static_cast<double>(row) + 0.5, 0).y;
        if (y > at.y + size.y) break;
        if (y < at.y) continue;
        draw_row_label({at.x - style_.px(6), y}, figure.row_label(row),
                       figure.row_color ? figure.row_color(row) : style_.theme->text_dim, style_);
    }
}

void FigureBoard::draw_indices(const Figure& figure, const FigureRect& rect) const {
    const GridCamera& view = camera(figure);
    const ImVec2 at = corner(rect), size = extent(rect);
    auto label = [&](bool rows) {
        const std::int64_t count = rows ? figure.source.rows : figure.source.cols;
        const double extent_px = rows ? rect.height : rect.width;
        const double cell = extent_px / static_cast<double>(count) * view.zoom;
        const auto every = static_cast<std::int64_t>(nice_step(style_.px(rows ? line_px : index_px) / cell));
        const auto first = static_cast<std::int64_t>(rows ? view.row : view.col);
        for (std::int64_t i = first - first % every; i < count; i += every) {
            const double middle = static_cast<double>(i) + 0.5;
            const ImVec2 p = grid_point(at, size, figure.source, view, rows ? middle : 0, rows ? 0 : middle);
            const float along = rows ? p.y - at.y : p.x - at.x;
            if (along < 0) continue;
            if (along > (rows ? rect.height : rect.width)) break;
            const ImVec2 place = rows ? ImVec2{at.x - style_.px(5), p.y} : ImVec2{p.x, at.y - style_.px(3)};
            draw_index(place, i + (rows ? figure.offset.row : figure.offset.col), rows, style_);
        }
    };
    if (!figure.row_label) label(true);
    label(false);
}

}  // namespace convscope
