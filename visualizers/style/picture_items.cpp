#include "visualizers/style/picture_items.h"

#include <imgui.h>

#include "visualizers/style/control_hook.h"

namespace convscope {

PictureRequest picture_items(const std::string& menu) {
    PictureRequest chosen = PictureRequest::none;
    ImGui::PushID(menu.c_str());
    const auto item = [&](PictureRequest request, const char* name, const char* meaning) {
        if (ImGui::MenuItem(name)) chosen = request;
        tell_of_control((menu + "/" + name).c_str(), meaning, {ControlRole::menu_item, name});
    };
    item(PictureRequest::copy, "Copy for slides", "A PNG with its caption, light, on the clipboard");
    item(PictureRequest::svg, "Save as SVG", "Lines, text and cells as such");
    item(PictureRequest::png_2x, "Save as PNG, 2x", "Two pixels to one of the screen");
    item(PictureRequest::png_4x, "Save as PNG, 4x", "Four pixels to one of the screen");
    ImGui::PopID();
    return chosen;
}

}  // namespace convscope
