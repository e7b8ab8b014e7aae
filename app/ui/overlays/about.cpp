#include "app/ui/overlays/about.h"

#include <imgui.h>

#include "app/ui/overlays/overlay.h"
#include "app/ui/overlays/versions.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {

void About::draw(Frame& frame) {
    DesktopState& desktop_state = frame.session.desktop_state;
    if (desktop_state.overlay != Overlay::about) return;
    if (versions_.empty()) versions_ = versions(frame.registry, *look().fonts);
    if (begin_overlay("##about", 640)) {
        overlay_title("convscope");
        note("A look inside convolution kernels: what they build, what they run, and how long it takes.");
        ImGui::Dummy({0, px(2)});
        hairline();
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(4)});
        for (const auto& [name, version] : versions_) {
            const float y = ImGui::GetCursorPosY();
            {
                WithFont font(look().fonts->small);
                ImGui::TextDisabled("%s", name.c_str());
            }
            ImGui::SetCursorPos({px(144), y});
            WithFont font(look().fonts->mono_small);
            ImGui::BeginGroup();
            paragraph(version, look().theme->text.u32());
            ImGui::EndGroup();
        }
        ImGui::PopStyleVar();
        ImGui::Dummy({0, px(2)});
        if (button("about/copy", "Copy for a report", true)) {
            ImGui::SetClipboardText(versions_text(versions_).c_str());
            notify(frame.session, "Copied the versions");
        }
        tip("These lines as text: they belong into a report of a fault");
        ImGui::SameLine();
        if (button("about/tour", "Take the tour")) {
            desktop_state.overlay = Overlay::none;
            desktop_state.tour_stop = 0;
        }
        tip("One minute: what is where, in six stops");
        ImGui::SameLine();
        if (close_button("about/close")) desktop_state.overlay = Overlay::none;
    }
    ImGui::End();
}

}  // namespace convscope::app
