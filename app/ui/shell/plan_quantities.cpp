#include "app/ui/shell/plan_quantities.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>

#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

std::string value_of(const Quantity& quantity) {
    const bool whole = quantity.value == std::floor(quantity.value) && std::abs(quantity.value) < 1e15;
    return whole ? format_count(static_cast<std::int64_t>(quantity.value)) : three_digits(quantity.value);
}

}  // namespace

void plan_quantities(const std::vector<Quantity>& quantities) {
    const float gap = px(16), left = ImGui::GetCursorPosX();
    const float width = (ImGui::GetContentRegionAvail().x - gap) / 2;
    const WithFont font(look().fonts->mono_small);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(4), px(1)});
    for (std::size_t i = 0; i < quantities.size(); ++i) {
        const Quantity& quantity = quantities[i];
        const float start = left + (i % 2 == 0 ? 0 : width + gap);
        const std::string value = value_of(quantity);
        if (i % 2 == 1) ImGui::SameLine();
        ImGui::SetCursorPosX(start);
        ImGui::BeginGroup();
        ImGui::TextDisabled("%s", quantity.symbol.c_str());
        ImGui::SameLine();
        ImGui::SetCursorPosX(start + width - ImGui::CalcTextSize(value.c_str()).x);
        ImGui::TextUnformatted(value.c_str());
        ImGui::EndGroup();
        register_rect(("launch/plan/" + quantity.symbol).c_str());
        tip(fmt::format("{} = {}{}{}: {}", quantity.symbol, value, quantity.unit.empty() ? "" : " ", quantity.unit,
                        quantity.meaning));
    }
    ImGui::PopStyleVar();
}

}  // namespace convscope::app
