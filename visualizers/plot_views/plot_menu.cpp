#include "visualizers/plot_views/plot_menu.h"

#include <imgui.h>

namespace convscope {

PlotRequest plot_menu_items(bool has_command) {
    PlotRequest request = PlotRequest::none;
    ImGui::Separator();
    if (ImGui::MenuItem("Save as PNG")) request = PlotRequest::save_png;
    if (ImGui::MenuItem("Save as SVG")) request = PlotRequest::save_svg;
    if (ImGui::MenuItem("Save data as CSV")) request = PlotRequest::save_csv;
    if (ImGui::MenuItem("Copy data")) request = PlotRequest::copy_csv;
    if (ImGui::MenuItem("Copy command line", nullptr, false, has_command)) request = PlotRequest::copy_command;
    return request;
}

}  // namespace convscope
