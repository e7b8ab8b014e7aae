#include "app/ui/overlays/settings_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/session/settings/settings.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/overlays/overlay.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/files/preset_folder.h"

namespace convscope::app {
namespace {

constexpr float label_width = 136;

/// The name of a setting, then room for its control.
void name_of(const char* text) {
    ImGui::AlignTextToFramePadding();
    {
        WithFont font(look().fonts->small);
        ImGui::TextDisabled("%s", text);
    }
    ImGui::SameLine(px(label_width));
}

/// The map from its lowest to its highest value.
void map_legend(ColorMap map) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::min(px(240), ImGui::GetContentRegionAvail().x), height = px(12);
    constexpr int steps = 48;
    const Theme& theme = theme_with(look().theme->dark, map);
    for (int i = 0; i < steps; ++i) {
        const float share = (static_cast<float>(i) + 0.5F) / steps;
        ImGui::GetWindowDrawList()->AddRectFilled({at.x + width * static_cast<float>(i) / steps, at.y},
                                                  {at.x + width * static_cast<float>(i + 1) / steps, at.y + height},
                                                  theme.value(share, {0, 1}).u32());
    }
    ImGui::Dummy({width, height});
}

void folder(Session& session, const char* name, const char* item_name, const std::string& path, const char* meaning) {
    name_of(name);
    const float room = ImGui::GetContentRegionAvail().x - px(72);
    {
        WithFont font(look().fonts->mono_small);
        clipped_text(path.empty() ? "none" : path.c_str(), room, look().theme->text.u32());
    }
    tip(fmt::format("{}\n{}", meaning, path));
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - px(56));
    if (button(item_name, "Copy", false, !path.empty())) {
        ImGui::SetClipboardText(path.c_str());
        notify(session, fmt::format("Copied {}", path));
    }
    tip("Copy the path");
}

std::string presets_path() {
    try {
        return preset_folder().string();
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

void SettingsPanel::draw(Frame& frame) {
    Session& session = frame.session;
    if (session.desktop_state.overlay != Overlay::settings) return;
    if (begin_overlay("##settings", 600)) {
        overlay_title("Settings");
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(5)});
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(2)});
        appearance(session);
        values(session);
        panels(session);
        folders(session);
        ImGui::PopStyleVar(2);
        ImGui::Dummy({0, px(2)});
        if (close_button("settings/close", "Everything here is kept as it is set (Esc)"))
            session.desktop_state.overlay = Overlay::none;
    }
    ImGui::End();
}

void SettingsPanel::appearance(Session& session) {
    Appearance& appearance = session.appearance;
    Preferences& preferences = session.desktop_state.preferences;
    heading("APPEARANCE");
    name_of("theme");
    if (const int picked = choice("settings/theme", appearance.dark ? "dark" : "light", {"dark", "light"}, px(240));
        picked >= 0)
        appearance.dark = picked == 0;
    tip("Dark or light (Ctrl+T)");
    name_of("size");
    const std::vector<float> sizes{0.5F, 0.75F, 0.875F, 1, 1.125F, 1.25F, 1.5F, 1.75F, 2, 2.5F, 3, 4};
    std::vector<std::string> names;
    for (const float size : sizes) names.push_back(fmt::format("{:.4g} %", 100 * size));
    if (const int picked = choice("settings/scale", fmt::format("{:.4g} %", 100 * appearance.scale), names, px(240));
        picked >= 0)
        appearance.scale = sizes[static_cast<std::size_t>(picked)];
    tip("Of what the display asks for, from 50 to 400 % (Ctrl++, Ctrl+-, Ctrl+0)");
    name_of("motion");
    std::vector<std::string> motions;
    for (int i = 0; i < motion_count; ++i) motions.emplace_back(to_string(static_cast<Motion>(i)));
    if (const int picked = choice("settings/motion", to_string(preferences.motion), motions, px(240)); picked >= 0)
        preferences.motion = static_cast<Motion>(picked);
    tip(
        fmt::format("Reduced: steps play at one a second, and live plots are drawn four times a second. This desktop "
                    "asks for {} motion, as far as it can be read",
                    session.desktop_state.desktop_reduces_motion ? "reduced" : "full"));
}

void SettingsPanel::values(Session& session) {
    Preferences& preferences = session.desktop_state.preferences;
    heading("VALUES");
    name_of("colour map");
    std::vector<std::string> maps;
    for (int i = 0; i < color_map_count; ++i) maps.emplace_back(to_string(static_cast<ColorMap>(i)));
    if (const int picked = choice("settings/map", to_string(preferences.map), maps, px(240)); picked >= 0)
        preferences.map = static_cast<ColorMap>(picked);
    tip("For values without a sign. Signed values go from orange to blue in every map");
    ImGui::SetCursorPosX(px(label_width));
    map_legend(preferences.map);
    ImGui::SetCursorPosX(px(label_width));
    note(meaning_of(preferences.map));
    name_of("symbols");
    const std::vector<std::string> notations{"the papers': i_h, k_w, o_w", "cuDNN's: h, s, q"};
    const auto chosen = static_cast<std::size_t>(preferences.notation);
    if (const int picked = choice("settings/notation", notations[chosen], notations, px(240)); picked >= 0)
        preferences.notation = static_cast<Notation>(picked);
    tip("Of formulas, of the sizes under arrays and of lessons. Fields, flags and files have cuDNN's names");
    name_of("bytes");
    const std::vector<std::string> units{"kB, MB, GB: steps of 1000", "KiB, MiB, GiB: steps of 1024"};
    if (const int picked = choice("settings/bytes", units[preferences.binary_bytes ? 1 : 0], units, px(240));
        picked >= 0)
        preferences.binary_bytes = picked == 1;
    tip("On screen only: files always have plain bytes");
}

void SettingsPanel::panels(Session& session) {
    heading("PANELS");
    Appearance& appearance = session.appearance;
    check_box("settings/left", "workload and launch", appearance.left_open);
    tip("The panel on the left (F9)");
    ImGui::SameLine(0, px(16));
    check_box("settings/live", "live timing", appearance.live_open);
    tip("Below the layouts (F8)");
    ImGui::SameLine(0, px(16));
    check_box("settings/right", "inspector", appearance.right_open);
    tip("The panel on the right (F10)");
    ImGui::SameLine(0, px(16));
    if (button("settings/reset", "Reset")) reset_arrangement(session);
    tip("All panels open, of their first sizes");
}

void SettingsPanel::folders(Session& session) {
    heading("FILES AND FOLDERS");
    folder(session, "settings", "settings/copy settings", settings_file().string(), "What is kept between runs");
    folder(session, "presets", "settings/copy presets", presets_path(),
           "Layers, networks and recorded sessions of this installation");
    folder(session, "figures", "settings/copy csv", session.csv_path, "Where an export writes the results");
    folder(session, "pictures", "settings/copy png", session.png_path, "Where an export writes images");
}

}  // namespace convscope::app
