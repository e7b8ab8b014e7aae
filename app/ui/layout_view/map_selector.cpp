#include "app/ui/layout_view/map_selector.h"

#include <imgui.h>

#include "app/ui/widgets/widgets.h"
#include "kernels/layers/one_map.h"

namespace convscope::app {
namespace {

constexpr float field_width = 120;

int shown_fields(const ConvShape& shape) {
    return (shape.n > 1) + (shape.c > 1) + (shape.group_filters() > 1);
}

/// Whether another one was chosen.
bool selector(const char* item_name, const char* label, const char* meaning, std::int64_t& value, std::int64_t count,
              std::int64_t first = 0) {
    if (count <= 1) return false;
    const std::int64_t last = first + count - 1;
    NumberField field{item_name, label, meaning, first, last, false, true, 60};
    const bool chosen = number_field(field, value, px(field_width));
    ImGui::SameLine(0, px(8));
    return chosen;
}

}  // namespace

float MapSelector::width(const ConvShape& shape) {
    return static_cast<float>(shown_fields(shape)) * px(field_width + 8);
}

void MapSelector::draw(Frame& frame) {
    const ConvShape& shape = frame.session.good.shape;
    Selection& selection = frame.session.choices.selection;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(2)});
    bool chosen = selector("map/image", "image", "Which image of the batch is shown, from 0", selection.image, shape.n);
    chosen |= selector("map/channel", "channel", "Which input channel is shown, from 0", selection.channel, shape.c);
    const std::int64_t filters = shape.group_filters();
    chosen |=
        selector("map/filter", "filter",
                 shape.groups > 1 ? "Which filter of the channel's group is shown" : "Which filter is shown, from 0",
                 selection.filter, filters, first_filter_of(shape, selection.channel));
    ImGui::PopStyleVar();
    if (chosen) selection.automatic = false;
}

}  // namespace convscope::app
