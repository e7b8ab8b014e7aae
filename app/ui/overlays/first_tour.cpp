#include "app/ui/overlays/first_tour.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/input/focus.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

struct Stop {
    Regions::Box Regions::*where;
    const char *title, *text;
};

constexpr Stop stops[tour_stops] = {
    {&Regions::view, "A layer, taken apart",
     "The worked example of a paper, as a kernel builds it. Point at any cell: what it is multiplied with, which "
     "thread does it and where it ends light up. A click keeps it; the arrows move it."},
    {&Regions::left, "Your own layer",
     "Type, drag or wheel any size, and the share of zeros. Below, the launch: block, grid, and what limits "
     "occupancy. An impossible value says why, and the last valid view stays."},
    {&Regions::right, "In words and numbers",
     "What is pointed at, in one sentence; then the multiplications that are needed and the memory that each format "
     "takes, each with its formula: point at a symbol to see what it is the size of."},
    {&Regions::live, "Measure it",
     "Space runs the ticked methods in turn against the vendor's best, each checked before it is timed. Space stops. "
     "What is timed can be chosen at the right."},
    {&Regions::toolbar, "The other views",
     "This is Layout. Step goes through a kernel one instruction at a time; Compare shows records, with sessions of "
     "NVIDIA GPUs; Sweep measures many points; Network whole networks; Lessons teach all of it, with questions; "
     "Kernel checks a CUDA file of yours, or an exercise. The keys 1, 2, 3... change the view."},
    {&Regions::status, "Everything by keyboard",
     "Ctrl+K finds every command, preset and method by a few letters. F1 explains what is on the screen and has all "
     "keys. This line says which device measures and how the image gets to the screen."},
};

ImVec2 card_place(const Regions::Box& box, ImVec2 size, ImVec2 display) {
    const float gap = px(12);
    const ImVec2 middle{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
    ImVec2 at{middle.x - size.x / 2, box.max.y + gap};               // below
    if (at.y + size.y > display.y) at.y = box.min.y - size.y - gap;  // above
    if (at.y < 0) {                                                  // at its side
        at = {box.max.x + gap, middle.y - size.y / 2};
        if (at.x + size.x > display.x) at.x = box.min.x - size.x - gap;
        if (at.x < 0) at = {middle.x - size.x / 2, box.max.y - size.y - gap};  // within
    }
    at.x = std::clamp(at.x, gap, std::max(gap, display.x - size.x - gap));
    at.y = std::clamp(at.y, gap, std::max(gap, display.y - size.y - gap));
    return {std::round(at.x), std::round(at.y)};
}

/// A panel at the side that is not in question has the card where it has room: nothing of the view is covered, and the
/// buttons, at its lower end, stay where they are from stop to stop.
const Regions::Box* side_panel(const Stop& stop, const Regions& regions) {
    const Regions::Box& panel = stop.where == &Regions::left ? regions.right : regions.left;
    return panel.max.x - panel.min.x >= px(248) ? &panel : nullptr;
}

/// All but the part in question steps back a little, and that part has a frame.
void light(const Regions::Box& box, ImVec2 display) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(display);
    begin_panel("tour shade", ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 shade = IM_COL32(0, 0, 0, look().theme->dark ? 110 : 60);
    draw.AddRectFilled({0, 0}, {display.x, box.min.y}, shade);
    draw.AddRectFilled({0, box.max.y}, display, shade);
    draw.AddRectFilled({0, box.min.y}, {box.min.x, box.max.y}, shade);
    draw.AddRectFilled({box.max.x, box.min.y}, {display.x, box.max.y}, shade);
    const float half = px(1);
    draw.AddRect({box.min.x + half, box.min.y + half}, {box.max.x - half, box.max.y - half}, look().theme->accent.u32(),
                 px(4), 0, px(2));
    ImGui::End();
}

/// A button of the card that has the ring is gone with it.
void end_tour(DesktopState& desktop_state) {
    desktop_state.tour_stop.reset();
    desktop_state.preferences.tour_seen = true;
    focus_order().clear_focus();
}

/// On or back; behind the last stop it ends.
void move_tour(DesktopState& desktop_state, int by) {
    const int to = std::clamp(*desktop_state.tour_stop, 0, tour_stops - 1) + by;
    if (to >= tour_stops) return end_tour(desktop_state);
    desktop_state.tour_stop = std::max(to, 0);
}

}  // namespace

bool lead_first_tour(Frame& frame) {
    DesktopState& desktop_state = frame.session.desktop_state;
    const bool covered = overlay_open(frame.session) || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if (!desktop_state.tour_stop || covered) return false;
    FocusOrder& order = focus_order();
    if (ImGui::GetIO().WantTextInput) return true;  // a field that was clicked into
    const bool ring = order.on();                   // on one of the buttons, which has the keys then
    if (pressed(Key::escape))
        end_tour(desktop_state);
    else if (pressed(Key::tab, true))
        order.step(ImGui::GetIO().KeyShift ? -1 : 1);
    else if (!ring && (pressed(Key::enter) || pressed(Key::right)))
        move_tour(desktop_state, 1);
    else if (!ring && pressed(Key::left))
        move_tour(desktop_state, -1);
    take_keys();
    return true;
}

void FirstTour::draw(Frame& frame, const Regions& regions) {
    DesktopState& desktop_state = frame.session.desktop_state;
    if (!desktop_state.tour_stop) return;
    const int at = std::clamp(*desktop_state.tour_stop, 0, tour_stops - 1);
    const Stop& stop = stops[at];
    const Regions::Box& box = regions.*stop.where;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const Theme& theme = *look().theme;
    light(box, display);

    const Regions::Box* const panel = side_panel(stop, regions);
    const float gap = px(8), padding = px(panel ? 14 : 20);
    const float width = panel ? panel->max.x - panel->min.x - 2 * gap : std::min(px(400), display.x - px(24));
    float height = px(168);
    {
        WithFont font(look().fonts->text);
        height = px(112) + ImGui::CalcTextSize(in_lines(stop.text, width - 2 * padding).c_str()).y;
    }
    const ImVec2 place = panel ? ImVec2{panel->min.x + gap, std::max(gap, panel->max.y - height - gap)}
                               : card_place(box, {width, height}, display);
    ImGui::SetNextWindowPos(place);
    ImGui::SetNextWindowSize({std::max(1.0F, width), height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.raised.u32());
    ImGui::PushStyleColor(ImGuiCol_Border, theme.accent.u32());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, px(14)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    begin_panel("tour card");
    focus_order().keep_within();
    {
        WithFont font(look().fonts->strong);
        ImGui::TextUnformatted(stop.title);
    }
    paragraph(stop.text, theme.text.u32());
    ImGui::SetCursorPosY(height - px(44));
    const bool last = at + 1 == tour_stops;
    if (button("tour/next", last ? "Done" : "Next", true)) move_tour(desktop_state, 1);
    tip(last ? "The tour can be taken again: Ctrl+K, then 'tour'" : "To the next stop (Enter)");
    ImGui::SameLine();
    if (button("tour/back", "Back", false, at > 0)) move_tour(desktop_state, -1);
    tip("To the stop before (Left)");
    ImGui::SameLine();
    if (!last && button("tour/skip", "Skip")) end_tour(desktop_state);
    if (!last) tip("End the tour (Esc)");
    const std::string count = fmt::format("{} of {}", at + 1, tour_stops);
    ImGui::SameLine();
    ImGui::SetCursorPosX(width - padding - ImGui::CalcTextSize(count.c_str()).x);
    ImGui::TextDisabled("%s", count.c_str());
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor(2);
}

}  // namespace convscope::app
