#include "app/ui/overlays/palette.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/overlays/overlay.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/text.h"

namespace convscope::app {
namespace {

constexpr float palette_width = 680, palette_row = 28, kind_width = 88;
constexpr int rows_in_sight = 14;

}  // namespace

void Palette::open(Frame& frame, const History& history) {
    entries_ = palette_entries(frame, history);
    search_ = frame.session.desktop_state.search.value_or("");
    frame.session.desktop_state.search.reset();
    chosen_ = 0;
}

void Palette::draw(Frame& frame, History& history) {
    Overlay& overlay = frame.session.desktop_state.overlay;
    const bool appearing = std::exchange(shown_, overlay) != overlay;
    if (overlay == Overlay::scene_title) return name_scene(frame.session, appearing);
    if (overlay != Overlay::palette) return;
    if (appearing) open(frame, history);
    if (begin_overlay("##palette", palette_width, px(56))) {
        if (appearing) ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(-1);
        const std::string before = search_;
        const bool entered =
            ImGui::InputTextWithHint("##search", "a command, preset, method, device, view, lesson or session", &search_,
                                     ImGuiInputTextFlags_EnterReturnsTrue);
        register_item("palette/search", {ControlRole::field, "Find a command", search_});
        if (search_ != before) chosen_ = 0;
        const std::vector<std::size_t> order =
            palette_order(entries_, search_, frame.session.desktop_state.preferences.recent);
        const int last = std::max(0, static_cast<int>(order.size()) - 1);
        const int page = pressed(Key::page_down, true) - pressed(Key::page_up, true);
        const int by = pressed(Key::down, true) - pressed(Key::up, true) + page * (rows_in_sight - 1);
        moved_ = by != 0 || search_ != before;
        chosen_ = std::clamp(chosen_ + by, 0, last);
        int run = rows(order);
        if (entered && !order.empty()) run = chosen_;
        if (order.empty()) note("Nothing has all of these words. Fewer letters find more.");
        if (run >= 0) {
            const PaletteEntry& entry = entries_[order[static_cast<std::size_t>(run)]];
            if (entry.reason.empty()) {
                overlay = Overlay::none;
                remember(frame.session.desktop_state.preferences, entry.id);
                entry.run(frame, history);
            } else {
                notify(frame.session, entry.reason, true);
            }
        }
    }
    ImGui::End();
}

/// In the place of a search: the title of the scene that is shown.
void Palette::name_scene(Session& session, bool appearing) {
    if (appearing) {
        const bool shown = why_no_scene(session).empty();
        search_ = shown ? session.scenes.all()[*session.scene].title : "";
    }
    if (begin_overlay("##palette", palette_width, px(56))) {
        if (appearing) ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(-1);
        const bool entered = ImGui::InputTextWithHint("##title", "the title of this scene", &search_,
                                                      ImGuiInputTextFlags_EnterReturnsTrue);
        register_item("palette/title", {ControlRole::field, "Title of the scene", search_});
        note("Enter keeps it, Esc leaves it as it was.");
        if (entered) {
            rename_scene(session, trimmed(search_));
            session.desktop_state.overlay = Overlay::none;
        }
    }
    ImGui::End();
}

int Palette::rows(const std::vector<std::size_t>& order) {
    int clicked = -1;
    const int count = static_cast<int>(order.size());
    const float room = ImGui::GetIO().DisplaySize.y - ImGui::GetCursorScreenPos().y - px(40);
    const float height = std::min(static_cast<float>(std::min(count, rows_in_sight)) * px(palette_row), room);
    if (count == 0 || height < px(8)) return -1;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), 0});
    ImGui::BeginChild("rows", {0, height}, false, ImGuiWindowFlags_NoNav);
    if (moved_) {
        const float top = static_cast<float>(chosen_) * px(palette_row), scroll = ImGui::GetScrollY();
        if (top < scroll) ImGui::SetScrollY(top);
        if (top + px(palette_row) > scroll + height) ImGui::SetScrollY(top + px(palette_row) - height);
    }
    const int first = std::clamp(static_cast<int>(ImGui::GetScrollY() / px(palette_row)), 0, count - 1);
    const int end = std::min(count, first + static_cast<int>(height / px(palette_row)) + 3);
    const float wide = ImGui::GetContentRegionAvail().x;
    for (int i = first; i < end; ++i) {
        const PaletteEntry& entry = entries_[order[static_cast<std::size_t>(i)]];
        const float y = static_cast<float>(i) * px(palette_row);
        ImGui::SetCursorPos({0, y});
        if (ImGui::Selectable(fmt::format("##{}", entry.id).c_str(), i == chosen_, 0, {0, px(palette_row)}))
            clicked = i;
        register_item(fmt::format("palette/{}", entry.id).c_str(),
                      {ControlRole::list_item, entry.id, {}, i == chosen_});
        if (!entry.reason.empty()) tip(entry.reason);
        row(entry, y, wide);
    }
    ImGui::SetCursorPos({0, static_cast<float>(count) * px(palette_row)});
    ImGui::EndChild();
    ImGui::PopStyleVar();
    return clicked;
}

/// Kind, title, then what there is to say of it, and at the right its keys.
void Palette::row(const PaletteEntry& entry, float y, float width_px) const {
    const Theme& theme = *look().theme;
    const float line = y + (px(palette_row) - ImGui::GetTextLineHeight()) / 2;
    float right = width_px - px(8);
    if (!entry.keys.empty()) {
        WithFont font(look().fonts->mono_small);
        right -= ImGui::CalcTextSize(entry.keys.c_str()).x;
        ImGui::SetCursorPos({right, line + px(1)});
        ImGui::TextDisabled("%s", entry.keys.c_str());
        right -= px(12);
    }
    ImGui::SetCursorPos({px(8), line + px(1)});
    {
        WithFont font(look().fonts->small);
        clipped_text(entry.kind.c_str(), px(kind_width - 16), theme.text_dim.u32());
    }
    const bool possible = entry.reason.empty();
    const float title = ImGui::CalcTextSize(entry.title.c_str()).x;
    ImGui::SetCursorPos({px(kind_width), line});
    clipped_text(entry.title.c_str(), right - px(kind_width), (possible ? theme.text : theme.text_dim).u32());
    const float at = px(kind_width) + title + px(12);
    if (right - at < px(40)) return;
    WithFont font(look().fonts->small);
    ImGui::SetCursorPos({at, line + px(1)});
    clipped_text((possible ? entry.detail : entry.reason).c_str(), right - at,
                 (possible ? theme.text_dim : theme.warning).u32());
}

}  // namespace convscope::app
