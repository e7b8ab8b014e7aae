#include "app/ui/input/focus.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include "app/ui/input/keys.h"
#include "app/ui/input/reader_report.h"

namespace convscope::app {
namespace {

bool is_overlay(const ImGuiWindow* window) {
    return std::strncmp(window->RootWindow->Name, "##", 2) == 0;
}

/// Whether Enter presses it; in a field it types.
bool is_pressed(ControlRole role) {
    using enum ControlRole;
    return role == button || role == check_box || role == tab || role == option || role == list || role == list_item ||
           role == menu_item;
}

ImGuiWindow* open_popup() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    for (int i = g.OpenPopupStack.Size; i-- > 0;)
        if (ImGuiWindow* window = g.OpenPopupStack[i].Window; window && (window->Active || window->WasActive))
            return window;
    return nullptr;
}

}  // namespace

FocusOrder& focus_order() {
    static FocusOrder order;
    return order;
}

void FocusOrder::begin_frame() {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    last_.swap(now_);
    within_last_ = std::exchange(within_, nullptr);
    now_.clear();
    took_escape_ = false;
    meaning_.clear();
    g.NavWindowingTarget = g.NavWindowingTargetAnim = nullptr;  // Ctrl+Tab is a command of the app
    if (pressed(Key::tab, true)) ImGui::NavMoveRequestCancel();
    const auto ring = std::ranges::find_if(last_, [&g](const Stop& stop) { return stop.id == g.NavId; });
    if (on_ && ring != last_.end() && ring->keeps_arrows) ImGui::NavMoveRequestCancel();
    // ImGui 1.86 presses a control by Space alone.
    if (on_ && ring != last_.end() && is_pressed(ring->control.role) && pressed(Key::enter) && g.ActiveId == 0 &&
        g.NavActivateId != g.NavId) {
        g.NavNextActivateId = g.NavId;
        g.NavNextActivateFlags = ImGuiActivateFlags_None;  // a field that was given the focus has left its own
    }
    hand_over_typed();
    if (on_ && ring != last_.end()) type_into(*ring);
    type_into_clicked();
    // Enter is behind the letters of its frame, and takes nothing before they have gone where they belong.
    const bool letters = !typed_.empty() || (g.ActiveId == 0 && !g.IO.InputQueueCharacters.empty());
    if (letters && put_off(Key::enter)) enter_waits_ = true;
    // A click takes the keyboard back to the view.
    for (const bool clicked : g.IO.MouseClicked)
        if (clicked && on_) clear_focus();
    if (!pressed(Key::escape)) return;
    took_escape_ = had_popup_ || (!overlay_ && (was_active_ || on_));
    if (had_popup_) {
        if (g.OpenPopupStack.Size > 0) ImGui::ClosePopupToLevel(0, true);
    } else if (!overlay_ && !was_active_ && on_) {
        clear_focus();
    }
}

void FocusOrder::type_into(const Stop& ring) {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    const bool number = ring.control.role == ControlRole::number;
    if (g.ActiveId != 0 || (!number && ring.control.role != ControlRole::field)) return;
    ImVector<ImWchar>& queue = g.IO.InputQueueCharacters;
    const auto types = [number](ImWchar c) { return number ? c == '-' || (c >= '0' && c <= '9') : c > ' '; };
    if (queue.empty() || !types(queue[0])) return;
    take_typed(ring);
    g.NavNextActivateId = ring.id;
    g.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
}

void FocusOrder::take_typed(const Stop& field) {
    typed_.swap(ImGui::GetIO().InputQueueCharacters);
    typed_into_ = field.id;
    typed_number_ = field.control.role == ControlRole::number;
    frames_waited_ = 0;
}

/// A number that is clicked takes text from the frame after the button's release. Where frames are slow, much of it has
/// been typed by then.
void FocusOrder::type_into_clicked() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const ImGuiIO& io = g.IO;
    if (!typed_.empty() || io.InputQueueCharacters.empty() || !(io.MouseDown[0] || io.MouseReleased[0])) return;
    const auto clicked = std::ranges::find_if(last_, [&](const Stop& stop) {
        return stop.window == g.HoveredWindow && ImRect(stop.min, stop.max).Contains(io.MousePos);
    });
    if (clicked == last_.end() || clicked->control.role != ControlRole::number) return;
    if (!ImGui::TempInputIsActive(clicked->id)) take_typed(*clicked);
}

/// A field takes no text in the frame in which it begins to be typed in.
void FocusOrder::hand_over_typed() {
    constexpr int max_frames = 3;
    ImGuiContext& g = *ImGui::GetCurrentContext();
    if (typed_.empty()) {
        if (std::exchange(enter_waits_, false)) press_now(Key::enter);
        return;
    }
    const bool open = typed_number_ ? ImGui::TempInputIsActive(typed_into_)
                                    : g.ActiveId == typed_into_ && g.InputTextState.ID == typed_into_;
    if (open) {
        for (const ImWchar c : g.IO.InputQueueCharacters) typed_.push_back(c);
        g.IO.InputQueueCharacters.swap(typed_);
        typed_.clear();
        if (std::exchange(enter_waits_, false)) press_now(Key::enter);  // a field takes a frame's letters first
    } else if (!g.IO.MouseDown[0] && ++frames_waited_ > max_frames) {
        typed_.clear();
    } else {
        for (const ImWchar c : g.IO.InputQueueCharacters) typed_.push_back(c);
        g.IO.InputQueueCharacters.clear();
    }
}

void FocusOrder::add(const char* name, const Control& control) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const ImGuiLastItemData& item = g.LastItemData;
    if (item.ID == 0 || (item.InFlags & ImGuiItemFlags_Disabled) != 0) return;
    if (!now_.empty() && now_.back().id == item.ID) return;
    now_.push_back({item.ID,
                    g.CurrentWindow,
                    item.Rect.Min,
                    item.Rect.Max,
                    name,
                    {control.role, {}, {}, control.on},
                    control.label.empty() ? ' ' : control.label[0]});
}

void FocusOrder::keep_within() {
    within_ = ImGui::GetCurrentContext()->CurrentWindow;
}

void FocusOrder::keep_arrows() {
    if (!now_.empty() && now_.back().id == ImGui::GetCurrentContext()->LastItemData.ID) now_.back().keeps_arrows = true;
}

void FocusOrder::explain(const std::string& meaning) {
    if (!now_.empty() && now_.back().id == ImGui::GetCurrentContext()->LastItemData.ID) now_.back().explained = true;
    if (is_last_item()) meaning_ = meaning;
    if (ReaderReport::active) ReaderReport::active->explain(meaning);
}

std::vector<std::string> FocusOrder::unexplained() const {
    std::vector<std::string> names;
    for (const Stop* stop : reachable())
        if (!stop->explained) names.push_back(stop->name);
    return names;
}

std::vector<const FocusOrder::Stop*> FocusOrder::reachable() const {
    const ImGuiWindow* popup = open_popup();
    const ImGuiWindow* only = now_.empty() ? within_last_ : within_;
    std::vector<const Stop*> stops;
    for (const Stop& stop : now_.empty() ? last_ : now_) {
        const bool within = popup      ? stop.window->RootWindow == popup->RootWindow
                            : overlay_ ? is_overlay(stop.window)
                            : only     ? stop.window == only
                                       : true;
        if (within) stops.push_back(&stop);
    }
    // Edges come last, never between fields.
    std::ranges::stable_partition(stops, [](const Stop* stop) { return !stop->name.ends_with("splitter"); });
    return stops;
}

std::vector<std::string> FocusOrder::names() const {
    std::vector<std::string> names;
    for (const Stop* stop : reachable()) names.push_back(stop->name);
    return names;
}

int FocusOrder::place(const std::vector<const Stop*>& stops) const {
    // A field that was clicked has the keyboard without a ring.
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const ImGuiID id = on_ ? g.NavId : g.ActiveId;
    const auto found = std::ranges::find_if(stops, [id](const Stop* stop) { return stop->id == id; });
    return id != 0 && found != stops.end() ? static_cast<int>(found - stops.begin()) : -1;
}

void FocusOrder::step(int by) {
    const std::vector<const Stop*> stops = reachable();
    if (stops.empty()) return;
    const int count = static_cast<int>(stops.size()), from = place(stops);
    const int to = from < 0 ? (by > 0 ? 0 : count - 1) : (from + by + count) % count;
    move_to(*stops[static_cast<std::size_t>(to)]);
}

bool FocusOrder::go_to(ImGuiID id) {
    const std::vector<const Stop*> stops = reachable();
    const auto found = std::ranges::find(stops, id, &Stop::id);
    if (found == stops.end()) return false;
    move_to(**found);
    return true;
}

void FocusOrder::step_panel(int by) {
    const std::vector<const Stop*> stops = reachable();
    std::vector<const Stop*> firsts;
    for (const Stop* stop : stops) {
        const bool seen = std::ranges::any_of(
            firsts, [&](const Stop* first) { return first->window->RootWindow == stop->window->RootWindow; });
        if (!seen && !stop->name.ends_with("splitter")) firsts.push_back(stop);
    }
    if (firsts.empty()) return;
    const int count = static_cast<int>(firsts.size()), now = place(stops);
    int from = by > 0 ? -1 : count;
    for (int i = 0; now >= 0 && i < count; ++i)
        if (firsts[static_cast<std::size_t>(i)]->window->RootWindow ==
            stops[static_cast<std::size_t>(now)]->window->RootWindow)
            from = i;
    move_to(*firsts[static_cast<std::size_t>((from + by + count) % count)]);
}

void FocusOrder::move_to(const Stop& stop) {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    ImGui::ClearActiveID();
    ImGui::FocusWindow(stop.window);
    const ImRect rect(stop.min, stop.max);
    ImGui::SetNavID(stop.id, ImGuiNavLayer_Main, 0, ImGui::WindowRectAbsToRel(stop.window, rect));
    ImGui::ScrollToRectEx(stop.window, rect);
    g.NavDisableHighlight = false;
    g.NavDisableMouseHover = true;
    g.IO.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    on_ = true;
    name_ = stop.name;
}

void FocusOrder::clear_focus() {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    g.NavDisableHighlight = true;
    g.NavDisableMouseHover = false;
    g.IO.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    on_ = within_list_ = false;
    name_.clear();
}

void FocusOrder::enter_list() {
    const std::vector<const Stop*> stops = reachable();
    const int count = static_cast<int>(stops.size());
    int from = place(stops);
    const bool typed = ImGui::GetIO().WantTextInput;
    if (from < 0 && !typed)
        for (int i = 0; i < count; ++i)
            if (stops[static_cast<std::size_t>(i)]->control.role == ControlRole::list_item &&
                stops[static_cast<std::size_t>(i)]->control.on)
                from = i;
    const auto enter = [&](int to) {
        within_list_ = within_list_ || !on_;
        move_to(*stops[static_cast<std::size_t>(to)]);
    };
    if (!on_ && count > 0 && pressed(Key::down, true)) return enter(std::min(from + 1, count - 1));
    if (!on_ && count > 0 && pressed(Key::up, true)) return enter(from < 0 ? count - 1 : std::max(from - 1, 0));
    const ImVector<ImWchar>& letters = ImGui::GetIO().InputQueueCharacters;
    if (typed || letters.empty() || letters[0] <= ' ' || letters[0] >= 0x7F) return;
    for (int i = 1; i <= count; ++i) {
        const int to = (from + i) % count;
        const char initial = stops[static_cast<std::size_t>(to)]->initial;
        if (std::tolower(initial) == std::tolower(static_cast<int>(letters[0]))) return enter(to);
    }
}

bool FocusOrder::leaves_keys_to_view() const {
    return !on_ && !overlay_ && !open_popup() && !ImGui::GetIO().WantTextInput;
}

bool FocusOrder::is_last_item() const {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    return on_ && g.NavId != 0 && g.LastItemData.ID == g.NavId;
}

void FocusOrder::end_frame(bool overlay, ImU32 colour, float scale) {
    ImGuiContext& g = *ImGui::GetCurrentContext();
    if (overlay != overlay_) clear_focus();  // what opened has no ring yet; what closed had it
    overlay_ = overlay;
    had_popup_ = open_popup() != nullptr;
    if (had_popup_) enter_list();
    if (!had_popup_ && within_list_) clear_focus();
    was_active_ = g.ActiveId != 0 && (g.IO.WantTextInput || g.ActiveIdSource != ImGuiInputSource_Mouse);
    if (!requested_.empty()) {
        for (const Stop& stop : now_)
            if (stop.name.starts_with(requested_)) {
                move_to(stop);
                requested_.clear();
                break;
            }
    }
    if (!on_) return;
    const auto found = std::ranges::find_if(now_, [&g](const Stop& stop) { return stop.id == g.NavId; });
    if (found == now_.end()) {
        name_.clear();
        // An item of an open list is ImGui's to show; a control that is gone has no ring.
        if (!had_popup_ && g.NavId == 0) clear_focus();
        return;
    }
    name_ = found->name;
    const float out = 2 * scale, thick = std::max(2.0F, 2 * scale);
    const ImRect clip = found->window->ClipRect;
    ImDrawList& draw = *ImGui::GetForegroundDrawList();
    draw.PushClipRect({clip.Min.x - 2 * out, clip.Min.y - 2 * out}, {clip.Max.x + 2 * out, clip.Max.y + 2 * out});
    draw.AddRect({found->min.x - out, found->min.y - out}, {found->max.x + out, found->max.y + out}, colour, 4 * scale,
                 0, thick);
    draw.PopClipRect();
}

}  // namespace convscope::app
