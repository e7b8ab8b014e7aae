#include "visualizers/layers/layer_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <tuple>

#include "kernels/core/format_units.h"
#include "visualizers/grid/value_legend.h"
#include "visualizers/layers/layer_words.h"
#include "visualizers/layouts/figure_labels.h"
#include "visualizers/style/control_hook.h"
#include "visualizers/style/math_view.h"
#include "visualizers/style/view_style.h"

namespace convscope {
namespace {

// At scale 1.
constexpr float gutter_px = 64, ruler_px = 20;  // row numbers, column numbers
constexpr float map_px = 112, map_gap_px = 16;  // the minimap's width
constexpr float min_with_map_px = 480;
constexpr double notch = 1.3;  // zoom of one notch of the wheel

GridPlace place_of(ImVec2 at, ImVec2 size, const LayerWindow& window, const LayerCamera& camera) {
    return {at, size, window.cell_w(camera), window.cell_h(camera), camera.row, camera.col};
}

constexpr float narrow_px = 520;  ///< where two of the lines below the array are broken

float footer_height(float width, const ViewStyle& style) {
    const float captions = width < style.px(narrow_px) ? 6 : 4;
    return captions * (style.caption()->FontSize + style.px(3)) + style.px(14);
}

struct FooterLine {
    const std::string& words;
    Rgba color;
};

/// The legend stands right of the first line that leaves it room. Lines are broken as long as those below have room.
void draw_footer(ImVec2 at, float width, float bottom, const std::array<FooterLine, 4>& lines,
                 const ArrayColours& colours, const ViewStyle& style) {
    bool drawn = false;
    ImFont* const font = style.caption();
    float below = static_cast<float>(lines.size()) * (font->FontSize + 3);
    for (const FooterLine& line : lines) {
        below -= font->FontSize + 3;
        const float taken = words_size(font, line.words, 1e9f, style).x;
        if (const float left = width - taken - style.px(24); !drawn && left > style.px(value_legend_px)) {
            draw_value_legend({at.x + width, at.y}, left, colours, style);
            drawn = true;
        }
        const float height = words_size(font, line.words, width, style).y;
        const bool whole = at.y + height + below <= bottom;
        (whole ? draw_words : draw_shortened_words)(font, {at.x, std::round(at.y)}, width, line.words, line.color,
                                                    style);
        at.y += (whole ? std::max(height, font->FontSize) : font->FontSize) + 3;
    }
}

/// The tiles or elements that share the pixel at 'offset' px along one axis, as the shader has them.
std::pair<std::int64_t, std::int64_t> under(double offset, double first, double cell, std::int64_t count,
                                            std::int64_t tile) {
    const double pixel = std::floor(offset);
    auto edge = [&](double px) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(first + px / cell)), 0, count);
    };
    const std::int64_t low = std::min(edge(cell < 1 ? pixel : offset), count - 1);
    const std::int64_t high = std::max(cell < 1 ? edge(pixel + 1) : low + 1, low + 1);
    const std::int64_t from = low / tile,
                       to = high == count ? (count + tile - 1) / tile : std::max(high / tile, from + 1);
    return {from * tile, std::min(count, to * tile)};
}

void mark(const LayerScene& scene, const LayerMarks& marks, GridDecor& decor) {
    const std::int64_t first = first_row(scene.spec(), scene.part());
    auto shown = [&](const Cell& cell) { return cell.row >= first && cell.row < first + scene.rows(); };
    for (const Cell& cell : marks.linked)
        if (shown(cell)) decor.linked.push_back({cell.row - first, cell.col});
    if (marks.focus && shown(*marks.focus)) decor.focus = Cell{marks.focus->row - first, marks.focus->col};
}

/// The ground of all slots of the array: those that are not in use have a place, too.
void draw_slots(const GridPlace& place, const LayerScene& scene, const ViewStyle& style) {
    const ImVec2 from = place.point(0, 0);
    const ImVec2 to = place.point(static_cast<double>(scene.rows()), static_cast<double>(scene.cols()));
    const ImVec2 end{place.at.x + place.size.x, place.at.y + place.size.y};
    ImGui::GetWindowDrawList()->AddRectFilled({std::max(from.x, place.at.x), std::max(from.y, place.at.y)},
                                              {std::min(to.x, end.x), std::min(to.y, end.y)},
                                              style.theme->raised.u32());
}

std::string aggregate_note(Aggregate aggregate, bool slots) {
    switch (aggregate) {
        case Aggregate::share:
            return slots ? "A pixel stands for several elements: the share of slots in use, in %."
                         : "A pixel stands for several elements: the share of them that is not zero, in %.";
        case Aggregate::largest:
            return "A pixel stands for several elements: the one of largest magnitude.";
        case Aggregate::mean:
            return "A pixel stands for several elements: their mean, zeros included.";
    }
    return {};
}

}  // namespace

LayerViewResult LayerView::draw(LayerScene& scene, LayerViewState& state, const LayerWords& words,
                                const LayerMarks& marks, bool smooth, const ViewStyle& style) {
    LayerViewResult result;
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float footer = footer_height(room.x, style);
    const bool with_map = room.x > style.px(min_with_map_px);
    const ImVec2 at{corner.x + style.px(gutter_px), corner.y + style.px(ruler_px)};
    const ImVec2 size{std::floor(room.x - style.px(gutter_px + (with_map ? map_px + map_gap_px : 0))),
                      std::floor(room.y - footer - style.px(ruler_px))};
    if (size.x < style.px(90) || size.y < style.px(60)) {
        ImGui::TextDisabled("Make this view larger to see the array.");
        state.camera = state.target;  // where nothing is drawn, nothing is on its way
        return result;
    }
    window_ = {size.x, size.y, scene.rows(), scene.cols(), 72.0 * style.scale, 40.0 * style.scale};
    result.cells_min = at;
    result.cells_max = {at.x + size.x, at.y + size.y};
    const bool clicked = move(state, at, size, smooth);
    const bool hovered = ImGui::IsItemHovered() && !ImGui::IsMouseDragging(0);

    renderer_.show(state.aggregate);
    const GridPlace place = place_of(at, size, window_, state.camera);
    GridHit hit;
    GridDecor decor;
    mark(scene, marks, decor);
    if (hovered) point(scene, place, words, result);
    result.clicked = clicked && result.pointed;
    if (result.pointed) {
        const LayerSpot& spot = *result.pointed;
        decor.outlines.push_back(
            {spot.row0, spot.col0, spot.row1 - spot.row0, spot.col1 - spot.col0, style.theme->accent, 1.5f, 0});
    }
    if (scene.spec().empty_slots) draw_slots(place, scene, style);
    if (scene.rows_written() > 0) hit = renderer_.draw_cells(place, scene.source(), decor, style);
    result.aggregated = hit.aggregated;
    result.values_shown = hit.values_shown;
    maps(scene, place, style);
    numbers(scene, place, style);
    images(scene, place, style);
    if (with_map) {
        const ImVec2 map_at{result.cells_max.x + style.px(map_gap_px), at.y};
        const ImVec2 map_size{style.px(map_px), std::min(size.y, style.px(1.6f * map_px))};
        minimap(scene, state, map_at, map_size, style);
        result.minimap_min = map_at;
        result.minimap_max = {map_at.x + map_size.x, map_at.y + map_size.y};
    }

    ArrayColours colours{{scene.range()}, scene.spec().empty_slots};
    if (hit.aggregated && state.aggregate == Aggregate::share) colours = {{{0, 100}}, scene.spec().empty_slots, "%"};
    if (figure_hook)
        figure_hook(to_string(scene.spec().array), corner.x, corner.y, result.cells_max.x - corner.x,
                    result.cells_max.y - corner.y, colours);

    std::string note = words.note;
    if (!scene.complete())
        note = loading_words(scene.rows_written(), scene.rows(), scene.pyramid().progress());
    else if (hit.built < 1)
        note = fmt::format("Aggregating, {}; a few elements under each pixel stand for the rest until then.",
                           format_percent(hit.built));
    const Rgba &text = style.theme->text, &dim = style.theme->text_dim;
    const std::string scale = hit.aggregated     ? aggregate_note(state.aggregate, scene.spec().empty_slots)
                              : hit.values_shown ? ""
                                                 : "Zoom in further and the values are printed in the cells.";
    const std::string hint = result.words.empty()
                                 ? "Wheel zooms about the pointer, dragging pans, a double click shows all of it."
                                 : result.words;
    const std::array<FooterLine, 4> lines{
        {{words.summary, dim}, {note, dim}, {scale, dim}, {hint, result.words.empty() ? dim : text}}};
    draw_footer({corner.x + style.px(8), result.cells_max.y + style.px(8)}, room.x - style.px(16), corner.y + room.y,
                lines, colours, style);
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy(room);
    return result;
}

/// Takes the mouse, and moves the camera on its way. True when the button went down and up on the spot.
bool LayerView::move(LayerViewState& state, ImVec2 at, ImVec2 size, bool smooth) {
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton("layer cells", size);
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemHovered()) {
        if (io.MouseWheel != 0)
            state.target = zoomed(state.target, window_, std::pow(notch, io.MouseWheel), io.MousePos.x - at.x,
                                  io.MousePos.y - at.y);
        if (ImGui::IsMouseDoubleClicked(0)) state.target = fitted(window_);
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0, 0)) {
        // The held point stays under the pointer: no gliding.
        state.camera = panned(state.camera, window_, io.MouseDelta.x, io.MouseDelta.y);
        state.target = state.camera;
    }
    state.target = kept_inside(state.target, window_);
    state.camera = smooth ? approached(state.camera, state.target, window_, io.DeltaTime) : state.target;
    const float still = io.MouseDragThreshold * io.MouseDragThreshold;
    return ImGui::IsItemHovered() && ImGui::IsMouseReleased(0) && io.MouseDragMaxDistanceSqr[0] < still;
}

void LayerView::minimap(LayerScene& scene, LayerViewState& state, ImVec2 at, ImVec2 size, const ViewStyle& style) {
    const double rows = static_cast<double>(scene.rows()), cols = static_cast<double>(scene.cols());
    const GridPlace place{at, size, size.x / cols, size.y / rows, 0, 0};
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton("layer minimap", size);
    if (ImGui::IsItemActive()) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        state.target = centred(state.target, window_, (mouse.y - at.y) / place.cell_h, (mouse.x - at.x) / place.cell_w);
        state.camera = state.target;
    }
    if (scene.rows_written() > 0) {
        GridDecor plain;
        plain.hatch = 0;
        GridSource source = scene.source();
        source.read = {};
        renderer_.draw_cells(place, source, plain, style);
    }
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + size.x, at.y + size.y};
    list->AddRect({at.x - 1, at.y - 1}, {end.x + 1, end.y + 1}, style.theme->hairline.u32());
    ImVec2 a = place.point(state.camera.row, state.camera.col);
    ImVec2 b = place.point(state.camera.row + window_.rows_shown(state.camera),
                           state.camera.col + window_.cols_shown(state.camera));
    // However small the part, its mark can be seen and taken hold of.
    const float least = style.px(6);
    auto widen = [least](float& low, float& high, float from, float to) {
        low = std::clamp(low, from, to);
        high = std::clamp(high, from, to);
        if (high - low >= least) return;
        low = std::clamp((low + high - least) / 2, from, to - least);
        high = low + least;
    };
    widen(a.x, b.x, at.x, end.x);
    widen(a.y, b.y, at.y, end.y);
    list->AddRectFilled(a, b, style.theme->accent.with_alpha(0.12f).u32());
    list->AddRect(a, b, style.theme->accent.u32(), 0, 0, std::max(1.0f, style.px(1.5f)));
}

/// Hairlines between the maps of a mosaic.
void LayerView::maps(const LayerScene& scene, const GridPlace& place, const ViewStyle& style) const {
    const std::int64_t map_cols = scene.spec().cols_per_map, map_rows = scene.spec().rows_per_unit;
    if (map_cols == 0 || std::min(static_cast<double>(map_cols) * place.cell_w,
                                  static_cast<double>(map_rows) * place.cell_h) < style.px(6))
        return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::uint32_t line = style.theme->panel.u32();
    const ImVec2 first = place.point(0, 0);
    const ImVec2 end = place.point(static_cast<double>(scene.rows()), static_cast<double>(scene.cols()));
    const float right = std::min(end.x, place.at.x + place.size.x), low = std::min(end.y, place.at.y + place.size.y);
    for (std::int64_t col = map_cols; col < scene.cols(); col += map_cols)
        if (const float x = std::round(place.point(0, static_cast<double>(col)).x); x > place.at.x && x < right)
            list->AddRectFilled({x, std::max(first.y, place.at.y)}, {x + 1, low}, line);
    for (std::int64_t row = map_rows; row < scene.rows(); row += map_rows)
        if (const float y = std::round(place.point(static_cast<double>(row), 0).y); y > place.at.y && y < low)
            list->AddRectFilled({std::max(first.x, place.at.x), y}, {right, y + 1}, line);
}

/// Row and column numbers of the whole array along the edges. Along a mosaic, channels: that of a map is the sum of
/// the two numbers.
void LayerView::numbers(const LayerScene& scene, const GridPlace& place, const ViewStyle& style) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const LayerArraySpec& spec = scene.spec();
    const bool mosaic = spec.cols_per_map > 0;
    const std::int64_t map_rows = mosaic ? spec.rows_per_unit : 1, map_cols = mosaic ? spec.cols_per_map : 1;
    auto number = [&](bool rows, std::int64_t i) {
        return mosaic && rows ? i % (spec.rows_per_image / map_rows) * (spec.cols / map_cols) : i;
    };
    ImFont* font = style.caption();
    auto width_of = [font](const std::string& text) {
        return font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.c_str()).x;
    };
    auto along = [&](bool rows) {
        const std::int64_t each = rows ? map_rows : map_cols;
        const std::int64_t count = (rows ? scene.rows() : scene.cols()) / each;
        const double first = (rows ? place.row : place.col) / static_cast<double>(each);
        const double cell = (rows ? place.cell_h : place.cell_w) * static_cast<double>(each);
        const double extent = rows ? place.size.y : place.size.x;
        const auto every = static_cast<std::int64_t>(std::max(1.0, nice_step(style.px(rows ? 28 : 72) / cell)));
        const std::int64_t before = rows ? first_row(spec, scene.part()) / each : 0;  // of the whole array
        const double seen = first + static_cast<double>(before);
        const auto begin = static_cast<std::int64_t>(std::ceil(seen / static_cast<double>(every))) * every - before;
        for (std::int64_t i = begin; i < count; i += every) {
            // A large cell is labelled at its middle; small ones where the element begins.
            const double px = (static_cast<double>(i) - first + (cell > 12 ? 0.5 : 0)) * cell;
            if (px > extent) break;
            const std::string text = format_count(number(rows, before + i));
            const float half = font->FontSize / 2, w = width_of(text);
            const auto offset = static_cast<float>(px);
            const ImVec2 spot = rows ? ImVec2{place.at.x - style.px(8) - w, place.at.y + offset - half}
                                     : ImVec2{place.at.x + offset - w / 2, place.at.y - style.px(4) - font->FontSize};
            if (!rows && offset + w / 2 > place.size.x) break;
            list->AddText(font, font->FontSize, {std::round(spot.x), std::round(spot.y)}, style.theme->text_dim.u32(),
                          text.c_str());
            const float tick = style.px(3);
            if (rows)
                list->AddLine({place.at.x - tick - 1, place.at.y + offset}, {place.at.x - 1, place.at.y + offset},
                              style.theme->text_dim.u32());
        }
    };
    along(true);
    along(false);
}

/// A line between images, and which image it is, where they are large enough to tell apart.
void LayerView::images(const LayerScene& scene, const GridPlace& place, const ViewStyle& style) const {
    const LayerPart& part = scene.part();
    const double each = static_cast<double>(part.rows_per_image) * place.cell_h;
    if (scene.spec().images == 1 || each < style.px(18)) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(place.at, {place.at.x + place.size.x, place.at.y + place.size.y}, true);
    const auto first = static_cast<std::int64_t>(place.row) / part.rows_per_image;
    const float right =
        std::min(place.size.x, static_cast<float>((static_cast<double>(scene.cols()) - place.col) * place.cell_w));
    for (std::int64_t i = first; i < part.images; ++i) {
        const float y = place.point(static_cast<double>(i * part.rows_per_image), 0).y;
        if (y > place.at.y + place.size.y) break;
        if (i > 0) list->AddLine({place.at.x, y}, {place.at.x + right, y}, style.theme->accent.u32());
        const std::string text = fmt::format("image {}", part.first_image + i);
        ImFont* font = style.caption();
        const float w = font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.c_str()).x, inset = style.px(4);
        const ImVec2 a{place.at.x + right - w - 3 * inset, std::max(y, place.at.y) + inset};
        const ImVec2 b{a.x + w + 2 * inset, a.y + font->FontSize + inset};
        if (b.y > y + static_cast<float>(each)) continue;
        list->AddRectFilled(a, b, style.theme->panel.with_alpha(0.85f).u32(), style.px(2));
        list->AddText(font, font->FontSize, {std::round(a.x + inset), std::round(a.y + inset / 2)},
                      style.theme->text.u32(), text.c_str());
    }
    list->PopClipRect();
}

void LayerView::point(LayerScene& scene, const GridPlace& place, const LayerWords& words, LayerViewResult& result) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const double x = mouse.x - place.at.x, y = mouse.y - place.at.y;
    const std::int64_t rows = scene.rows(), cols = scene.cols();
    if (place.row + y / place.cell_h >= static_cast<double>(scene.rows_written()) ||
        place.col + x / place.cell_w >= static_cast<double>(cols))
        return;
    const std::size_t level =
        scene.complete() ? level_for(scene.pyramid().levels(), 1 / place.cell_h, 1 / place.cell_w) : no_level;
    const PyramidLevel tile = level == no_level ? PyramidLevel{} : scene.pyramid().levels()[level];
    LayerSpot spot;
    std::tie(spot.row0, spot.row1) = under(y, place.row, place.cell_h, rows, tile.tile_rows);
    std::tie(spot.col0, spot.col1) = under(x, place.col, place.cell_w, cols, tile.tile_cols);
    result.pointed = spot;
    const std::uint64_t version = scene.pyramid().version();
    if (latest_.version != version || latest_.complete != scene.complete() || latest_.spot != spot)
        latest_ = {spot, version, scene.complete(), words_of(scene, spot, level)};
    result.words = latest_.words;
    if (spot.one() && words.place) result.words += "  \u00b7  " + words.place(spot.row0, spot.col0);
}

std::string LayerView::words_of(LayerScene& scene, const LayerSpot& spot, std::size_t level) {
    const char* name = to_string(scene.spec().array);
    const std::int64_t first = first_row(scene.spec(), scene.part());
    const LayerSpot in_array{spot.row0 + first, spot.row1 + first, spot.col0, spot.col1};
    if (level != no_level) {
        const PyramidLevel& tile = scene.pyramid().levels()[level];
        return region_words(
            in_array, scene.spec(),
            scene.pyramid().stats(level, spot.row0 / tile.tile_rows, (spot.row1 + tile.tile_rows - 1) / tile.tile_rows,
                                  spot.col0 / tile.tile_cols, (spot.col1 + tile.tile_cols - 1) / tile.tile_cols));
    }
    const auto& words = scene.read(spot.row0, spot.row1 - spot.row0, spot.col0, spot.col1 - spot.col0);
    if (words.empty()) return fmt::format("{}: still being aggregated", name);
    if (spot.one()) return element_words(in_array, scene.spec(), words.front());
    return region_words(in_array, scene.spec(),
                        stats_of(scene.pyramid().source(), words.data(), static_cast<std::int64_t>(words.size())));
}

}  // namespace convscope
