#include "app/ui/sessions/session_menu.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>

#include "app/session/file/history.h"
#include "app/ui/dialogs/kernel_question.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/sessions/session_manager.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr const char* popup = "session menu";
constexpr float menu_width = 400, bars_width = 14;

/// One line of the menu: the name, and dim at the right its keys, or why it cannot be.
bool line(const char* item_name, const std::string& name, const std::string& right, bool enabled = true) {
    const float start = ImGui::GetCursorPosX(), width = px(menu_width);
    ImGui::BeginDisabled(!enabled);
    ImGui::PushID(item_name);
    const bool clicked = ImGui::Selectable("##line", false, 0, {width, 0});
    ImGui::PopID();
    ImGui::EndDisabled();
    register_item(item_name, {ControlRole::menu_item, name});
    const Theme& theme = *look().theme;
    ImGui::SameLine();
    ImGui::SetCursorPosX(start);
    float room = width;
    if (!right.empty()) {
        WithFont font(look().fonts->small);
        room -= ImGui::CalcTextSize(right.c_str()).x + px(16);
    }
    clipped_text(name.c_str(), room, (enabled ? theme.text : theme.text_dim.with_alpha(0.6F)).u32());
    if (!right.empty()) {
        WithFont font(look().fonts->small);
        ImGui::SameLine();
        ImGui::SetCursorPosX(start + room + px(16));
        ImGui::TextDisabled("%s", right.c_str());
    }
    return clicked;
}

/// An arrow that turns back ('side' -1) or forward (1).
void arrow(ImVec2 centre, float side, ImU32 colour) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float r = px(5), x = centre.x, y = centre.y + px(1.5F), thick = std::max(1.0F, px(1.5F));
    constexpr float pi = 3.14159265F;
    // From the upper end of the arrow over the top to the lower side.
    if (side < 0)
        draw.PathArcTo({x, y}, r, -0.75F * pi, 0.5F * pi, 16);
    else
        draw.PathArcTo({x, y}, r, -0.25F * pi, -1.5F * pi, 16);
    draw.PathStroke(colour, 0, thick);
    const float tip_x = x + side * r * 0.75F, tip_y = y - r * 0.75F, h = px(4.5F);
    draw.AddTriangleFilled({tip_x + side * h * 0.7F, tip_y + h * 0.5F}, {tip_x + side * h * 0.2F, tip_y - h},
                           {tip_x - side * h * 0.7F, tip_y + h * 0.15F}, colour);
}

bool arrow_button(const char* item_name, float side, bool enabled) {
    const float size = ImGui::GetFrameHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::BeginDisabled(!enabled);
    const bool clicked = ImGui::InvisibleButton(item_name, {size, size});
    ImGui::EndDisabled();
    register_item(item_name, {ControlRole::button});
    const Theme& theme = *look().theme;
    if (enabled && ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size, at.y + size}, theme.hovered.u32(), px(4));
    arrow({at.x + size / 2, at.y + size / 2}, side, (enabled ? theme.text : theme.text_dim.with_alpha(0.4F)).u32());
    return clicked && enabled;
}

}  // namespace

float SessionMenu::width(bool named, bool undo) {
    WithFont font(look().fonts->strong);
    const float name = named ? ImGui::CalcTextSize("convscope").x + px(8) : 0;
    return px(bars_width + 8) + name + (undo ? px(8) + 2 * ImGui::GetFrameHeight() : 0);
}

void SessionMenu::draw(Frame& frame, bool named, bool undo) {
    const Theme& theme = *look().theme;
    WithFont font(look().fonts->strong);
    const float height = ImGui::GetFrameHeight(), bars = px(bars_width), width = SessionMenu::width(named, false);
    const ImVec2 text = ImGui::CalcTextSize("convscope"), at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("toolbar/session", {width, height})) {
        frame.sessions.recent().refresh();
        ImGui::OpenPopup(popup);
    }
    register_item("toolbar/session", {ControlRole::button, "Session"});
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered() || ImGui::IsPopupOpen(popup))
        draw.AddRectFilled({at.x - px(8), at.y}, {at.x + width, at.y + height}, theme.hovered.u32(), px(4));
    const float y = std::round(at.y + height / 2), thick = std::max(1.0F, std::round(px(1.5F)));
    for (int i = -1; i <= 1; ++i) {
        const float top = y + std::round(px(4.5F)) * static_cast<float>(i);
        draw.AddRectFilled({at.x, top}, {at.x + bars, top + thick}, theme.text.u32());
    }
    if (named) draw.AddText({at.x + bars + px(8), at.y + (height - text.y) / 2}, theme.text.u32(), "convscope");
    {
        WithFont plain(look().fonts->text);
        if (!ImGui::IsPopupOpen(popup))
            tip(frame.sessions.path().empty() ? "Open and save sessions"
                                              : fmt::format("Session {}{}", frame.sessions.path().string(),
                                                            frame.sessions.changed() ? ", changed" : ""));
        menu(frame);
    }
    if (!undo) return;
    ImGui::SameLine(0, px(8));
    undo_and_redo(frame);
}

void SessionMenu::menu(Frame& frame) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(12), px(10)});
    ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x - px(8), ImGui::GetItemRectMax().y + px(4)});
    const bool open = ImGui::BeginPopup(popup);
    ImGui::PopStyleVar();
    if (!open) return;
    SessionManager& sessions = frame.sessions;
    if (line("session/new", "New session", "Ctrl+N")) sessions.new_session();
    if (line("session/open", "Open...", "Ctrl+O")) sessions.ask_to_open();
    if (line("session/kernel", "Open a kernel...", "Ctrl+Shift+O")) ask_for_kernel(frame.session, frame.dialogs);
    if (line("session/exercises", "Exercises...", "")) show_exercises(frame.session);
    if (line("session/save", sessions.path().empty() ? "Save the session..." : "Save " + session_name(sessions.path()),
             "Ctrl+S"))
        sessions.save();
    if (line("session/save as", "Save the session as...", "Ctrl+Shift+S")) sessions.save_as();
    if (sessions.has_last() && line("session/last", "Reopen last session", "")) sessions.open_last();
    ImGui::Separator();
    const std::string undo = frame.history.undo_words(), redo = frame.history.redo_words();
    if (line("session/undo", undo.empty() ? "Nothing to undo" : "Undo: " + undo, "Ctrl+Z", !undo.empty()))
        frame.history.undo(frame.session);
    if (line("session/redo", redo.empty() ? "Nothing to redo" : "Redo: " + redo, "Ctrl+Shift+Z", !redo.empty()))
        frame.history.redo(frame.session);
    recent(frame);
    ImGui::EndPopup();
}

void SessionMenu::recent(Frame& frame) {
    if (frame.sessions.recent().list().empty()) return;
    ImGui::Separator();
    heading("RECENT SESSIONS");
    std::filesystem::path chosen;
    for (const RecentSession& each : frame.sessions.recent().list()) {
        const std::string item_name = "session/recent/" + session_name(each.path);
        const bool there = each.reason.empty();
        if (line(item_name.c_str(), session_name(each.path),
                 there ? each.path.parent_path().filename().string() : each.reason, there))
            chosen = each.path;
        tip(each.path.string());
    }
    if (!chosen.empty()) frame.sessions.open(chosen);  // which changes the list
}

void SessionMenu::undo_and_redo(Frame& frame) {
    const std::string undo = frame.history.undo_words(), redo = frame.history.redo_words();
    if (arrow_button("toolbar/undo", -1, !undo.empty())) frame.history.undo(frame.session);
    tip(undo.empty() ? "Nothing to undo (Ctrl+Z)" : fmt::format("Undo: {} (Ctrl+Z)", undo));
    ImGui::SameLine(0, 0);
    if (arrow_button("toolbar/redo", 1, !redo.empty())) frame.history.redo(frame.session);
    tip(redo.empty() ? "Nothing to redo (Ctrl+Shift+Z)" : fmt::format("Redo: {} (Ctrl+Shift+Z)", redo));
}

}  // namespace convscope::app
