#include "app/ui/dialogs/drawn_figures.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

namespace convscope::app {
namespace {

std::vector<DrawnFigure>& figures() {
    static std::vector<DrawnFigure> of_frame;
    return of_frame;
}

/// The part of a box that the present window shows.
CanvasBox in_sight(const CanvasBox& box) {
    ImRect seen = ImGui::GetCurrentWindowRead()->ClipRect;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    seen.ClipWith({0, 0, display.x, display.y});
    const double x = std::max<double>(box.x, seen.Min.x), y = std::max<double>(box.y, seen.Min.y);
    return {x, y, std::min<double>(box.right(), seen.Max.x) - x, std::min<double>(box.bottom(), seen.Max.y) - y};
}

}  // namespace

void begin_figures() {
    figures().clear();
    figure_hook = [](const std::string& title, float x, float y, float width, float height,
                     const ArrayColours& colours) {
        note_figure({title, {}, {x, y, width, height}, false, colours});
    };
}

void note_figure(DrawnFigure figure) {
    figure.window = ImGui::GetCurrentWindowRead()->RootWindow->Name;
    figure.box = in_sight(figure.box);
    if (figure.box.w < 1 || figure.box.h < 1) return;
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
