#include "visualizers/grid/value_legend.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "visualizers/grid/cell_text.h"

namespace convscope {
namespace {

constexpr float box_px = 14, ramp_px = 72, gap_px = 6;  // at scale 1

/// Drawn from the right to the left.
class Strip {
public:
    Strip(ImVec2 right_top, const ViewStyle& style) : style_(style), x_(right_top.x), y_(right_top.y) {}

    void gap(float px) { x_ -= style_.px(px); }

    void words(const std::string& text) {
        ImFont* font = style_.caption();
        x_ -= font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.c_str()).x;
        list_->AddText(font, font->FontSize,
                       {std::round(x_), std::round(y_ + (style_.px(box_px) - font->FontSize) / 2)},
                       style_.theme->text_dim.u32(), text.c_str());
        gap(gap_px);
    }

    void ramp(const ValueRange& range) {
        constexpr int steps = 44;
        const float step = style_.px(ramp_px) / steps;
        x_ -= style_.px(ramp_px);
        for (int i = 0; i < steps; ++i) {
            const float share = (static_cast<float>(i) + 0.5f) / steps;
            const Rgba color = style_.theme->value(range.low + share * (range.high - range.low), range);
            list_->AddRectFilled({x_ + step * static_cast<float>(i), y_},
                                 {x_ + step * static_cast<float>(i + 1), y_ + style_.px(box_px)}, color.u32());
        }
        gap(gap_px);
    }

    void zero_box() {
        const float box = style_.px(box_px), stripe = style_.px(6);
        x_ -= box;
        const ImVec2 a{x_, y_}, b{x_ + box, y_ + box};
        list_->AddRectFilled(a, b, style_.theme->zero.u32());
        list_->PushClipRect(a, b, true);
        for (float s = stripe; s < 2 * box; s += stripe)
            list_->AddLine({a.x + s, a.y}, {a.x, a.y + s}, style_.theme->hatch.u32(), style_.px(1.5f));
        list_->PopClipRect();
        list_->AddRect(a, b, style_.theme->hairline.u32());
        gap(16);
    }

    void unused_box() {
        x_ -= style_.px(box_px);
        list_->AddRect({x_, y_}, {x_ + style_.px(box_px), y_ + style_.px(box_px)}, style_.theme->hairline.u32());
        gap(16);
    }

private:
    const ViewStyle& style_;
    ImDrawList* list_ = ImGui::GetWindowDrawList();
    float x_, y_;
};

struct Ramp {
    ValueRange range;
    std::string low, high;
};

std::string end_of_range(float value, const char* unit) {
    return *unit ? short_value(value, 6) + " " + unit : short_value(value, 6);
}

/// The colour maps in use: one for arrays with negative values and one for those without, the commoner first.
std::vector<Ramp> ramps(const std::vector<ValueRange>& ranges, const char* unit) {
    if (ranges.size() == 1) return {{ranges[0], end_of_range(ranges[0].low, unit), end_of_range(ranges[0].high, unit)}};
    const auto with_negatives =
        std::count_if(ranges.begin(), ranges.end(), [](const ValueRange& range) { return range.low < 0; });
    const auto without = static_cast<std::ptrdiff_t>(ranges.size()) - with_negatives;
    std::vector<Ramp> used;
    if (without > 0) used.push_back({{0, 1}, "0", "largest"});
    if (with_negatives > 0) used.push_back({{-1, 1}, "-largest", "largest"});
    if (with_negatives > without) std::reverse(used.begin(), used.end());
    return used;
}

}  // namespace

void draw_value_legend(ImVec2 right_top, float room, const std::vector<ValueRange>& ranges, bool unused_slots,
                       const ViewStyle& style, const char* unit) {
    ImFont* font = style.caption();
    auto width = [&](const std::string& text) { return font->CalcTextSizeA(font->FontSize, 1e9f, 0, text.c_str()).x; };
    Strip strip(right_top, style);
    auto has_room = [&](float taken) {
        if (room < taken) return false;
        room -= taken;
        return true;
    };
    auto draw_ramp = [&](const Ramp& ramp) {
        if (!has_room(width(ramp.low) + width(ramp.high) + style.px(ramp_px + 3 * gap_px + 10))) return;
        strip.words(ramp.high);
        strip.ramp(ramp.range);
        strip.words(ramp.low);
        strip.gap(10);
    };
    const std::vector<Ramp> maps = ramps(ranges, unit);
    draw_ramp(maps.front());
    if (has_room(width("zero") + style.px(box_px + gap_px + 16))) {
        strip.words("zero");
        strip.zero_box();
    }
    for (std::size_t i = 1; i < maps.size(); ++i) draw_ramp(maps[i]);
    if (unused_slots && has_room(width("unused") + style.px(box_px + gap_px + 16))) {
        strip.words("unused");
        strip.unused_box();
    }
}

}  // namespace convscope
