#include "app/ui/layout_view/map_selector.h"

#include <imgui.h>

#include <algorithm>

#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr float field_width = 120;

int shown_fields(const ConvShape& shape) {
    return (shape.n > 1) + (shape.c > 1) + (shape.k > 1);
}

void selector(const char* log_name, const char* label, const char* meaning, std::int64_t& value, std::int64_t count) {
    if (count <= 1) return;
    NumberField field{log_name, label, meaning, 0, count - 1, false, true, 60};
    if (number_field(field, value, px(field_width))) value = std::clamp<std::int64_t>(value, 0, count - 1);
    ImGui::SameLine(0, px(8));
}

}  // namespace

float MapSelector::width(const ConvShape& shape) {
    return static_cast<float>(shown_fields(shape)) * px(field_width + 8);
}

void MapSelector::draw(Frame& frame) {
    const ConvShape& shape = frame.session.good.shape;
    Selection& selection = frame.session.choices.selection;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(2)});
    selector("map/image", "image", "Which image of the batch is shown, from 0", selection.image, shape.n);
    selector("map/channel", "channel", "Which input channel is shown, from 0", selection.channel, shape.c);
    selector("map/filter", "filter", "Which filter is shown, from 0", selection.filter, shape.k);
    ImGui::PopStyleVar();
}

}  // namespace convscope::app
