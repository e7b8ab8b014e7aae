#include "app/ui/lessons_view/lesson_sketch.h"

#include <algorithm>
#include <array>
#include <map>

#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

/// The view, and its page, that most of the lesson's steps show: "layout ecr", "step".
std::string main_view(const lessons::Lesson& lesson) {
    std::map<std::string, int> count;
    std::string view = "layout", most;
    for (const lessons::Step& step : lesson.steps)
        for (const lessons::Block& block : step.blocks)
            if (const auto* show = std::get_if<lessons::Show>(&block)) {
                view = show->view.value_or(view);
                const std::string page = view == "layout"    ? show->tab.value_or("ecr")
                                         : view == "compare" ? show->page.value_or("scopes")
                                                             : std::string();
                const std::string key = page.empty() ? view : view + " " + page;
                if (++count[key] > count[most]) most = key;
            }
    return most.empty() ? "layout ecr" : most;
}

/// Draws in units of one pixel at scale 1, from the upper left corner.
class Pen {
public:
    Pen(ImDrawList& draw, ImVec2 from) : draw_(draw), from_(from), theme_(*look().theme) {}

    void box(float x, float y, float w, float h, const Rgba& colour) const {
        draw_.AddRectFilled(at(x, y), at(x + w, y + h), colour.u32());
    }
    /// A grid of values; a bit of 'holes' for each cell that is zero, row by row.
    void grid(float x, float y, int columns, int rows, float cell, unsigned holes) const {
        for (int i = 0; i < columns * rows; ++i) {
            const bool hole = (holes >> (i % 32) & 1U) != 0;
            const Rgba colour = hole ? theme_.zero : theme_.value(0.3F + 0.1F * static_cast<float>(i * 5 % 7), {0, 1});
            box(x + cell * static_cast<float>(i % columns), y + cell * static_cast<float>(i / columns), cell - 1,
                cell - 1, colour);
        }
    }
    template <std::size_t n>
    void line(const std::array<float, n>& heights, const Rgba& colour) const {
        for (std::size_t i = 0; i < n; ++i)
            draw_.PathLineTo(at(5 + 54 * static_cast<float>(i) / (n - 1), 33 - heights[i]));
        draw_.PathStroke(colour.u32(), 0, px(1.5F));
    }
    const Theme& theme() const { return theme_; }

private:
    ImVec2 at(float x, float y) const { return {from_.x + px(x), from_.y + px(y)}; }

    ImDrawList& draw_;
    ImVec2 from_;
    const Theme& theme_;
};

void draw_layout(const Pen& pen, const std::string& page) {
    if (page == "lowering") {
        pen.grid(6, 8, 4, 4, 5, 0x2481);
        pen.grid(34, 3, 5, 6, 5, 0x12489421);
    } else if (page == "solutions") {
        pen.grid(5, 8, 5, 4, 5, 0x12481);
        pen.grid(36, 8, 1, 4, 5, 0);
        pen.grid(46, 8, 3, 4, 5, 0);
    } else if (page == "output") {
        pen.grid(14, 3, 6, 5, 6, 0x2010004);
    } else {  // a map with holes, and its rows without them
        pen.grid(5, 6, 5, 5, 5, 0x16A5D6B);
        for (int row = 0; row < 3; ++row) pen.grid(36, 7 + 8 * static_cast<float>(row), 2 + row, 1, 5, 0);
        if (page == "pecr") pen.box(35, 30, 22, 1.5F, pen.theme().accent);
    }
}

void draw_code(const Pen& pen) {
    constexpr std::array<float, 5> widths{34, 44, 26, 40, 20};
    pen.box(3, 14, 58, 7, pen.theme().accent.with_alpha(0.35F));
    for (std::size_t i = 0; i < widths.size(); ++i)
        pen.box(i == 0 ? 6 : 12, 4 + 6.5F * static_cast<float>(i), widths[i], 2, pen.theme().text_dim);
}

void draw_comparison(const Pen& pen, const std::string& page) {
    const Theme& theme = pen.theme();
    if (page == "winners") {
        for (int i = 0; i < 20; ++i)
            pen.box(8 + 10 * static_cast<float>(i % 5), 4 + 7.5F * static_cast<float>(i / 5), 9, 6.5F,
                    i % 5 + i / 5 > 4 ? theme.method(0) : theme.method(4));
    } else if (page == "scopes") {
        constexpr std::array<float, 4> tops{8, 12, 17, 26};
        for (std::size_t i = 0; i < tops.size(); ++i) {
            const float x = 8 + 13 * static_cast<float>(i);
            pen.box(x, 33 - tops[i], 8, tops[i], theme.vendor);
            pen.box(x, 33 - 6, 8, 6, theme.method(0));
        }
    } else {
        pen.line(std::array<float, 2>{14, 14}, theme.vendor);
        pen.line(std::array<float, 4>{27, 21, 12, 4}, theme.method(0));
        pen.line(std::array<float, 4>{22, 19, 17, 13}, theme.method(6));
    }
}

}  // namespace

void sketch(const lessons::Lesson& lesson, ImDrawList& draw, ImVec2 from, ImVec2 to) {
    draw.AddRectFilled(from, to, look().theme->panel.u32(), px(3));
    draw.PushClipRect(from, to, true);
    const Pen pen(draw, from);
    const std::string main = main_view(lesson), page = main.substr(std::min(main.size(), main.find(' ') + 1));
    if (main.starts_with("layout"))
        draw_layout(pen, page);
    else if (main.starts_with("compare"))
        draw_comparison(pen, page);
    else
        draw_code(pen);
    draw.PopClipRect();
}

}  // namespace convscope::app
