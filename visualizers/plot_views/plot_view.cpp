#include "visualizers/plot_views/plot_view.h"

#include <imgui.h>

#include <cmath>

#include "visualizers/plot_views/screen_canvas.h"
#include "visualizers/plots/plot_draw.h"
#include "visualizers/plots/plot_pick.h"
#include "visualizers/plots/plot_strokes.h"
#include "visualizers/style/control_hook.h"
#include "visualizers/style/tooltip.h"

namespace convscope {
namespace {

constexpr float click_px = 4;  ///< a pointer that moved less has clicked

void zoom(double& low, double& high, double about, double factor, bool log) {
    if (log) {
        low = about * std::pow(low / about, factor);
        high = about * std::pow(high / about, factor);
    } else {
        low = about + (low - about) * factor;
        high = about + (high - about) * factor;
    }
}

void move(double& low, double& high, double share, bool log) {
    if (log) {
        const double ratio = std::pow(high / low, share);
        low *= ratio;
        high *= ratio;
    } else {
        const double by = share * (high - low);
        low += by;
        high += by;
    }
}

PlotLook look_of(const ViewStyle& style) {
    return {style.theme, style.caption()->FontSize, style.scale, ImGui::GetStyle().ScrollbarSize, false};
}

class OnScreen {
public:
    OnScreen(const Plot& plot, PlotState& state, const ViewStyle& style, const PlotEmphasis& emphasis, ImVec2 size)
        : plot_(plot), state_(state), style_(style), emphasis_(emphasis), canvas_(style) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        box_ = {at.x, at.y, size.x, size.y};
        look_ = look_of(style);
        result_.x = at.x, result_.y = at.y, result_.width = size.x, result_.height = size.y;
        lay_out_again();
    }

    PlotResult draw(const char* id, const DescribeRow& describe) {
        keep_tooltips_off(at(box_.x, box_.y), at(box_.right(), box_.bottom()));
        if (plot_.rows) return draw_rows(id);
        ImGui::PushID(id);
        legend_clicks();
        const bool room = layout_.area.w > look_.px(24) && layout_.area.h > look_.px(24);
        bool hovered = false;
        if (room) {
            const CanvasBox area = pointed_area();
            ImGui::SetCursorScreenPos(at(area.x, area.y));
            ImGui::InvisibleButton("area", at(area.w, area.h));
            hovered = ImGui::IsItemHovered();
            if (!is_empty(plot_, state_)) take_mouse(hovered);
            menu();
        }
        lay_out_again();
        draw_plot(canvas_, plot_, state_, layout_, look_, emphasis_);
        result_.area = layout_.area;
        if (state_.brushing) draw_brush();
        if (hovered && !state_.brushing && !is_empty(plot_, state_)) read_out(describe);
        ImGui::SetCursorScreenPos({result_.x, result_.y});
        ImGui::Dummy({result_.width, result_.height});
        ImGui::PopID();
        return result_;
    }

private:
    /// The rows are controls in a window of their own, which scrolls them.
    PlotResult draw_rows(const char* id) {
        const CanvasBox& sight = layout_.rows.sight;
        result_.area = layout_.area;
        if (box_.w < look_.px(160) || box_.h < look_.px(80)) return result_;
        ImGui::SetCursorScreenPos(at(sight.x, sight.y));
        ImGui::BeginChild(id, at(box_.w, sight.h));
        state_.scrolled = ImGui::GetScrollY();
        PlotEmphasis emphasis = emphasis_;
        for (std::size_t i = 0; i < plot_.x.names.size(); ++i) {
            const CanvasBox box = row_box(layout_, state_, i);
            ImGui::SetCursorScreenPos(at(box.x, box.y));
            ImGui::PushID(static_cast<int>(i));
            if (ImGui::InvisibleButton("row", at(sight.w, box.h))) result_.clicked = static_cast<PlotRow>(i);
            ImGui::PopID();
            tell_of_control((plot_.rows->control + "/" + plot_.x.names[i]).c_str(), plot_.rows->action.c_str(),
                            {ControlRole::list_item, plot_.x.names[i], {}, false});
            if (ImGui::IsItemHovered()) result_.hovered = emphasis.hovered = static_cast<PlotRow>(i);
            const double top = std::max(box.y, sight.y), bottom = std::min(box.bottom(), sight.bottom());
            if (bottom > top) result_.rows.push_back({static_cast<PlotRow>(i), {box.x, top, box.w, bottom - top}});
        }
        if (ImGui::BeginPopupContextWindow("menu")) menu_items();
        ImGui::EndChild();
        draw_plot(canvas_, plot_, state_, layout_, look_, emphasis);
        return result_;
    }

    static ImVec2 at(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }
    void lay_out_again() { layout_ = lay_out(canvas_, plot_, state_, look_, box_); }

    /// Ends of parallel axes are pointed at from a little outside.
    CanvasBox pointed_area() const {
        const double out = plot_.parallel ? look_.px(8) : 0;
        const CanvasBox& area = layout_.area;
        return {area.x - out, area.y - out, area.w + 2 * out, area.h + 2 * out};
    }

    void legend_clicks() {
        for (const PlotLegendEntry& entry : layout_.legend) {
            const std::string& name = plot_.series[entry.series].name;
            ImGui::SetCursorScreenPos(at(entry.box.x, entry.box.y));
            if (ImGui::InvisibleButton(name.c_str(), at(entry.box.w, entry.box.h)) && !state_.hidden.erase(name))
                state_.hidden.insert(name);
            tell_of_control(("legend/" + name).c_str(), "Show or hide it in the plot",
                            {ControlRole::check_box, name, {}, !state_.hidden.contains(name)});
            if (!ImGui::IsItemHovered()) continue;
            canvas_.rectangle(entry.box.x - look_.px(4), entry.box.y, entry.box.w + look_.px(4), entry.box.h,
                              style_.theme->raised);
            tooltip(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                    std::string("Click to ") + (state_.hidden.contains(name) ? "show " : "hide ") + name, style_.body(),
                    style_.scale);
        }
    }

    void take_mouse(bool hovered) {
        const ImGuiIO& io = ImGui::GetIO();
        const bool moves = !plot_.parallel;
        if (hovered && ImGui::IsMouseDoubleClicked(0)) {
            state_.view.reset();
            return;
        }
        if (hovered && moves && io.MouseWheel != 0) {
            PlotState::View view = view_of(layout_);
            const double factor = std::pow(0.8, io.MouseWheel);
            const CanvasPoint mouse{io.MousePos.x, io.MousePos.y};
            if (!io.KeyShift) zoom(view.x0, view.x1, layout_.x_at(mouse), factor, layout_.x.log);
            if (!io.KeyCtrl) zoom(view.y0, view.y1, layout_.y_at(mouse), factor, layout_.y.log);
            state_.view = view;
        }
        if (ImGui::IsItemActivated()) state_.brushing = io.KeyShift;
        const bool dragged = ImGui::GetMouseDragDelta(0, style_.px(click_px)).x != 0 ||
                             ImGui::GetMouseDragDelta(0, style_.px(click_px)).y != 0;
        if (ImGui::IsItemActive() && state_.brushing)
            result_.brushed = rows_in(plot_, state_, layout_, brush());
        else if (ImGui::IsItemActive() && dragged && moves)
            pan(io.MouseDelta);
        if (ImGui::IsItemDeactivated()) {
            const ImVec2 from = io.MouseClickedPos[0];
            const bool clicked = std::hypot(io.MousePos.x - from.x, io.MousePos.y - from.y) < style_.px(click_px);
            if (clicked && !state_.brushing)
                result_.clicked = pick(plot_, state_, layout_, look_, io.MousePos.x, io.MousePos.y).row;
            state_.brushing = false;
        }
    }

    void pan(ImVec2 delta) {
        if (delta.x == 0 && delta.y == 0) return;
        PlotState::View view = view_of(layout_);
        const double right = delta.x / layout_.area.w, down = delta.y / layout_.area.h;
        move(view.x0, view.x1, layout_.lying ? -down : -right, layout_.x.log);
        move(view.y0, view.y1, layout_.lying ? -right : down, layout_.y.log);
        state_.view = view;
    }

    static CanvasBox brush() {
        const ImVec2 a = ImGui::GetIO().MouseClickedPos[0], b = ImGui::GetIO().MousePos;
        return {std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x), std::abs(a.y - b.y)};
    }
    void draw_brush() {
        const CanvasBox box = brush();
        canvas_.rectangle(box.x, box.y, box.w, box.h, style_.theme->accent.with_alpha(0.15F));
        canvas_.outline(box.x, box.y, box.w, box.h, style_.theme->accent);
    }

    void menu() {
        if (ImGui::BeginPopupContextItem("menu")) menu_items();
    }
    void menu_items() {
        const bool axes = !plot_.parallel;
        if (axes && plot_.x.names.empty()) register_item(plot_.x, layout_.x, state_.log_x);
        if (axes && plot_.y.names.empty()) register_item(plot_.y, layout_.y, state_.log_y);
        if (axes && !plot_.rows && menu_item("Show everything", "double click")) state_.view.reset();
        if (emphasis_.chosen && menu_item("Clear the brushed rows")) result_.brushed.emplace();
        ImGui::Separator();
        result_.picture = picture_items("plot menu");
        ImGui::Separator();
        if (menu_item("Save data as CSV")) result_.request = PlotRequest::save_csv;
        if (menu_item("Copy data")) result_.request = PlotRequest::copy_csv;
        if (menu_item("Copy command line", nullptr, !plot_.command.empty()))
            result_.request = PlotRequest::copy_command;
        ImGui::EndPopup();
    }
    static bool menu_item(const char* name, const char* keys = nullptr, bool enabled = true) {
        const bool picked = ImGui::MenuItem(name, keys, false, enabled);
        tell_of_control((std::string("plot menu/") + name).c_str(), name, {ControlRole::menu_item, name});
        return picked;
    }
    void register_item(const PlotScale& scale, const PlotAxis& axis, std::optional<bool>& log) {
        if (!ImGui::MenuItem(("Logarithmic " + scale.name).c_str(), nullptr, axis.log)) return;
        log = !axis.log;
        state_.view.reset();
    }

    void read_out(const DescribeRow& describe) {
        if (ImGui::IsMouseDragging(0)) return;
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const PlotPick found = pick(plot_, state_, layout_, look_, mouse.x, mouse.y);
        std::optional<PlotReading> reading;
        if (!plot_.cells && !plot_.parallel) reading = read_at(plot_, state_, layout_, {mouse.x, mouse.y});
        if (found.words.empty() && !reading) return;
        result_.hovered = found.row;
        std::string text = reading && reading->has(found) ? found.beside_reading : found.words;
        if (describe && found.row != no_row)
            if (const std::string more = describe(found.row); !more.empty()) text += "\n" + more;
        ImGui::BeginTooltip();
        if (reading) crosshair(*reading);
        if (reading && !text.empty()) ImGui::Separator();
        ImGui::PushTextWrapPos(style_.px(360));
        if (!text.empty()) ImGui::TextUnformatted(text.c_str());
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }

    /// A hairline at the nearest x, and every method's value there.
    void crosshair(const PlotReading& reading) {
        const CanvasBox& area = layout_.area;
        const Rgba hair = style_.theme->text_dim.with_alpha(0.5F);
        if (layout_.lying)
            canvas_.line(area.x, reading.x, area.right(), reading.x, hair, std::max(1.0, look_.px(1)));
        else
            canvas_.line(reading.x, area.y, reading.x, area.bottom(), hair, std::max(1.0, look_.px(1)));
        if (!plot_.strips) ImGui::TextDisabled("%s  %s", plot_.x.name.c_str(), reading.words.c_str());
        ScreenCanvas words(style_);  // the tooltip's, where canvas_ is the plot's
        const PlotStrokes strokes{words, plot_,     state_,        layout_,
                                  look_, emphasis_, *style_.theme, inks_of(plot_, *style_.theme)};
        for (const PlotReading::Value& value : reading.values) {
            const PlotSeries& one = plot_.series[value.series];
            const Rgba color = strokes.inks[value.series];
            const ImVec2 at = ImGui::GetCursorScreenPos();
            strokes.swatch(one, at.x, at.y + ImGui::GetTextLineHeight() / 2, color);
            ImGui::Dummy({style_.px(18), 0});
            ImGui::SameLine();
            ImGui::Text("%s  %s", one.name.c_str(), value.words.c_str());
            if (std::isfinite(value.at.x) && std::isfinite(value.at.y))
                canvas_.dot(value.at.x, value.at.y, look_.px(3), color);
        }
    }

    const Plot& plot_;
    PlotState& state_;
    const ViewStyle& style_;
    const PlotEmphasis& emphasis_;
    ScreenCanvas canvas_;
    CanvasBox box_;
    PlotLook look_;
    PlotLayout layout_;
    PlotResult result_;
};

}  // namespace

float width_for_names(const Plot& plot, const ViewStyle& style) {
    ScreenCanvas canvas(style);
    return static_cast<float>(width_for_names(canvas, plot, look_of(style)));
}

PlotResult show_plot(const char* id, const Plot& plot, PlotState& state, const ViewStyle& style,
                     const PlotEmphasis& emphasis, const DescribeRow& describe, float width, float height) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    return OnScreen(plot, state, style, emphasis, {width > 0 ? width : room.x, height > 0 ? height : room.y})
        .draw(id, describe);
}

}  // namespace convscope
