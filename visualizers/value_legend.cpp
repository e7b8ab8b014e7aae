#include "visualizers/value_legend.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "visualizers/cell_text.h"

namespace convscope {
namespace {

constexpr float text_px = 12, box_px = 14, ramp_px = 88, gap_px = 6;  // at scale 1

/// Drawn from the right to the left.
class Strip {
public:
    Strip(ImVec2 right_top, const ViewStyle& style) : style_(style), x_(right_top.x), y_(right_top.y) {}

    float x() const { return x_; }
    void gap(float px) { x_ -= style_.px(px); }

    void words(const std::string& text) {
        ImFont* font = style_.text ? style_.text : ImGui::GetFont();
        const float size = style_.px(text_px);
        x_ -= font->CalcTextSizeA(size, 1e9f, 0, text.c_str()).x;
        list_->AddText(font, size, {std::round(x_), std::round(y_ + style_.px(box_px - text_px) / 2)},
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

}  // namespace

float draw_value_legend(ImVec2 right_top, const ValueRange& range, bool unused_slots, const ViewStyle& style) {
    Strip strip(right_top, style);
    strip.words(short_value(range.high, 6));
    strip.ramp(range);
    strip.words(short_value(range.low, 6));
    strip.gap(12);
    strip.words("zero");
    strip.zero_box();
    if (unused_slots) {
        strip.words("unused");
        strip.unused_box();
    }
    return right_top.x - strip.x();
}

}  // namespace convscope
