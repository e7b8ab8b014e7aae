#include "visualizers/plot_views/network_plot.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/format_units.h"
#include "visualizers/plot_views/network_plot_model.h"
#include "visualizers/plot_views/plot_menu.h"
#include "visualizers/style/control_hook.h"

namespace convscope {
namespace {

class ScreenNetwork {
public:
    ScreenNetwork(const NetworkPlotData& data, NetworkPlotState& state, std::optional<std::size_t> marked,
                  const ViewStyle& style)
        : data_(data),
          state_(state),
          marked_(marked),
          style_(style),
          theme_(*style.theme),
          shown_(shown_series(data, state)),
          lead_(lead_series(data, state)) {}

    NetworkPlotResult draw(const char* id) {
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        result_.x = at.x, result_.y = at.y, result_.width = room.x, result_.height = room.y;
        if (room.x < style_.px(160) || room.y < style_.px(80)) return result_;
        const float axis_height = line() + style_.px(10), head_height = line() + style_.px(8);
        const float rows_room = room.y - axis_height - head_height;
        measure(rows_room);
        const float needed = row_height_ * static_cast<float>(data_.layers.size());
        const float bar = needed > rows_room + 1 ? ImGui::GetStyle().ScrollbarSize : 0;
        const float left = at.x + text_width_, right = at.x + room.x - lead_width_ - bar;
        axis_ = make_network_axis(data_, state_, left, std::max(style_.px(40), right - left), style_.scale);

        list_ = ImGui::GetWindowDrawList();
        head(at, at.x + room.x - bar);
        const float rows_height = std::min(needed, rows_room);
        if (measured()) foot(at.y + head_height + rows_height);
        ImGui::SetCursorScreenPos({at.x, at.y + head_height});
        ImGui::BeginChild(id, {room.x, rows_room});
        list_ = ImGui::GetWindowDrawList();
        if (measured()) grid_lines(at.y + head_height, rows_height);
        for (std::size_t i = 0; i < data_.layers.size(); ++i) row(i);
        if (!measured() && !data_.running) hint(at.y + head_height + std::min(needed, rows_room) / 2);
        menu();
        ImGui::EndChild();
        return result_;
    }

private:
    float line() const { return style_.caption()->FontSize; }
    float width_of(const std::string& words) const {
        return style_.caption()->CalcTextSizeA(line(), 1e9F, 0, words.c_str()).x;
    }
    void print(double x, double y, const Rgba& color, const std::string& words) const {
        list_->AddText(style_.caption(), line(), {std::round(static_cast<float>(x)), std::round(static_cast<float>(y))},
                       color.u32(), words.c_str());
    }
    bool two_lines() const { return row_height_ >= 2 * line() + style_.px(2); }
    bool measured() const {
        return std::any_of(data_.layers.begin(), data_.layers.end(), [](auto& layer) { return !layer.bars.empty(); });
    }

    /// All layers in sight where their bars stay legible; else rows as low as that, which are scrolled.
    void measure(float room) {
        const auto layers = static_cast<float>(std::max<std::size_t>(1, data_.layers.size()));
        const auto bars = static_cast<float>(std::max<std::size_t>(1, shown_.size()));
        const float least = std::max(line() + style_.px(6), bars * style_.px(5) + style_.px(6));
        const float most = std::max(2 * line() + style_.px(14), bars * (line() + style_.px(2)) + style_.px(12));
        row_height_ = std::floor(std::clamp(room / layers, least, most));
        text_width_ = style_.px(80);
        lead_width_ = width_of("not supported");
        for (const NetworkLayer& layer : data_.layers) {
            const float first = width_of(layer.name) + style_.px(16) + width_of(zeros_text(layer));
            text_width_ = std::max(text_width_, two_lines() ? std::max(first, width_of(layer.shape)) : first);
            if (lead_) lead_width_ = std::max(lead_width_, width_of(lead_text(layer, *lead_)));
        }
        text_width_ += style_.px(20);
        lead_width_ = lead_ ? lead_width_ + style_.px(20) : style_.px(12);
    }

    void head(ImVec2 at, float right) const {
        print(at.x + style_.px(6), at.y, theme_.text_dim, "layer, and zeros of its input");
        if (!measured()) return;
        print(axis_.left, at.y, theme_.text_dim, axis_.name());
        if (!lead_) return;
        const std::string name = data_.series[*lead_].name;
        const std::string words = data_.baseline.empty() ? name : name + " vs " + data_.baseline;
        print(right - style_.px(6) - width_of(words), at.y, theme_.text_dim, words);
    }

    void foot(float y) const {
        for (const Tick& tick : axis_.ticks)
            print(axis_.x(tick.value * axis_.unit.us) - width_of(tick.label) / 2, y + style_.px(4), theme_.text_dim,
                  tick.label);
    }

    void grid_lines(float top, float height) const {
        const float hair = std::max(1.0F, style_.px(1));
        for (const Tick& tick : axis_.ticks) {
            if (tick.label.empty()) continue;
            const float x = std::round(static_cast<float>(axis_.x(tick.value * axis_.unit.us)));
            list_->AddLine({x, top}, {x, top + height}, theme_.hairline.with_alpha(0.6F).u32(), hair);
        }
    }

    void hint(float y) const {
        const double middle = axis_.left + axis_.width / 2;
        print(middle - width_of(data_.empty_hint) / 2, y - line(), theme_.text_dim, data_.empty_hint);
    }

    void row(std::size_t i) {
        const NetworkLayer& layer = data_.layers[i];
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        ImGui::PushID(static_cast<int>(i));
        const bool clicked = ImGui::InvisibleButton("row", {width, row_height_});
        tell_of_control(("network row/" + layer.name).c_str(), "Load this layer into the panels");
        ImGui::PopID();
        ImGui::SetCursorScreenPos({at.x, at.y + row_height_});
        if (!ImGui::IsItemVisible()) return;
        note_row(i, at, width);
        const bool hovered = ImGui::IsItemHovered();
        if (hovered) result_.hovered = i;
        if (clicked) result_.clicked = i;
        if (hovered || marked_ == i)
            list_->AddRectFilled(at, {at.x + width, at.y + row_height_ - 1},
                                 theme_.raised.with_alpha(hovered ? 0.9F : 0.5F).u32(), style_.px(3));
        if (marked_ == i) list_->AddRectFilled(at, {at.x + style_.px(2), at.y + row_height_ - 1}, theme_.accent.u32());
        texts(layer, at, width);
        bars(i, layer, at.y);
    }

    /// Where the row can be pointed at, of what scrolling leaves of it.
    void note_row(std::size_t i, ImVec2 at, float width) {
        const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        const float top = std::max(at.y, low.y), bottom = std::min(at.y + row_height_, low.y + size.y);
        if (bottom > top) result_.rows.push_back({i, at.x, top, width, bottom - top});
    }

    void texts(const NetworkLayer& layer, ImVec2 at, float width) const {
        const float x = at.x + style_.px(6), zeros_x = static_cast<float>(axis_.left) - style_.px(14);
        const std::string zeros = zeros_text(layer);
        const float height = two_lines() ? 2 * line() : line();
        const float y = at.y + (row_height_ - height) / 2;
        print(x, y, theme_.text, layer.name);
        print(zeros_x - width_of(zeros), y, theme_.text_dim, zeros);
        if (two_lines()) print(x, y + line(), theme_.text_dim, layer.shape);
        if (!lead_) return;
        const std::string words = lead_text(layer, *lead_);
        const bool rejected = *lead_ < layer.bars.size() && !layer.bars[*lead_].reason.empty();
        print(at.x + width - style_.px(6) - width_of(words), at.y + (row_height_ - line()) / 2,
              rejected ? theme_.text_dim : theme_.text, words);
    }

    void bars(std::size_t i, const NetworkLayer& layer, float y) const {
        const auto left = static_cast<float>(axis_.left);
        if (layer.bars.empty()) {
            if (data_.running == i)
                print(left + style_.px(6), y + (row_height_ - line()) / 2, theme_.text_dim, data_.phase);
            return;
        }
        const float room = row_height_ - style_.px(6);
        const float each = room / static_cast<float>(std::max<std::size_t>(1, shown_.size()));
        const float gap = std::min(style_.px(2), each / 4);
        float top = y + style_.px(3);
        for (const std::size_t series : shown_) {
            const NetworkBar& bar = layer.bars.at(series);
            const Rgba color = bar_color(data_.series[series], theme_);
            const float end = bar.time_us ? static_cast<float>(axis_.x(*bar.time_us)) : left;
            if (bar.time_us) {
                const ImVec2 a{left, top}, b{std::max(end, left + 1), top + each - gap};
                // The baseline is neutral everywhere, and not a solid thing.
                list_->AddRectFilled(a, b, color.with_alpha(data_.series[series].vendor ? 0.45F : 1).u32());
                if (data_.series[series].vendor) list_->AddRect(a, b, color.u32());
            }
            const std::string words = bar.time_us ? format_time_us(*bar.time_us) : bar.reason;
            if (each >= line()) print(end + style_.px(6), top + (each - gap - line()) / 2, theme_.text_dim, words);
            top += each;
        }
    }

    void menu() {
        if (!ImGui::BeginPopupContextWindow("menu")) return;
        if (ImGui::MenuItem("Logarithmic time", nullptr, state_.log_scale)) state_.log_scale = !state_.log_scale;
        result_.request = plot_menu_items(!data_.command.empty());
        ImGui::EndPopup();
    }

    const NetworkPlotData& data_;
    NetworkPlotState& state_;
    const std::optional<std::size_t> marked_;
    const ViewStyle& style_;
    const Theme& theme_;
    const std::vector<std::size_t> shown_;
    const std::optional<std::size_t> lead_;
    ImDrawList* list_ = nullptr;
    NetworkAxis axis_;
    float row_height_ = 0, text_width_ = 0, lead_width_ = 0;
    NetworkPlotResult result_;
};

}  // namespace

NetworkPlotResult draw_network_plot(const char* id, const NetworkPlotData& data, NetworkPlotState& state,
                                    std::optional<std::size_t> marked, const ViewStyle& style) {
    return ScreenNetwork(data, state, marked, style).draw(id);
}

}  // namespace convscope
