#include "app/ui/dialogs/drawn_figures.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "kernels/core/format_units.h"

namespace convscope::app {
namespace {

std::vector<DrawnFigure>& figures() {
    static std::vector<DrawnFigure> of_frame;
    return of_frame;
}

std::string& pictured() {
    static std::string title;
    return title;
}

/// The part of a box that the present window shows.
CanvasBox in_sight(const CanvasBox& box) {
    ImRect seen = ImGui::GetCurrentWindowRead()->ClipRect;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    seen.ClipWith({0, 0, display.x, display.y});
    const double x = std::max<double>(box.x, seen.Min.x), y = std::max<double>(box.y, seen.Min.y);
    return {x, y, std::min<double>(box.right(), seen.Max.x) - x, std::min<double>(box.bottom(), seen.Max.y) - y};
}

/// "Shown are the upper 62 % of it: the rest is out of sight."
std::string part_in_sight(const CanvasBox& whole, const CanvasBox& seen) {
    constexpr double least = 2;  // px: less is an edge
    const bool above = seen.y - whole.y >= least, below = whole.bottom() - seen.bottom() >= least;
    const bool left = seen.x - whole.x >= least, right = whole.right() - seen.right() >= least;
    if (!above && !below && !left && !right) return {};
    const double share = seen.w * seen.h / (whole.w * whole.h);
    const bool both = (above || below) && (left || right);
    const char* const which = both             ? ""
                              : above && below ? "middle "
                              : above          ? "lower "
                              : below          ? "upper "
                              : left && right  ? "middle "
                              : left           ? "right "
                                               : "left ";
    return fmt::format("Shown are the {}{} of it: the rest is out of sight.", which, format_percent(share));
}

}  // namespace

void begin_figures() {
    figures().clear();
    figure_hook = [](const std::string& title, float x, float y, float width, float height,
                     const ArrayColours& colours) {
        note_figure({title, {}, {x, y, width, height}, false, colours});
    };
}

void begin_picture_of(const std::string& title) {
    pictured() = title;
}

bool is_picture_of(const std::string& title) {
    return !title.empty() && pictured() == title;
}

void note_figure(DrawnFigure figure) {
    figure.window = ImGui::GetCurrentWindowRead()->RootWindow->Name;
    if (!figure.grows || !is_picture_of(figure.title)) {
        const CanvasBox whole = std::exchange(figure.box, in_sight(figure.box));
        if (figure.box.w < 1 || figure.box.h < 1) return;
        figure.part = part_in_sight(whole, figure.box);
    }
    const std::string title = figure.title;
    for (int number = 2; find_figure(figure.title); ++number) figure.title = fmt::format("{} ({})", title, number);
    figures().push_back(std::move(figure));
}

const std::vector<DrawnFigure>& drawn_figures() {
    return figures();
}

const DrawnFigure* find_figure(const std::string& title) {
    const auto found = std::ranges::find(figures(), title, &DrawnFigure::title);
    return found == figures().end() ? nullptr : &*found;
}

const DrawnFigure* pointed_figure() {
    const ImGuiWindow* const hovered = ImGui::GetCurrentContext()->HoveredWindow;
    if (!hovered) return nullptr;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto found = std::ranges::find_if(figures(), [&](const DrawnFigure& each) {
        const CanvasBox& box = each.box;
        return each.window == hovered->RootWindow->Name && mouse.x >= box.x && mouse.x < box.right() &&
               mouse.y >= box.y && mouse.y < box.bottom();
    });
    return found == figures().end() ? nullptr : &*found;
}

}  // namespace convscope::app
