#include "app/ui/overlays/notices.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/ui/input/item_registry.h"
#include "app/ui/overlays/overlay.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr double notice_s = 6, problem_s = 20;
constexpr std::size_t max_shown = 4;  ///< older ones are in the list

/// One notice above 'y', between 'left' and 'right'. Returns its height.
float draw_notice(const Notice& notice, float left, float right, float y, bool& dismissed) {
    const Theme& theme = *look().theme;
    const float widest = std::max(px(64), std::min(px(560), right - left - px(16)));
    ImGui::SetNextWindowPos({(left + right) / 2, y}, ImGuiCond_Always, {0.5F, 1});
    ImGui::SetNextWindowSizeConstraints({std::min(px(200), widest), 0}, {widest, px(200)});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.raised.u32());
    ImGui::PushStyleColor(ImGuiCol_Border, notice.problem ? theme.bad.u32() : theme.hairline.u32());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(6));
    begin_panel(fmt::format("notice {}", notice.number % 64).c_str(),
                ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoNav);
    announce("notice", notice.text);
    ImGui::PushTextWrapPos(widest - px(40));
    ImGui::TextUnformatted(notice.text.c_str());
    ImGui::PopTextWrapPos();
    dismissed = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0);
    const float height = ImGui::GetWindowHeight();
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
    return height;
}

}  // namespace

void Notices::draw(Frame& frame, const Regions::Box& view) {
    std::vector<Notice>& notices = frame.session.notices;
    if (notices.size() > max_shown) notices.erase(notices.begin(), notices.end() - max_shown);
    height_ = 0;
    if (frame.session.desktop_state.presenting) return;  // they wait: nothing stands on a slide
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    float y = display.y - px(40);
    std::size_t dismissed = notices.size();
    for (std::size_t i = notices.size(); i-- > 0;) {
        notices[i].age_s += ImGui::GetIO().DeltaTime;
        bool clicked = false;
        y -= draw_notice(notices[i], view.min.x, view.max.x, y, clicked) + px(8);
        if (clicked) dismissed = i;
    }
    if (!notices.empty()) height_ = display.y - y;
    if (dismissed < notices.size()) notices.erase(notices.begin() + static_cast<std::ptrdiff_t>(dismissed));
    std::erase_if(notices, [](const Notice& n) { return n.age_s > (n.problem ? problem_s : notice_s); });
}

void NoticeList::draw(Frame& frame) {
    DesktopState& desktop_state = frame.session.desktop_state;
    if (desktop_state.overlay != Overlay::notices) return;
    desktop_state.read = desktop_state.past.size();
    frame.session.notices.clear();  // they are in the list
    if (begin_overlay("##notices", 640)) {
        overlay_title("Notices of this run");
        if (desktop_state.past.empty()) note("There were none. What is saved, copied or rejected is said here.");
        const float tall = std::min(px(420), ImGui::GetIO().DisplaySize.y - px(200));
        if (!desktop_state.past.empty() && ImGui::BeginChild("list", {0, std::max(px(60), tall)})) {
            for (std::size_t i = desktop_state.past.size(); i-- > 0;) {
                const PastNotice& past = desktop_state.past[i];
                {
                    WithFont font(look().fonts->mono_small);
                    ImGui::TextDisabled("%s", past.time.c_str());
                }
                ImGui::SameLine(px(80));
                paragraph(past.text, (past.problem ? look().theme->bad : look().theme->text).u32());
            }
        }
        if (!desktop_state.past.empty()) ImGui::EndChild();
        if (button("notices/copy", "Copy all", false, !desktop_state.past.empty())) {
            std::string all;
            for (const PastNotice& past : desktop_state.past) all += past.time + "  " + past.text + "\n";
            ImGui::SetClipboardText(all.c_str());
        }
        tip("As text, the oldest first");
        ImGui::SameLine();
        if (close_button("notices/close")) desktop_state.overlay = Overlay::none;
    }
    ImGui::End();
}

}  // namespace convscope::app
