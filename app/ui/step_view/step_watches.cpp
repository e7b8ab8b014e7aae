#include "app/ui/step_view/step_watches.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <vector>

#include "app/ui/input/item_registry.h"
#include "app/ui/step_view/lane_table.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/text.h"

namespace convscope::app {
namespace {

/// A watch as one side has it.
struct Watched {
    LaneValues values;
    unsigned thread = 0;
    std::string text, why_not;  ///< of the chosen thread: one of the two
};

Watched watched_by(const StepPosition& shown, const std::string& expression) {
    Watched one{watched(shown, expression), shown.side.thread, "-", {}};
    const auto lane = std::ranges::find(one.values.lanes, one.thread, &LaneValue::thread);
    if (lane != one.values.lanes.end() && lane->value)
        one.text = lane_text(*lane);
    else
        one.why_not = lane == one.values.lanes.end() ? one.values.why_not : lane->why_not;
    return one;
}

/// Ends at 'right', from the line's start; all lanes where it is pointed at.
void value_at(const Watched& one, float right) {
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetCursorStartPos().x + right - ImGui::CalcTextSize(one.text.c_str()).x);
    ImGui::TextUnformatted(one.text.c_str());
    if (ImGui::IsItemHovered() && !one.values.lanes.empty())
        lane_tooltip(one.values, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), one.thread);
}

}  // namespace

LaneValues watched(const StepPosition& shown, const std::string& expression) {
    TracedBlock& trace = shown.kernel.trace;
    const std::size_t done = std::min(shown.side.done, trace.size());
    // Reads the chosen thread's own warp, whichever warp took the step.
    return shown.kernel.known.of_expression(trace, expression, {done, shown.side.thread / simt::warp_size});
}

void StepWatches::draw(StepChoice& choice, const StepPosition& first, const StepPosition* second) {
    auto& watches = choice.marks.watches;
    const float width = ImGui::GetContentRegionAvail().x, remove = px(20), column = px(64);
    std::size_t gone = watches.size();
    for (std::size_t i = 0; i < watches.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        std::vector<Watched> sides{watched_by(first, watches[i])};
        if (second) sides.push_back(watched_by(*second, watches[i]));
        {
            const WithFont font(look().fonts->mono_small);
            const float right = width - remove;
            const float taken = second ? 2 * column : ImGui::CalcTextSize(sides[0].text.c_str()).x + px(8);
            clipped_text(watches[i].c_str(), right - taken, look().theme->text_dim.u32());
            register_rect(fmt::format("watch/{}", i + 1).c_str());
            tip(watches[i]);
            value_at(sides[0], second ? right - column : right);
            if (second) value_at(sides[1], right);
        }
        ImGui::SameLine();
        ImGui::SetCursorPosX(ImGui::GetCursorStartPos().x + width - px(14));
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(3), 0});
        if (button(fmt::format("watch/remove {}", i + 1).c_str(), "\u00d7", false, true,
                   "Watch no longer " + watches[i]))
            gone = i;
        ImGui::PopStyleVar();
        tip("Watch it no longer");
        for (const Watched& side : sides) {
            capture_text(watches[i], side.text);
            if (!side.why_not.empty()) note(side.why_not);
        }
        ImGui::PopID();
    }
    if (gone < watches.size()) watches.erase(watches.begin() + static_cast<std::ptrdiff_t>(gone));
    if (watches.size() >= max_watches) return;
    ImGui::SetNextItemWidth(width);
    bool entered = false;
    {
        const WithFont font(look().fonts->mono_small);
        entered = ImGui::InputTextWithHint("##watch", "watch: sum, F_data[first + 1]", &typed_,
                                           ImGuiInputTextFlags_EnterReturnsTrue);
    }
    register_item("watch/add", {ControlRole::field, "Watch", typed_});
    tip("An expression over what the trace knows: arrays, sizes and indices of the launch, constants made of them, and "
        "names that get the result of an fmaf or of a load. Enter adds it; a comma stands between several");
    typed_.resize(std::min(typed_.size(), max_watch_letters));
    if (!entered) return;
    for (const std::string& part : split_list(typed_, "()[]"))
        if (const std::string watch = trimmed(part); !watch.empty() && watches.size() < max_watches)
            watches.push_back(watch);
    typed_.clear();
}

}  // namespace convscope::app
