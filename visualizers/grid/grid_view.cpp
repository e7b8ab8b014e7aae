#include "visualizers/grid/grid_view.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <deque>

#include "visualizers/grid/cell_text.h"
#include "visualizers/grid/dashed_frame.h"
#include "visualizers/grid/grid_shader.h"
#include "visualizers/style/tooltip.h"
#include "visualizers/theme/legible.h"

namespace convscope {
namespace {

// At scale 1: smaller cells show colour alone.
constexpr float min_width_px = 22, min_height_px = 14;
constexpr float of_presented = 0.48f, min_scale = 0.64f;  ///< in front of an audience: of the scale, but no less
constexpr float max_cell_px = 96;                         ///< by zooming, at scale 1

constexpr double building_ms = 6;  // of a frame, for aggregates that are not there yet

/// The cells that can be seen, half open.
struct Visible {
    std::int64_t row0 = 0, col0 = 0, row1 = 0, col1 = 0;
};

Visible visible(const GridPlace& place, const GridSource& source) {
    auto end = [](double first, double extent, double cell, std::int64_t count) {
        return std::min(count, static_cast<std::int64_t>(std::ceil(first + extent / cell)));
    };
    Visible v;
    v.row0 = static_cast<std::int64_t>(std::floor(place.row));
    v.col0 = static_cast<std::int64_t>(std::floor(place.col));
    v.row1 = end(place.row, place.size.y, place.cell_h, source.rows);
    v.col1 = end(place.col, place.size.x, place.cell_w, source.cols);
    return v;
}

GridPlace place_of(ImVec2 at, ImVec2 size, const GridSource& source, const GridCamera& camera) {
    return {at,
            size,
            size.x / static_cast<double>(source.cols) * camera.zoom,
            size.y / static_cast<double>(source.rows) * camera.zoom,
            camera.row,
            camera.col};
}

/// The largest zoom gives cells of 96 px, or leaves a grid with larger cells as it is.
double largest_zoom(ImVec2 size, const GridSource& source, float scale) {
    const double fit = std::min(size.x / static_cast<double>(source.cols), size.y / static_cast<double>(source.rows));
    return std::max(1.0, max_cell_px * scale / fit);
}

void keep_inside(GridCamera& camera, ImVec2 size, const GridSource& source, float scale) {
    camera.zoom = std::clamp(camera.zoom, 1.0, largest_zoom(size, source, scale));
    const double hidden = 1 - 1 / camera.zoom;
    camera.row = std::clamp(camera.row, 0.0, static_cast<double>(source.rows) * hidden);
    camera.col = std::clamp(camera.col, 0.0, static_cast<double>(source.cols) * hidden);
}

void zoom_about(GridCamera& camera, ImVec2 at, ImVec2 size, const GridSource& source, float steps, float scale) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const double u = (mouse.x - at.x) / size.x, v = (mouse.y - at.y) / size.y;
    const double col = camera.col + u * static_cast<double>(source.cols) / camera.zoom;
    const double row = camera.row + v * static_cast<double>(source.rows) / camera.zoom;
    camera.zoom = std::clamp(camera.zoom * std::pow(1.25, steps), 1.0, largest_zoom(size, source, scale));
    camera.col = col - u * static_cast<double>(source.cols) / camera.zoom;
    camera.row = row - v * static_cast<double>(source.rows) / camera.zoom;
}

/// Wheel, drag and double click; true when the button went down and up on the spot.
bool take_mouse(const char* id, ImVec2 at, ImVec2 size, const GridSource& source, GridCamera& camera, float scale) {
    const ImVec2 before = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton(id, size);
    ImGui::SetCursorScreenPos(before);
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemHovered()) {
        if (io.MouseWheel != 0) zoom_about(camera, at, size, source, io.MouseWheel, scale);
        if (ImGui::IsMouseDoubleClicked(0)) camera = {};
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0)) {
        camera.col -= io.MouseDelta.x / size.x * static_cast<double>(source.cols) / camera.zoom;
        camera.row -= io.MouseDelta.y / size.y * static_cast<double>(source.rows) / camera.zoom;
    }
    keep_inside(camera, size, source, scale);
    const float moved = io.MouseDragMaxDistanceSqr[0];
    return ImGui::IsItemHovered() && ImGui::IsMouseReleased(0) && moved < io.MouseDragThreshold * io.MouseDragThreshold;
}

double value_of(std::uint32_t bits, Element element) {
    return element == Element::i32 ? std::bit_cast<std::int32_t>(bits) : std::bit_cast<float>(bits);
}

/// The range of the array and of all values in sight.
ValueRange range_with(const GridSource& source, const std::vector<std::uint32_t>& bits) {
    ValueRange range = source.range;
    for (const std::uint32_t raw : bits) {
        const double value = value_of(raw, source.element);
        if ((source.empty_slots && raw == 0xffffffffu) || !std::isfinite(value)) continue;
        range.low = std::min(range.low, static_cast<float>(value));
        range.high = std::max(range.high, static_cast<float>(value));
    }
    return range;
}

Rgba cell_color(const GridSource& source, const Theme& theme, double value) {
    const bool zero = !source.zero_is_a_value && (source.element == Element::i32 ? value <= 0 : value == 0);
    if (std::isnan(value)) return theme.not_a_number;
    return zero ? theme.zero : theme.value(static_cast<float>(value), source.range);
}

/// The cells in sight, where they are large enough for numbers; else none.
const std::vector<std::uint32_t>& printed_bits(const GridPlace& place, const GridSource& source, const Visible& v,
                                               const ViewStyle& style) {
    static const std::vector<std::uint32_t> none;
    constexpr double slack = 0.01;  // of a cell that was fitted
    const ImVec2 least = printing_cell(style);
    if (!source.read || place.cell_w + slack < least.x || place.cell_h + slack < least.y) return none;
    return source.read(source.first + v.row0 * source.row_stride + v.col0, v.row1 - v.row0, v.col1 - v.col0,
                       source.row_stride);
}

bool all_whole(const GridSource& source, const std::vector<std::uint32_t>& bits) {
    return source.element != Element::f32 || std::ranges::all_of(bits, [](std::uint32_t raw) {
               const float value = std::bit_cast<float>(raw);
               return !std::isfinite(value) || value == std::round(value);
           });
}

bool has_fills(const GridDecor& decor) {
    return std::ranges::any_of(decor.outlines, [](const GridDecor::Outline& each) { return each.fill > 0; });
}

/// The background of a printed value: its cell's colour, and the fill over it.
Rgba behind_value(const Rgba& cell_colour, const Cell& cell, const GridDecor& decor) {
    Rgba behind = cell_colour;
    for (const GridDecor::Outline& each : decor.outlines)
        if (each.fill > 0 && cell.row >= each.row && cell.row < each.row + each.rows && cell.col >= each.col &&
            cell.col < each.col + each.cols)
            behind = mix(behind, each.color, each.fill);
    return behind;
}

/// Whether there are values to print in cells of this size, and they were printed.
bool print_values(const GridPlace& place, const GridSource& source, const Visible& v, const GridDecor& decor,
                  const ViewStyle& style) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::int64_t cols = v.col1 - v.col0;
    const auto& bits = printed_bits(place, source, v, style);
    if (bits.empty()) return false;
    const CellText text(style, static_cast<float>(place.cell_w), static_cast<float>(place.cell_h),
                        range_with(source, bits), all_whole(source, bits), decor.digits);
    if (!text.fits()) return false;
    const bool filled = has_fills(decor);
    for (std::int64_t row = v.row0; row < v.row1; ++row)
        for (std::int64_t col = v.col0; col < v.col1; ++col) {
            const std::uint32_t raw = bits[static_cast<std::size_t>((row - v.row0) * cols + col - v.col0)];
            if (source.empty_slots && raw == 0xffffffffu) continue;
            const double value = value_of(raw, source.element);
            const Rgba under = cell_color(source, *style.theme, value);
            const bool quiet = under == style.theme->zero;
            const Rgba behind = filled ? behind_value(under, {row, col}, decor) : under;
            const ImVec2 corner = place.point(static_cast<double>(row), static_cast<double>(col));
            text.draw(list, corner, value, quiet ? legible(style.theme->text_dim, behind) : readable_on(behind));
        }
    return true;
}

void draw_outline(ImDrawList* list, ImVec2 a, ImVec2 b, const GridDecor::Outline& outline, float scale) {
    const float width = std::max(1.0f, outline.width * scale);
    // Sub-pixel cells still leave a visible mark.
    const float least = 3 * scale;
    if (b.x - a.x < least) a.x -= (least - (b.x - a.x)) / 2, b.x = a.x + least;
    if (b.y - a.y < least) a.y -= (least - (b.y - a.y)) / 2, b.y = a.y + least;
    if (outline.fill > 0) list->AddRectFilled(a, b, outline.color.with_alpha(outline.fill).u32());
    if (outline.fill >= 1) return;
    if (outline.shared) return draw_dashed_frame(list, a, b, outline.color, scale);
    const float half = width / 2;
    list->AddRect({a.x + half, a.y + half}, {b.x - half, b.y - half}, outline.color.u32(), 0, 0, width);
}

void draw_underlines(const GridPlace& place, const GridDecor& decor, float scale) {
    if (std::min(place.cell_w, place.cell_h) < 14 * scale) return;
    for (const GridDecor::Underline& u : decor.underlines) {
        const double bottom = static_cast<double>(u.row + 1), left = static_cast<double>(u.col);
        const ImVec2 a = place.point(bottom, left);
        const ImVec2 b = place.point(bottom, left + static_cast<double>(u.cols));
        const float inset = 3 * scale, thick = 3 * scale;
        ImGui::GetWindowDrawList()->AddRectFilled({a.x + inset, a.y - thick}, {b.x - inset + scale, b.y},
                                                  u.color.u32());
    }
}

void draw_decor(const GridPlace& place, const Visible& v, const GridDecor& decor, const ViewStyle& style) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    auto draw = [&](const GridDecor::Outline& o) {
        if (o.row + o.rows <= v.row0 || o.row >= v.row1 || o.col + o.cols <= v.col0 || o.col >= v.col1) return;
        const double row = static_cast<double>(o.row), col = static_cast<double>(o.col);
        const ImVec2 a = place.point(row, col);
        ImVec2 b = place.point(row + static_cast<double>(o.rows), col + static_cast<double>(o.cols));
        const float line = std::max(1.0f, std::round(style.scale));
        draw_outline(list, a, {b.x + line, b.y + line}, o, style.scale);
    };
    draw_underlines(place, decor, style.scale);
    for (const GridDecor::Outline& outline : decor.outlines) draw(outline);
    const bool small = std::min(place.cell_w, place.cell_h) < 6 * style.scale;
    const Rgba& accent = style.theme->accent;
    // Tiny cells are filled, and marks that would cover each other are left out: there can be tens of thousands.
    ImVec2 last{-1, -1};
    for (const Cell& cell : decor.linked) {
        const ImVec2 p = place.point(static_cast<double>(cell.row), static_cast<double>(cell.col));
        const ImVec2 spot{std::floor(p.x / 2), std::floor(p.y / 2)};
        if (spot.x == last.x && spot.y == last.y) continue;
        last = spot;
        draw({cell.row, cell.col, 1, 1, accent, 2, small ? 1.0f : 0.0f});
    }
    if (decor.focus) draw({decor.focus->row, decor.focus->col, 1, 1, accent, 3, small ? 1.0f : 0.0f});
}

}  // namespace

ImVec2 printing_cell(const ViewStyle& style) {
    const float scale = style.presented ? std::max(of_presented * style.scale, min_scale) : style.scale;
    return {min_width_px * scale, min_height_px * scale};
}

struct GridRenderer::Impl {
    struct Job {
        Impl* impl;
        GridDraw draw;
    };
    GridShader shader;
    std::deque<Job> jobs;  ///< of this frame; ImGui's draw list points at them

    static void run(const ImDrawList*, const ImDrawCmd* command) {
        const Job& job = *static_cast<const Job*>(command->UserCallbackData);
        const ImDrawData& data = *ImGui::GetDrawData();
        const ImVec2 scale = data.FramebufferScale;
        const float clip[4] = {
            (command->ClipRect.x - data.DisplayPos.x) * scale.x, (command->ClipRect.y - data.DisplayPos.y) * scale.y,
            (command->ClipRect.z - data.DisplayPos.x) * scale.x, (command->ClipRect.w - data.DisplayPos.y) * scale.y};
        GridDraw draw = job.draw;
        for (float* value : {&draw.x, &draw.width, &draw.cell_w}) *value *= scale.x;
        for (float* value : {&draw.y, &draw.height, &draw.cell_h}) *value *= scale.y;
        job.impl->shader.draw(draw, static_cast<int>(data.DisplaySize.x * scale.x),
                              static_cast<int>(data.DisplaySize.y * scale.y), clip);
    }
};

const GridDraw* grid_of(const ImDrawCmd& command) {
    using Impl = GridRenderer::Impl;
    if (command.UserCallback != &Impl::run) return nullptr;
    return &static_cast<const Impl::Job*>(command.UserCallbackData)->draw;
}

GridRenderer::GridRenderer() : impl_(std::make_unique<Impl>()) {}
GridRenderer::~GridRenderer() = default;

void GridRenderer::begin_frame() {
    impl_->jobs.clear();
    impl_->shader.begin_frame();
    building_ms_ = building_ms;
    building_ = false;
}

bool GridRenderer::building() const {
    return building_ || impl_->shader.coarse();
}

std::shared_ptr<PyramidPrograms> GridRenderer::pyramid_programs() {
    if (!pyramid_programs_) pyramid_programs_ = std::make_shared<PyramidPrograms>();
    return pyramid_programs_;
}

CellDigitsSet fitting_digits(ImVec2 at, ImVec2 size, const GridSource& source, const GridCamera& camera,
                             const ViewStyle& style) {
    const GridPlace place = place_of(at, size, source, camera);
    const auto& bits = printed_bits(place, source, visible(place, source), style);
    if (bits.empty() || all_whole(source, bits)) return 0;
    return CellText::fitting(style, static_cast<float>(place.cell_w), static_cast<float>(place.cell_h),
                             range_with(source, bits));
}

ImVec2 grid_point(ImVec2 at, ImVec2 size, const GridSource& source, const GridCamera& camera, double row, double col) {
    return place_of(at, size, source, camera).point(row, col);
}

GridHit GridRenderer::draw(const char* id, ImVec2 at, ImVec2 size, const GridSource& source, GridCamera& camera,
                           const GridDecor& decor, const ViewStyle& style) {
    if (size.x < 1 || size.y < 1 || source.rows < 1 || source.cols < 1) return {};
    const bool clicked = take_mouse(id, at, size, source, camera, style.scale);
    keep_tooltips_off(at, {at.x + size.x, at.y + size.y});
    const bool pointed = ImGui::IsItemHovered();
    const GridPlace place = place_of(at, size, source, camera);
    GridHit hit = draw_cells(place, source, decor, style);
    hit.clicked = clicked;
    if (!pointed) return hit;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Cell cell{static_cast<std::int64_t>(std::floor(place.row + (mouse.y - at.y) / place.cell_h)),
                    static_cast<std::int64_t>(std::floor(place.col + (mouse.x - at.x) / place.cell_w))};
    if (cell.row >= 0 && cell.row < source.rows && cell.col >= 0 && cell.col < source.cols) hit.hovered = cell;
    return hit;
}

/// Whether the aggregates of an array that needs them can be drawn from; builds on where they cannot.
bool GridRenderer::aggregates_ready(const GridPlace& place, const GridSource& source, GridHit& hit) {
    if (!source.pyramid || !place.aggregated()) return false;
    TilePyramid& pyramid = *source.pyramid;
    if (level_for(pyramid.levels(), 1 / place.cell_h, 1 / place.cell_w) == no_level) return false;
    if (!pyramid.complete() && building_ms_ > 0) {
        const auto begin = std::chrono::steady_clock::now();
        pyramid.advance(building_ms_);
        building_ms_ -= std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }
    hit.built = pyramid.progress();
    building_ = building_ || !pyramid.complete();
    return pyramid.complete();
}

GridHit GridRenderer::draw_cells(const GridPlace& place, const GridSource& source, const GridDecor& decor,
                                 const ViewStyle& style) {
    GridHit hit;
    const Visible v = visible(place, source);
    hit.cell_w = static_cast<float>(place.cell_w);
    hit.cell_h = static_cast<float>(place.cell_h);
    hit.aggregated = place.aggregated();

    GridDraw draw;
    draw.buffer = source.buffer;
    draw.first = source.first;
    draw.row_stride = source.row_stride;
    draw.rows = static_cast<std::int32_t>(source.rows);
    draw.cols = static_cast<std::int32_t>(source.cols);
    draw.integers = source.element == Element::i32;
    draw.empty_slots = source.empty_slots;
    draw.zero_is_a_value = source.zero_is_a_value;
    draw.range = source.range;
    draw.x = place.at.x;
    draw.y = place.at.y;
    draw.width = place.size.x;
    draw.height = place.size.y;
    draw.cell_w = hit.cell_w;
    draw.cell_h = hit.cell_h;
    draw.left = static_cast<std::int32_t>(v.col0);
    draw.top = static_cast<std::int32_t>(v.row0);
    draw.left_part = static_cast<float>(place.col - static_cast<double>(v.col0));
    draw.top_part = static_cast<float>(place.row - static_cast<double>(v.row0));
    draw.tint_rows = static_cast<std::int32_t>(decor.tint_rows);
    draw.tint_first = static_cast<std::int32_t>(decor.tint_first);
    draw.hatch = decor.hatch;
    draw.scale = style.scale;
    draw.line = std::max(1.0f, std::round(style.scale));
    draw.theme = style.theme;
    draw.aggregate = aggregate_;
    draw.contents = source.pyramid ? source.pyramid->version() : source.contents;
    if (aggregates_ready(place, source, hit)) draw.pyramid = source.pyramid;
    impl_->jobs.push_back({impl_.get(), draw});

    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(place.at, {place.at.x + place.size.x + 1, place.at.y + place.size.y + 1}, true);
    list->AddCallback(&Impl::run, &impl_->jobs.back());
    list->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
    // A frame is drawn over a number that reaches it; a number over what fills its cell.
    const bool filled = has_fills(decor);
    if (filled) draw_decor(place, v, decor, style);
    hit.values_shown = print_values(place, source, v, decor, style);
    if (!filled) draw_decor(place, v, decor, style);
    list->PopClipRect();
    return hit;
}

}  // namespace convscope
