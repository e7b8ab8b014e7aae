#include "app/ui/sessions/recovery_bar.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/ui/sessions/session_manager.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {

float recovery_bar_height(const SessionManager& sessions) {
    return sessions.recoverable() ? std::round(px(44)) : 0;
}

void draw_recovery_bar(Frame& frame, float top) {
    const RecoverableSession* session = frame.sessions.recoverable();
    if (!session) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const Theme& theme = *look().theme;
    const float height = recovery_bar_height(frame.sessions);
    ImGui::SetNextWindowPos({0, top});
    ImGui::SetNextWindowSize({std::max(1.0F, display.x), height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.raised.u32());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(16), px(8)});
    begin_panel("recovery", ImGuiWindowFlags_NoBringToFrontOnFocus);
    const std::size_t more = frame.sessions.recoverable_count() - 1;
    const std::string words =
        fmt::format("convscope did not end properly; your session of {} can be brought back in place of this one{}",
                    describe_time(session->saved, std::chrono::system_clock::now()),
                    more == 0 ? std::string(".") : fmt::format(" (and {} older).", more));
    ImGui::AlignTextToFramePadding();
    const float buttons = px(184);
    clipped_text(words.c_str(),
                 std::max(px(80), std::min(ImGui::CalcTextSize(words.c_str()).x + px(2), display.x - px(48) - buttons)),
                 theme.text.u32());
    tip(words);
    ImGui::SameLine(0, px(16));
    const bool restore = button("recovery/restore", "Restore", true);
    ImGui::SameLine(0, px(8));
    const bool discard = button("recovery/discard", "Discard");
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    if (restore)
        frame.sessions.restore_recoverable();
    else if (discard)
        frame.sessions.discard_recoverable();
}

}  // namespace convscope::app
