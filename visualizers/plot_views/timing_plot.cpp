#include "visualizers/plot_views/timing_plot.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/core/format_units.h"
#include "visualizers/plot_views/plot_menu.h"
#include "visualizers/plot_views/timing_plot_model.h"
#include "visualizers/style/control_hook.h"
#include "visualizers/theme/legible.h"

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
        const float left = style_.px(56), bottom = style_.px(22), top = style_.px(22), right = label_room();
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
            list_->PopClipRect();
            labels();
            if (empty())
                hint();
            else
                notes();
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

    float leader() const { return style_.px(16); }
    bool with_times() const { return size_.x > style_.px(420); }
    /// To the right of the lines.
    float label_room() const {
        float widest = 0;
        for (const TimingSeries& one : data_.series) widest = std::max(widest, width_of(label_of(one, with_times())));
        return widest > 0 ? leader() + widest + style_.px(8) : style_.px(12);
    }

    /// Each at its line's end, led to where others are in the way; a click switches the line.
    void labels() {
        const double row = line_height() + style_.px(3);
        const LineLabels labels = line_labels(data_, state_, frame_, row);
        const auto right = static_cast<float>(frame_.left + frame_.width);
        const float at = right + leader();
        if (labels.left_out > 0) print(at, frame_.top, theme_.text_dim, fmt::format("{} more", labels.left_out));
        for (const LineLabel& label : labels.list) {
            const TimingSeries& one = *label.series;
            const auto y = static_cast<float>(label.y), height = static_cast<float>(row);
            const Rgba colour = series_color(one, theme_);
            const std::string words = label_of(one, with_times() && !label.hidden);
            ImGui::SetCursorScreenPos({at - style_.px(2), y - height / 2});
            if (ImGui::InvisibleButton(one.name.c_str(), {width_of(words) + style_.px(4), height})) toggle(one.name);
            tell_of_control(("legend/" + one.name).c_str(), "Show or hide it in the plot");
            if (ImGui::IsItemHovered()) {
                list_->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), theme_.raised.u32(),
                                     style_.px(4));
                ImGui::SetTooltip("Click to %s %s", label.hidden ? "show" : "hide", one.name.c_str());
            }
            if (!label.hidden) {
                const auto from = static_cast<float>(label.line_y);
                stroke({right, from}, {at - style_.px(4), y}, colour.with_alpha(0.8F), std::max(1.0F, style_.px(1)),
                       false);
            }
            print(at, y - line_height() / 2, label.hidden ? theme_.text_dim : legible(colour, theme_.panel), words);
        }
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
        const auto band = [&](double low, double high, float alpha) {
            list_->AddRectFilled({left, y(high)}, {right, std::max(y(low), y(high) + 1)},
                                 color.with_alpha(alpha).u32());
        };
        if (one.q1_us && one.q3_us && !one.change) band(*one.q1_us, *one.q3_us, 0.18F);
        if (one.interval_us && !one.change) band(one.interval_us->first, one.interval_us->second, 0.3F);
        const float edge = std::max(2.0f, std::round(style_.px(2))), half = edge / 2;
        const ImU32 faint = color.with_alpha(0.35f).u32();
        for (const Dot& dot : dots(one, frame_, edge)) {
            const ImVec2 at{static_cast<float>(dot.x), static_cast<float>(dot.y)};
            list_->AddRectFilled({at.x - half, at.y - half}, {at.x + half, at.y + half}, faint);
        }
        for (const LinePiece& piece : median_line(one, frame_)) {
            const auto level = static_cast<float>(piece.y);
            stroke({static_cast<float>(piece.x0), level}, {static_cast<float>(piece.x1), level}, color, style_.px(2),
                   one.vendor);
        }
    }

    /// Above the plot. A time that drifts is no single number; a few slow samples must not flatten all the others, so
    /// they are cut off, but not in silence.
    void notes() const {
        if (const std::string drift = drift_in_words(data_, state_); !drift.empty())
            return print(at_.x + style_.px(104), frame_.top - style_.px(22), theme_.warning, drift);
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
            const auto at = static_cast<std::size_t>(sample / static_cast<double>(one.stride));
            if (hidden(one) || at >= one.samples_us.size()) continue;
            const double us = one.samples_us[at];
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
    const std::string all_hidden_hint_ = "All methods are switched off: click a name.";
};

}  // namespace

TimingPlotResult draw_timing_plot(const char* id, const TimingPlotData& data, TimingPlotState& state,
                                  const ViewStyle& style, float width, float height) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 size{width > 0 ? width : room.x, height > 0 ? height : room.y};
    return ScreenPlot(data, state, style, ImGui::GetCursorScreenPos(), size).draw(id);
}

}  // namespace convscope
