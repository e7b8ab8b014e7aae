#include "visualizers/grid/value_legend.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "visualizers/grid/cell_text.h"
#include "visualizers/plot_views/screen_canvas.h"

namespace convscope {
namespace {

constexpr double box_px = value_legend_height_px, ramp_px = 72, gap_px = 6;  // at scale 1

/// Drawn from the right to the left.
class Strip {
public:
    Strip(Canvas& canvas, CanvasPoint right_top, const Theme& theme, const LegendText& text)
        : canvas_(canvas), theme_(theme), text_(text), x_(right_top.x), y_(right_top.y) {}

    double px(double at_scale_1) const { return at_scale_1 * text_.scale; }
    double width(const std::string& text) { return canvas_.text_width(text, text_.size); }
    void gap(double at_scale_1) { x_ -= px(at_scale_1); }

    void words(const std::string& text) {
        x_ -= width(text);
        const double top = std::round(y_ + (px(box_px) - text_.size) / 2);
        canvas_.text(text, x_, top + text_.ascent, text_.size, theme_.text_dim);
        gap(gap_px);
    }

    void ramp(const ValueRange& range) {
        constexpr int steps = 44;
        const double step = px(ramp_px) / steps;
        x_ -= px(ramp_px);
        for (int i = 0; i < steps; ++i) {
            const float share = (static_cast<float>(i) + 0.5F) / steps;
            // To the end: at the edges of narrow ones the ground would shine through.
            canvas_.rectangle(x_ + step * i, y_, px(ramp_px) - step * i, px(box_px),
                              theme_.value(range.low + share * (range.high - range.low), range));
        }
        gap(gap_px);
    }

    void zero_box() {
        const double box = px(box_px), stripe = px(6);
        x_ -= box;
        canvas_.rectangle(x_, y_, box, box, theme_.zero);
        canvas_.clip({x_, y_, box, box});
        for (double s = stripe; s < 2 * box; s += stripe) canvas_.line(x_ + s, y_, x_, y_ + s, theme_.hatch, px(1.5));
        canvas_.unclip();
        canvas_.outline(x_, y_, box, box, theme_.hairline);
        gap(16);
    }

    void unused_box() {
        x_ -= px(box_px);
        canvas_.outline(x_, y_, px(box_px), px(box_px), theme_.hairline);
        gap(16);
    }

private:
    Canvas& canvas_;
    const Theme& theme_;
    const LegendText text_;
    double x_, y_;
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

void draw_value_legend(Canvas& canvas, CanvasPoint right_top, double room, const ArrayColours& colours,
                       const Theme& theme, const LegendText& text) {
    Strip strip(canvas, right_top, theme, text);
    const auto has_room = [&](double taken) {
        if (room < taken) return false;
        room -= taken;
        return true;
    };
    const auto draw_ramp = [&](const Ramp& ramp) {
        if (!has_room(strip.width(ramp.low) + strip.width(ramp.high) + strip.px(ramp_px + 3 * gap_px + 10))) return;
        strip.words(ramp.high);
        strip.ramp(ramp.range);
        strip.words(ramp.low);
        strip.gap(10);
    };
    const std::vector<Ramp> maps = ramps(colours.ranges, colours.unit);
    if (!maps.empty()) draw_ramp(maps.front());
    if (has_room(strip.width("zero") + strip.px(box_px + gap_px + 16))) {
        strip.words("zero");
        strip.zero_box();
    }
    for (std::size_t i = 1; i < maps.size(); ++i) draw_ramp(maps[i]);
    if (colours.unused_slots && has_room(strip.width("unused") + strip.px(box_px + gap_px + 16))) {
        strip.words("unused");
        strip.unused_box();
    }
}

void draw_value_legend(ImVec2 right_top, float room, const ArrayColours& colours, const ViewStyle& style) {
    const ImFont* const font = style.caption();
    ScreenCanvas canvas(style);
    draw_value_legend(canvas, {right_top.x, right_top.y}, room, colours, *style.theme,
                      {font->FontSize, font->Ascent, style.scale});
}

}  // namespace convscope
