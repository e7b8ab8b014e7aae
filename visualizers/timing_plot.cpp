#include "visualizers/timing_plot.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/core/format_units.h"
#include "visualizers/control_hook.h"
#include "visualizers/legible.h"
#include "visualizers/plots/plot_menu.h"
#include "visualizers/timing_plot_model.h"

namespace convscope {
namespace {

class ScreenPlot {
public:
    ScreenPlot(const TimingPlotData& data, TimingPlotState& state, const ViewStyle& style, ImVec2 at, ImVec2 size)
        : data_(data), state_(state), style_(style), theme_(*style.theme), at_(at), size_(size) {
        list_ = ImGui::GetWindowDrawList();
    }

    TimingPlotResult draw(const char* id) {
        TimingPlotResult result{PlotRequest::none, at_.x, at_.y, size_.x, size_.y};
        ImGui::PushID(id);
        const float legend_height = state_.legend ? legend() : 0;
        const float left = style_.px(56), bottom = style_.px(22), top = legend_height + style_.px(22),
                    right = style_.px(12);
        const ImVec2 area_at{at_.x + left, at_.y + top};
        const ImVec2 area{size_.x - left - right, size_.y - top - bottom};
        if (area.x > style_.px(40) && area.y > style_.px(30)) {
            ImGui::SetCursorScreenPos(area_at);
            ImGui::InvisibleButton("area", area);
            const bool hovered = ImGui::IsItemHovered();
            frame_ = make_frame(data_, state_, area_at.x, area_at.y, area.x, area.y, style_.scale);
            take_mouse(hovered, ImGui::IsItemActive());
            result.request = menu();
            frame_ = make_frame(data_, state_, area_at.x, area_at.y, area.x, area.y, style_.scale);
            if (!empty()) axes();
            list_->PushClipRect(area_at, {area_at.x + area.x, area_at.y + area.y}, true);
            for (const TimingSeries& one : data_.series)
                if (!hidden(one)) series(one);
            if (!state_.legend) label_lines();
            list_->PopClipRect();
            if (empty())
                hint();
            else
                note_outliers();
            if (hovered && !empty() && !ImGui::IsMouseDragging(0)) readout();
        }
        ImGui::SetCursorScreenPos(at_);
        ImGui::Dummy(size_);
        ImGui::PopID();
        return result;
    }

private:
    bool hidden(const TimingSeries& one) const { return state_.hidden.count(one.name) > 0; }
    bool empty() const {
        return std::none_of(data_.series.begin(), data_.series.end(), [&](const TimingSeries& one) {
            return !hidden(one) && (!one.samples_us.empty() || one.median_us);
        });
    }
    float width_of(const std::string& words) const {
        return style_.caption()->CalcTextSizeA(style_.caption()->FontSize, 1e9f, 0, words.c_str()).x;
    }
    void print(double x, double y, const Rgba& color, const std::string& words) const {
        list_->AddText(style_.caption(), style_.caption()->FontSize,
                       {std::round(static_cast<float>(x)), std::round(static_cast<float>(y))}, color.u32(),
                       words.c_str());
    }
    float line_height() const { return style_.caption()->FontSize; }

    void stroke(ImVec2 a, ImVec2 b, const Rgba& color, float width, bool dashed) const {
        if (!dashed) return list_->AddLine(a, b, color.u32(), width);
        const float length = std::hypot(b.x - a.x, b.y - a.y), dash = style_.px(7), gap = style_.px(5);
        for (float s = 0; s < length; s += dash + gap) {
            const float u = s / length, v = std::min(1.0f, (s + dash) / length);
            list_->AddLine({a.x + (b.x - a.x) * u, a.y + (b.y - a.y) * u},
                           {a.x + (b.x - a.x) * v, a.y + (b.y - a.y) * v}, color.u32(), width);
        }
    }

    /// One entry per series, wrapped; a click switches it. Returns the height used.
    float legend() {
        const float row = style_.px(22);
        float x = at_.x + style_.px(8), y = at_.y;
        for (const TimingSeries& one : data_.series) {
            const std::string figure = one.median_us ? format_time_us(*one.median_us) : "";
            const float name_w = width_of(one.name), figure_w = width_of(figure);
            const float width = style_.px(24) + name_w + (figure.empty() ? 0 : style_.px(8) + figure_w) + style_.px(18);
            if (x + width > at_.x + size_.x && x > at_.x + style_.px(8)) x = at_.x + style_.px(8), y += row;
            ImGui::SetCursorScreenPos({x, y});
            if (ImGui::InvisibleButton(one.name.c_str(), {width - style_.px(8), row})) toggle(one.name);
            tell_of_control(("legend/" + one.name).c_str(), "Show or hide it in the plot");
            const bool off = hidden(one);
            if (ImGui::IsItemHovered()) {
                list_->AddRectFilled({x - style_.px(4), y}, {x + width - style_.px(10), y + row}, theme_.raised.u32(),
                                     style_.px(4));
                ImGui::SetTooltip("Click to %s %s", off ? "show" : "hide", one.name.c_str());
            }
            const Rgba line = off ? theme_.hairline : series_color(one, theme_);
            stroke({x, y + row / 2}, {x + style_.px(18), y + row / 2}, line, style_.px(3), one.vendor);
            const float text_y = y + (row - line_height()) / 2;
            print(x + style_.px(24), text_y, off ? theme_.text_dim : theme_.text, one.name);
            print(x + style_.px(32) + name_w, text_y, theme_.text_dim, figure);
            x += width;
        }
        return y - at_.y + row;
    }

    void toggle(const std::string& name) {
        if (!state_.hidden.erase(name)) state_.hidden.insert(name);
    }

    void take_mouse(bool hovered, bool active) {
        const ImGuiIO& io = ImGui::GetIO();
        if (hovered && ImGui::IsMouseDoubleClicked(0)) {
            state_.view.reset();
            return;
        }
        auto& view = frame_.view;
        if (hovered && io.MouseWheel != 0) {
            const double factor = std::pow(0.8, io.MouseWheel);
            // Shift zooms time alone, Ctrl the samples alone.
            if (!io.KeyShift) zoom(view.x0, view.x1, frame_.sample_at(io.MousePos.x), factor, false);
            if (!io.KeyCtrl) zoom(view.y0, view.y1, frame_.us_at(io.MousePos.y), factor, frame_.log_scale);
            state_.view = view;
        }
        if (active && ImGui::IsMouseDragging(0) && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) pan(io.MouseDelta);
    }

    static void zoom(double& low, double& high, double about, double factor, bool log_scale) {
        if (log_scale) {
            low = about * std::pow(low / about, factor);
            high = about * std::pow(high / about, factor);
        } else {
            low = about + (low - about) * factor;
            high = about + (high - about) * factor;
        }
    }

    void pan(ImVec2 delta) {
        auto view = frame_.view;
        const double dx = delta.x / frame_.width * (view.x1 - view.x0), share = delta.y / frame_.height;
        view.x0 -= dx;
        view.x1 -= dx;
        const double ratio = frame_.log_scale ? std::pow(view.y1 / view.y0, share) : 1;
        const double dy = frame_.log_scale ? 0 : share * (view.y1 - view.y0);
        view.y0 = view.y0 * ratio + dy;
        view.y1 = view.y1 * ratio + dy;
        state_.view = view;
    }

    PlotRequest menu() {
        PlotRequest request = PlotRequest::none;
        if (!ImGui::BeginPopupContextItem("menu")) return request;
        const bool log_scale = is_log(data_, state_);
        if (ImGui::MenuItem("Logarithmic time", nullptr, log_scale)) {
            state_.log_scale = !log_scale;
            state_.view.reset();
        }
        if (ImGui::MenuItem("Show everything", "double click")) state_.view.reset();
        request = plot_menu_items(!data_.command.empty());
        ImGui::EndPopup();
        return request;
    }

    void axes() const {
        const double right = frame_.left + frame_.width, bottom = frame_.top + frame_.height;
        const float hair = std::max(1.0f, style_.px(1));
        for (const Tick& tick : frame_.y_ticks) {
            const float y = std::round(static_cast<float>(frame_.y(tick.value * frame_.unit.us)));
            if (tick.label.empty()) continue;
            list_->AddLine({static_cast<float>(frame_.left), y}, {static_cast<float>(right), y},
                           theme_.hairline.with_alpha(0.6f).u32(), hair);
            print(frame_.left - style_.px(8) - width_of(tick.label), y - line_height() / 2, theme_.text_dim,
                  tick.label);
        }
        for (const Tick& tick : frame_.x_ticks) {
            const double w = width_of(tick.label);
            const double x = std::min(frame_.x(tick.value) - w / 2, right + style_.px(10) - w);
            print(x, bottom + style_.px(4), theme_.text_dim, tick.label);
        }
        list_->AddLine({static_cast<float>(frame_.left), static_cast<float>(bottom)},
                       {static_cast<float>(right), static_cast<float>(bottom)}, theme_.hairline.u32(), hair);
        const std::string y_name = fmt::format("time ({}{})", frame_.unit.name, frame_.log_scale ? ", log" : "");
        print(at_.x, bottom + style_.px(4), theme_.text_dim, "sample");
        print(at_.x, frame_.top - style_.px(22), theme_.text_dim, y_name);
    }

    void series(const TimingSeries& one) const {
        const Rgba color = series_color(one, theme_);
        const float left = static_cast<float>(frame_.left), right = static_cast<float>(frame_.left + frame_.width);
        auto y = [&](double us) { return static_cast<float>(frame_.y(us)); };
        if (one.q1_us && one.q3_us)
            list_->AddRectFilled({left, y(*one.q3_us)}, {right, std::max(y(*one.q1_us), y(*one.q3_us) + 1)},
                                 color.with_alpha(0.22f).u32());
        const float edge = std::max(2.0f, std::round(style_.px(2))), half = edge / 2;
        const ImU32 faint = color.with_alpha(0.35f).u32();
        for (const Dot& dot : dots(one.samples_us, frame_, edge)) {
            const ImVec2 at{static_cast<float>(dot.x), static_cast<float>(dot.y)};
            list_->AddRectFilled({at.x - half, at.y - half}, {at.x + half, at.y + half}, faint);
        }
        if (one.median_us)
            stroke({left, y(*one.median_us)}, {right, y(*one.median_us)}, color, style_.px(2), one.vendor);
    }

    /// The name of each line over its right end; names of lines that run close stand one above the other.
    void label_lines() const {
        std::vector<const TimingSeries*> shown;
        for (const TimingSeries& one : data_.series)
            if (!hidden(one) && one.median_us) shown.push_back(&one);
        std::sort(shown.begin(), shown.end(),
                  [](const TimingSeries* a, const TimingSeries* b) { return *a->median_us < *b->median_us; });
        // From the lowest line up, then back down from the top where they would leave the plot.
        const float top = static_cast<float>(frame_.top), height = line_height();
        std::vector<float> y(shown.size());
        float free = top + static_cast<float>(frame_.height) - height;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            y[i] = std::min(static_cast<float>(frame_.y(*shown[i]->median_us)) - height, free);
            free = y[i] - height;
        }
        free = top;
        for (std::size_t i = shown.size(); i-- > 0;) {
            y[i] = std::max(y[i], free);
            free = y[i] + height;
        }
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const float width = width_of(shown[i]->name), x = static_cast<float>(frame_.left + frame_.width) - width;
            list_->AddRectFilled({x - style_.px(3), y[i]}, {x + width, y[i] + height},
                                 theme_.panel.with_alpha(0.75f).u32());
            print(x, y[i], legible(series_color(*shown[i], theme_), theme_.panel), shown[i]->name);
        }
    }

    /// A few slow samples must not flatten all the others; they are cut off, but not in silence.
    void note_outliers() const {
        std::int64_t above = 0, all = 0;
        for (const TimingSeries& one : data_.series) {
            if (hidden(one)) continue;
            all += static_cast<std::int64_t>(one.samples_us.size());
            above += std::count_if(one.samples_us.begin(), one.samples_us.end(),
                                   [&](double us) { return us > frame_.view.y1; });
        }
        if (above == 0) return;
        const std::string words = fmt::format("{} of {} samples above", format_count(above), format_count(all));
        print(frame_.left + frame_.width - width_of(words), frame_.top - style_.px(22), theme_.text_dim, words);
    }

    void hint() const {
        const std::string& words = data_.series.empty() || !all_hidden() ? data_.empty_hint : all_hidden_hint_;
        print(frame_.left + (frame_.width - width_of(words)) / 2, frame_.top + frame_.height / 2 - line_height(),
              theme_.text_dim, words);
    }
    bool all_hidden() const {
        return std::all_of(data_.series.begin(), data_.series.end(),
                           [&](const TimingSeries& one) { return hidden(one); });
    }

    /// A hairline at the sample under the pointer, and every series' value there.
    void readout() const {
        const double mouse = ImGui::GetIO().MousePos.x;
        const double sample = std::round(frame_.sample_at(mouse));
        if (sample < 0) return;
        const float x = static_cast<float>(frame_.x(sample));
        list_->AddLine({x, static_cast<float>(frame_.top)}, {x, static_cast<float>(frame_.top + frame_.height)},
                       theme_.text_dim.with_alpha(0.5f).u32(), std::max(1.0f, style_.px(1)));
        ImGui::BeginTooltip();
        ImGui::TextDisabled("sample %.0f", sample);
        for (const TimingSeries& one : data_.series) {
            if (hidden(one) || sample >= static_cast<double>(one.samples_us.size())) continue;
            const double us = one.samples_us[static_cast<std::size_t>(sample)];
            const Rgba color = series_color(one, theme_);
            ImGui::ColorButton("##color", {color.r, color.g, color.b, 1},
                               ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoDragDrop,
                               {style_.px(10), style_.px(10)});
            ImGui::SameLine();
            ImGui::Text("%s  %s", one.name.c_str(), std::isfinite(us) ? format_time_us(us).c_str() : "none");
            if (std::isfinite(us))
                list_->AddCircleFilled({x, static_cast<float>(frame_.y(us))}, style_.px(3), color.u32());
        }
        ImGui::EndTooltip();
    }

    const TimingPlotData& data_;
    TimingPlotState& state_;
    const ViewStyle& style_;
    const Theme& theme_;
    ImVec2 at_, size_;
    ImDrawList* list_ = nullptr;
    PlotFrame frame_;
    const std::string all_hidden_hint_ = "All methods are switched off in the legend.";
};

}  // namespace

TimingPlotResult draw_timing_plot(const char* id, const TimingPlotData& data, TimingPlotState& state,
                                  const ViewStyle& style, float width, float height) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 size{width > 0 ? width : room.x, height > 0 ? height : room.y};
    return ScreenPlot(data, state, style, ImGui::GetCursorScreenPos(), size).draw(id);
}

}  // namespace convscope
