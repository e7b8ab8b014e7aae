#include "app/ui/widgets/method_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/compare/method_colours.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/plots/plot_layout.h"

namespace convscope::app {
namespace {

constexpr float list_width = 580, list_height = 420, title_at = 216;  ///< at scale 1

}  // namespace

std::optional<std::string> method_list(const MethodList& list, const Registry& registry, DeviceKind kind) {
    const Theme& theme = *look().theme;
    ImGui::PushID(list.item_name.c_str());
    const float widest = ImGui::GetIO().DisplaySize.x - px(16), width = std::min(px(list_width), widest);
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, px(list_height)});
    const bool open = begin_list("##methods", list.item_name.c_str(), "Methods", list.shown, list.width,
                                 ImGuiComboFlags_HeightLargest);
    std::optional<std::string> toggled;
    if (!open) tip(list.meaning);
    if (open) {
        const std::string prefix = list.item_name.substr(0, list.item_name.find('/') + 1);
        ImGui::PushStyleColor(ImGuiCol_FrameBg, theme.hovered.u32());  // the popup has a field's own colour
        std::vector<const Method*> methods = registry.methods(kind);
        if (list.own) methods.insert(methods.begin(), list.own);
        for (const Method* method : methods) {
            const MethodInfo& info = method->info();
            const std::string reason = list.why_not(*method);
            bool on = std::ranges::find(list.ticked, info.id) != list.ticked.end();
            if (check_box((prefix + info.id).c_str(), "", on, info.id)) toggled = info.id;
            ImGui::SameLine(0, px(8));
            swatch(method_color(colour_of(info.id), info.vendor, theme).u32());
            ImGui::SameLine(0, px(8));
            clipped_text(info.id.c_str(), px(title_at) - ImGui::GetCursorPosX() - px(8),
                         (reason.empty() ? theme.text : theme.text_dim).u32());
            ImGui::SameLine(px(title_at));
            WithFont font(look().fonts->small);
            clipped_text((reason.empty() ? info.title : reason).c_str(), ImGui::GetContentRegionAvail().x,
                         theme.text_dim.u32());
            tip(reason.empty() ? title_and_paper(info) : reason);
        }
        ImGui::PopStyleColor();
        ImGui::EndCombo();
    }
    ImGui::PopID();
    return toggled;
}

std::string title_and_paper(const MethodInfo& info) {
    return info.paper.empty() ? info.title : fmt::format("{}: {}, {}", info.title, info.paper, info.follows);
}

}  // namespace convscope::app
