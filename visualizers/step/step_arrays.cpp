#include "visualizers/step/step_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>

#include "visualizers/grid/cell_text.h"
#include "visualizers/step/step_description.h"
#include "visualizers/step/warp_strip_parts.h"
#include "visualizers/style/tooltip.h"

namespace convscope {
namespace {

constexpr Cell max_page{32, 48};                            // larger arrays are shown a page at a time
constexpr float slide_cell_px = 20.5F;                      // at scale 1: 48 px where a window has 1080 rows of pixels
constexpr float legible_cell_px = 15;                       // numbers have room in it
constexpr float rounding_px = 4;                            // figures stand on whole pixels
constexpr float slide_names_px = 72, slide_titles_px = 64;  // round the cells of an array
constexpr std::size_t max_split_figures = 9;                // more arrays than this stand in rows of equal number
constexpr std::uint32_t blank = 0xffffffffU;

/// A value as the grid's shader reads it; a NaN that was stored is not a blank.
std::uint32_t bits_of(double value) {
    if (value != value) return std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN());
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

/// Inputs, then shared memory, then outputs, each as the kernel came to them.
int place_in_order(const StepArray& array) {
    if (array.facts.space == simt::Space::shared) return 1;
    return array.written ? 2 : 0;
}

std::string note_of(const StepArray& array) {
    return fmt::format("{}, {}", array.facts.space == simt::Space::shared ? "shared" : "global", array.shape.meaning);
}

/// Every way to break a row of figures into at most four; those first that keep inputs, shared memory and outputs
/// together and apart. 'borders' has a bit for each figure that ends such a group.
std::vector<Arrangement> all_breaks(std::size_t figures, unsigned borders) {
    std::vector<Arrangement> all;
    const unsigned places = figures > 0 ? static_cast<unsigned>(figures) - 1 : 0;
    std::vector<unsigned> ways(std::size_t{1} << places);
    std::iota(ways.begin(), ways.end(), 0U);
    std::stable_sort(ways.begin(), ways.end(),
                     [&](unsigned a, unsigned b) { return std::popcount(a ^ borders) < std::popcount(b ^ borders); });
    for (const unsigned breaks : ways) {
        if (std::popcount(breaks) > 3) continue;
        std::vector<Arrangement> rows(1, Arrangement::row({}));
        for (unsigned i = 0; i < figures; ++i) {
            rows.back().parts.push_back(static_cast<int>(i));
            if (i < places && (breaks >> i & 1) != 0) rows.push_back(Arrangement::row({}));
        }
        all.push_back(Arrangement::column(std::move(rows)));
    }
    return all;
}

std::vector<Arrangement> even_breaks(std::size_t figures) {
    std::vector<Arrangement> all;
    for (std::size_t in_row = 2; in_row <= 6; ++in_row) {
        std::vector<Arrangement> rows;
        for (std::size_t i = 0; i < figures; ++i) {
            if (i % in_row == 0) rows.push_back(Arrangement::row({}));
            rows.back().parts.push_back(static_cast<int>(i));
        }
        all.push_back(Arrangement::column(std::move(rows)));
    }
    return all;
}

/// Inputs, shared memory, outputs, of the first so many of a list: all arrays, or a choice of them.
std::vector<std::size_t> in_order(const TracedBlock& block, std::size_t count, std::vector<std::size_t> order = {}) {
    for (std::size_t i = order.size(); i < count; ++i) order.push_back(i);
    order.resize(count);
    std::ranges::sort(order);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return place_in_order(block.arrays()[i]); });
    return order;
}

/// Arrays in the order in which a talk needs them: shared memory, then those that the block touches most often.
std::vector<std::size_t> by_touches(const TracedBlock& block) {
    std::vector<std::size_t> touches(block.arrays().size()), order(touches.size());
    for (std::size_t i = 0; i < block.size(); ++i)
        if (const int array = block.replay().at(i).array; array >= 0) ++touches[static_cast<std::size_t>(array)];
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t i) {
        return std::pair{block.arrays()[i].facts.space == simt::Space::shared, touches[i]};
    });
    return order;
}

}  // namespace

/// In front of an audience a page has as many cells as it can read.
void StepArrays::limit_pages(ImVec2 size, const ViewStyle& style) {
    const auto cells_in = [&](float length, float around, std::int64_t most) {
        return std::clamp(static_cast<std::int64_t>((length - style.px(around)) / style.px(slide_cell_px)),
                          std::int64_t{1}, most);
    };
    const Cell limit = style.presented ? Cell{cells_in(size.y, slide_titles_px, max_page.row),
                                              cells_in(size.x, slide_names_px, max_page.col)}
                                       : max_page;
    if (limit == page_limit_) return;
    page_limit_ = limit;
    filled_.reset();
}

/// As many arrays as get such cells: the same in every step, but for those that access another one.
const std::vector<std::size_t>& StepArrays::chosen_few(const StepPicture& picture, ImVec2 at, ImVec2 size,
                                                       const ViewStyle& style) {
    const std::array<float, 3> room{size.x, size.y, style.scale};
    if (chosen_of_ != picture.number || chosen_for_ != room) chosen_.clear();
    chosen_of_ = picture.number;
    chosen_for_ = room;
    std::vector<std::size_t> ranked = by_touches(picture.block);
    constexpr int none = -1;
    const auto choose = [&](int first) -> const std::vector<std::size_t>& {
        const auto [at_first, fresh] = chosen_.try_emplace(first);
        if (fresh) at_first->second = fitting(picture, ranked, at, size, style);
        return at_first->second;
    };
    const std::vector<std::size_t>& usual = choose(none);
    const std::size_t done = picture.point.done;
    const int accessed = done > 0 ? picture.block.replay().at(done - 1).array : none;
    if (accessed < 0 || std::ranges::find(usual, static_cast<std::size_t>(accessed)) != usual.end()) return usual;
    const auto place = std::ranges::find(ranked, static_cast<std::size_t>(accessed));
    std::rotate(ranked.begin(), place, place + 1);
    return choose(accessed);
}

/// Those of the list, the first at least, that get cells of the size for their reader; each that has room after those
/// before it.
std::vector<std::size_t> StepArrays::fitting(const StepPicture& picture, const std::vector<std::size_t>& ranked,
                                             ImVec2 at, ImVec2 size, const ViewStyle& style) {
    TracedBlock& block = picture.block;
    const float least = style.px(style.presented ? slide_cell_px : legible_cell_px);
    const auto fit = [&](const std::vector<std::size_t>& some) {
        FigureBoard board(renderer_, no_cameras_, style);
        for (const std::size_t index : in_order(block, some.size(), some)) {
            Figure figure = this->figure(block, index, picture.point, style);
            figure.note.clear();
            board.add(std::move(figure));
        }
        board.arrange(some.size() <= max_split_figures ? all_breaks(some.size(), 0) : even_breaks(some.size()), at,
                      size);
        return board.narrowest_cell() >= least && board.bottom() <= size.y + style.px(rounding_px);
    };
    std::vector<std::size_t> chosen = ranked;
    if (!fit(chosen)) {
        chosen.resize(1);
        for (std::size_t i = 1; i < ranked.size(); ++i) {
            chosen.push_back(ranked[i]);
            if (!fit(chosen)) chosen.pop_back();
        }
    }
    return in_order(block, chosen.size(), chosen);
}

void StepArrays::forget(std::size_t arrays) {
    cached_.clear();
    cached_.resize(arrays);
    filled_.reset();
    arranged_for_.clear();
}

StepArrays::Page StepArrays::page_of(const TracedBlock& block, std::size_t array, const StepPoint& point) const {
    const ArrayShape& shape = block.arrays()[array].shape;
    Page page;
    page.rows = std::min(shape.rows, page_limit_.row);
    page.cols = std::min(shape.cols, page_limit_.col);
    const std::optional<std::int64_t> touched = block.last_touched(array, point.done, point.thread);
    if (!touched) return page;
    const ArrayShape::Place place = shape.place(*touched);
    page.plane = place.plane;
    page.row = std::min(place.row / page.rows * page.rows, shape.rows - page.rows);
    page.col = std::min(place.col / page.cols * page.cols, shape.cols - page.cols);
    return page;
}

void StepArrays::fill(TracedBlock& block, const StepPoint& point) {
    if (filled_ == point) return;
    filled_ = point;
    const simt::ReplayState& state = block.state(point.done);
    for (std::size_t i = 0; i < cached_.size(); ++i) {
        CachedArray& cached = cached_[i];
        cached.page = page_of(block, i, point);
        const Page& page = cached.page;
        cached.cells.clear();
        for (std::int64_t row = 0; row < page.rows; ++row)
            for (std::int64_t col = 0; col < page.cols; ++col) {
                const std::int64_t index = block.arrays()[i].shape.index({page.plane, page.row + row, page.col + col});
                const simt::ElementState element = index < 0 ? simt::ElementState{} : state.arrays[i].at(index);
                cached.cells.push_back(element.known ? bits_of(element.value) : blank);
            }
        const auto bytes = static_cast<std::int64_t>(cached.cells.size() * sizeof(std::uint32_t));
        if (cached.buffer.bytes() != bytes) cached.buffer = gl::Buffer("step " + block.arrays()[i].facts.name, bytes);
        cached.buffer.write(cached.cells.data(), bytes);
    }
}

Figure StepArrays::figure(TracedBlock& block, std::size_t index, const StepPoint& point, const ViewStyle& style) {
    const StepArray& array = block.arrays()[index];
    const ArrayShape& shape = array.shape;
    CachedArray& cached = cached_[index];
    const Page& page = cached.page;
    Figure figure;
    figure.key = "step " + std::to_string(index);
    figure.camera = &cached.camera;
    figure.title = array.facts.name;
    figure.note = note_of(array);
    if (shape.planes > 1)
        figure.note += fmt::format(", {} {} of {}", shape.indexed_by_cell ? "map" : "part", page.plane, shape.planes);
    figure.offset = {page.row, page.col};
    const bool whole = page.rows == shape.rows && page.cols == shape.cols;
    figure.indices = shape.rows_are == RowMeaning::plain && (shape.indexed_by_cell || !whole);
    if (shape.rows_are == RowMeaning::thread) {
        figure.row_label = [first = page.row](std::int64_t row) {
            return thread_name(static_cast<unsigned>(first + row));
        };
        figure.row_color = [&style, first = page.row, chosen = point.thread](std::int64_t row) {
            return thread_colour(*style.theme, first + row, chosen);
        };
        figure.decor.tint_rows = 1;
        figure.decor.tint_first = page.row;
    }
    if (shape.rows_are == RowMeaning::strip && block.shape().n == 1 && block.shape().q() <= 15)
        figure.row_label = [&block, first = page.row](std::int64_t row) {
            return mec_window_label(first + row, block.shape());
        };
    GridSource& source = figure.source;
    source.buffer = cached.buffer.id();
    source.rows = page.rows;
    source.cols = page.cols;
    source.row_stride = page.cols;
    source.empty_slots = true;
    source.zero_is_a_value = array.integers;
    source.range = array.range;
    source.read = [this, &cached](std::int64_t first, std::int64_t rows, std::int64_t cols,
                                  std::int64_t stride) -> const std::vector<std::uint32_t>& {
        part_.clear();
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t col = 0; col < cols; ++col)
                part_.push_back(cached.cells[static_cast<std::size_t>(first + row * stride + col)]);
        return part_;
    };
    for (std::size_t i = 0; i < cached.cells.size(); ++i)
        if (cached.cells[i] == blank)
            figure.decor.outlines.push_back({static_cast<std::int64_t>(i) / page.cols,
                                             static_cast<std::int64_t>(i) % page.cols, 1, 1, style.theme->hairline, 1});
    mark(figure, block, index, point, style);
    return figure;
}

/// Outlines the elements that the step reads, and also fills those that it writes: the chosen thread's in the accent
/// colour, other lanes' in their own. Elements that the block has written are underlined in the writer's colour.
void StepArrays::mark(Figure& figure, TracedBlock& block, std::size_t index, const StepPoint& point,
                      const ViewStyle& style) const {
    const StepArray& array = block.arrays()[index];
    const Page& page = cached_[index].page;
    const Theme& theme = *style.theme;
    auto cell_of = [&](std::int64_t element) -> std::optional<Cell> {
        const ArrayShape::Place place = array.shape.place(element);
        const Cell cell{place.row - page.row, place.col - page.col};
        const bool inside =
            place.plane == page.plane && cell.row >= 0 && cell.row < page.rows && cell.col >= 0 && cell.col < page.cols;
        return inside ? std::optional(cell) : std::nullopt;
    };
    if (array.written && array.shape.rows_are != RowMeaning::thread) {
        const simt::ArrayState& state = block.state(point.done).arrays[index];
        for (std::int64_t row = 0; row < page.rows; ++row)
            for (std::int64_t col = 0; col < page.cols; ++col) {
                const std::int64_t element = array.shape.index({page.plane, page.row + row, page.col + col});
                if (element < 0) continue;
                const simt::ElementState cached = state.at(element);
                if (cached.written_by_block)
                    figure.decor.underlines.push_back({row, col, 1, thread_colour(theme, cached.writer, point.thread)});
            }
    }
    if (block.stopped_at(point.done)) {
        const auto& found = block.finding()->element();
        if (!found || found->array != array.facts.name || found->space != array.facts.space) return;
        if (const auto cell = cell_of(found->index))
            figure.decor.outlines.push_back({cell->row, cell->col, 1, 1, theme.bad, 4, 0.4F});
        return;
    }
    if (point.done == 0) return;
    const simt::ReplayStep& step = block.replay().at(point.done - 1);
    // The sources of the chosen thread's store or sum.
    for (const simt::TraceEvent* event : block.events(step)) {
        if (event->thread != point.thread || event->kind == simt::EventKind::load) continue;
        for (const simt::TraceEvent* load : block.sources_of(*event))
            if (load->array == static_cast<std::int16_t>(index))
                if (const auto cell = cell_of(load->index))
                    figure.decor.outlines.push_back({cell->row, cell->col, 1, 1, theme.accent.with_alpha(0.7F), 1.5F});
    }
    if (step.array != static_cast<std::int16_t>(index)) return;
    const bool writes = step.kind != simt::EventKind::load;
    auto outline = [&](const simt::TraceEvent& event, const Rgba& colour, float width, float fill) {
        for (std::int64_t i = 0; i < event.elements; ++i)
            if (const auto cell = cell_of(event.index + i))
                figure.decor.outlines.push_back({cell->row, cell->col, 1, 1, colour, width, writes ? fill : 0.0F});
    };
    const simt::TraceEvent* mine = nullptr;
    for (const simt::TraceEvent* event : block.events(step)) {
        if (event->thread == point.thread)
            mine = event;
        else
            outline(*event, theme.category(event->thread), 2, 0.25F);
    }
    if (mine) outline(*mine, theme.accent, 3.5F, 0.35F);
}

/// Describes the element that is pointed at, clear of the array's rows.
void StepArrays::tell(TracedBlock& block, std::size_t index, const Cell& cell, const StepPoint& point,
                      const CellColumn& column, const ViewStyle& style) const {
    const StepArray& array = block.arrays()[index];
    const Page& page = cached_[index].page;
    const std::int64_t element = array.shape.index({page.plane, page.row + cell.row, page.col + cell.col});
    if (element < 0) return;
    const simt::ElementState state = block.state(point.done).arrays[index].at(element);
    std::string text = array.name_of(element);
    text += state.known ? " = " + short_value(state.value, 9) : ": nothing written yet";
    if (state.written_by_block)
        text += fmt::format(", written by {} in step {}", thread_name(state.writer), state.step + 1);
    read_out(column.min, column.max, text, style.body(), style.scale);
}

const std::vector<Arrangement>& StepArrays::candidates(const std::vector<Figure>& figures, unsigned borders,
                                                       ImVec2 size, float scale) {
    std::vector<double> sizes{size.x, size.y, scale};
    for (const Figure& figure : figures) {
        sizes.push_back(static_cast<double>(figure.source.rows));
        sizes.push_back(static_cast<double>(figure.source.cols));
    }
    if (sizes != arranged_for_) {
        arranged_for_ = std::move(sizes);
        arrangements_ =
            figures.size() <= max_split_figures ? all_breaks(figures.size(), borders) : even_breaks(figures.size());
    }
    return arrangements_;
}

void StepArrays::draw(ImVec2 at, ImVec2 size, const StepPicture& picture, const ViewStyle& style) {
    TracedBlock& block = picture.block;
    const StepPoint& point = picture.point;
    if (picture.number != trace_ || cached_.size() != block.arrays().size()) {
        trace_ = picture.number;
        forget(block.arrays().size());
    }
    if (block.arrays().empty() || size.x < style.px(80) || size.y < style.px(60)) return;
    limit_pages(size, style);
    fill(block, point);
    const bool few = style.presented || picture.legible;
    if (few) size.y -= style.caption()->FontSize + style.px(2);
    const std::vector<std::size_t> order =
        few ? chosen_few(picture, at, size, style) : in_order(block, block.arrays().size());
    if (order.size() < block.arrays().size()) {
        std::string left_out;
        for (std::size_t i = 0; i < block.arrays().size(); ++i)
            if (std::ranges::find(order, i) == order.end())
                left_out += (left_out.empty() ? "Not shown: " : ", ") + block.arrays()[i].facts.name;
        draw_shortened(style.caption(), {at.x, at.y + size.y}, size.x, left_out, style.theme->text_dim);
    }
    std::vector<Figure> figures;
    unsigned borders = 0;
    for (std::size_t i = 0; i + 1 < std::min(order.size(), max_split_figures); ++i)
        if (place_in_order(block.arrays()[order[i]]) != place_in_order(block.arrays()[order[i + 1]]))
            borders |= 1U << i;
    for (const std::size_t index : order) {
        figures.push_back(figure(block, index, point, style));
        if (!picture.notes || style.presented) figures.back().note.clear();
    }

    FigureBoard board(renderer_, no_cameras_, style);
    const std::vector<Arrangement>& ways = candidates(figures, borders, size, style.scale);
    for (Figure& each : figures) board.add(std::move(each));
    board.arrange(ways, at, size);
    // Content that does not fit is scrolled, and has room for cells, rather than drawn over the content below.
    const bool scrolled = board.bottom() > size.y + style.px(rounding_px);
    if (scrolled) {
        const float height = 2 * board.bottom();
        ImGui::SetCursorScreenPos(at);
        ImGui::BeginChild("arrays", size, false, ImGuiWindowFlags_NoScrollWithMouse);
        board.arrange(ways, ImGui::GetCursorScreenPos(), {size.x - ImGui::GetStyle().ScrollbarSize, height});
        ImGui::Dummy({1, height});
    }
    // The way that was found stays until the sizes change: trying all of them takes longer than a frame should.
    if (arrangements_.size() > 1) arrangements_ = {arrangements_[board.arrangement()]};
    const std::optional<FigurePoint> pointed = board.pointed();
    board.draw(nullptr);
    if (pointed) {
        // As much of the cell's column as is in sight.
        CellColumn column = board.column_of(*pointed);
        column.max.y = std::min(column.max.y, at.y + size.y);
        tell(block, order[pointed->figure], pointed->cell, point, column, style);
    }
    if (!scrolled) return;
    // Over an array the wheel zooms.
    if (!pointed && ImGui::IsWindowHovered())
        ImGui::SetScrollY(ImGui::GetScrollY() - ImGui::GetIO().MouseWheel * style.px(40));
    ImGui::EndChild();
}

}  // namespace convscope
