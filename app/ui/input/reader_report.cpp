#include "app/ui/input/reader_report.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/ui/input/focus.h"
#include "app/ui/input/keys.h"

namespace convscope::app {
namespace {

bool has_letters(std::string_view text) {
    return std::ranges::any_of(text, [](unsigned char letter) { return std::isalnum(letter) != 0; });
}

/// For readers; the names of Dear ImGui's windows are ids.
std::string panel_name(const ImGuiWindow& window) {
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"left", "Workload and launch"}, {"live", "Live timing"}, {"status", "Status line"}};
    std::string_view id = window.Name;
    if (id.starts_with("##Popup")) return "Menu";
    if (id.starts_with("##Combo")) return "List";
    if (id.starts_with("##")) id.remove_prefix(2);
    for (const auto& [own, name] : names)
        if (id == own) return std::string(name);
    std::string name(id);
    if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

ControlRole panel_role(const ImGuiWindow& window) {
    if ((window.Flags & ImGuiWindowFlags_Popup) != 0) return ControlRole::popup;
    return std::string_view(window.Name).starts_with("##") ? ControlRole::dialog : ControlRole::panel;
}

void place(ReaderNode& node, const ImRect& rect) {
    node.x = rect.Min.x;
    node.y = rect.Min.y;
    node.width = rect.GetWidth();
    node.height = rect.GetHeight();
}

}  // namespace

void ReaderReport::begin_frame() {
    if (!requests_.empty() && !go_on(requests_.front())) {
        requests_.pop_front();
        frame_ = tries_ = 0;
    }
    nodes_.clear();
    ids_.clear();
}

/// False: no more. A window that gets or loses the keyboard, or a mouse that clicks, may come between two frames of a
/// request.
bool ReaderReport::try_again_from(int frame) {
    constexpr int max_tries = 20;
    frame_ = frame;
    return ++tries_ < max_tries;
}

/// One frame of a request; false: it is done. The ring goes to the control, which is then pressed, or typed into, as by
/// keys. Each key's press and release is seen in a frame of its own.
bool ReaderReport::go_on(const ReaderRequest& request) {
    using Kind = ReaderRequest::Kind;
    const ReaderNode* node = find(request.id);
    const bool types = request.kind == Kind::set_value;
    const bool number = node && node->role == ControlRole::number, field = node && node->role == ControlRole::field;
    const bool is_active = ImGui::GetActiveID() == request.id;
    // Another control that is active by now must not get the letters, nor Enter.
    if (!is_active && (frame_ == 2 || (frame_ == 3 && number))) return try_again_from(0);
    switch (frame_++) {
        case 0: {
            if (!focus_order().go_to(request.id)) return try_again_from(0);
            if (request.kind == Kind::focus) return false;
            ImGuiContext& g = *ImGui::GetCurrentContext();
            g.NavNextActivateId = request.id;
            g.NavNextActivateFlags = types ? ImGuiActivateFlags_PreferInput : ImGuiActivateFlags_None;
            return types || field || number;
        }
        case 1:  // the field becomes active, with all of its text selected
            return true;
        case 2:
            if (types && request.text.empty())
                feed_key(Key::del, true);
            else if (types)
                ImGui::GetIO().AddInputCharactersUTF8(request.text.c_str());
            return true;
        case 3:
            if (types && request.text.empty()) feed_key(Key::del, false);
            if (types && !number) return false;  // text is entered by a press of its own
            feed_key(Key::enter, true);
            return true;
        case 4:
            feed_key(Key::enter, false);
            return number;
        default:  // Enter ends the typing
            return is_active && number && try_again_from(3);
    }
}

/// That of a window; null where that is outside what is seen.
ReaderNode* ReaderReport::panel(const ImGuiWindow& window) {
    const ImGuiWindow& root = *window.RootWindow;
    if (!root.Rect().Overlaps(ImRect({0, 0}, ImGui::GetIO().DisplaySize))) return nullptr;
    if (!ids_.insert(root.ID).second) return find(root.ID);
    ReaderNode& panel = nodes_.emplace_back();
    panel.id = root.ID;
    panel.role = panel_role(root);
    panel.name = panel_name(root);
    place(panel, root.Rect());
    return &panel;
}

void ReaderReport::name_panel(const char* name) {
    if (ReaderNode* node = panel(*ImGui::GetCurrentContext()->CurrentWindow)) node->name = name;
}

/// A new node in a window; null where that is not seen, or the node is there already.
ReaderNode* ReaderReport::node_in(const ImGuiWindow& window, std::uint32_t id, ControlRole role) {
    const ReaderNode* above = panel(window);
    if (!above || window.SkipItems || !ids_.insert(id).second) return nullptr;
    const std::uint32_t parent = above->id;
    ReaderNode& node = nodes_.emplace_back();
    node.id = id;
    node.parent = parent;
    node.role = role;
    return &node;
}

ReaderNode* ReaderReport::find(std::uint32_t id) {
    const auto found = std::ranges::find(nodes_.rbegin(), nodes_.rend(), id, &ReaderNode::id);
    return found == nodes_.rend() ? nullptr : &*found;
}

void ReaderReport::add(const Control& control) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    add(control, *g.CurrentWindow, g.LastItemData);
}

void ReaderReport::add_under_popup(const Control& control) {
    const ImVector<ImGuiWindowStackData>& stack = ImGui::GetCurrentContext()->CurrentWindowStack;
    add(control, *stack[stack.Size - 2].Window, stack.back().ParentLastItemDataBackup);
}

void ReaderReport::add(const Control& control, const ImGuiWindow& window, const ImGuiLastItemData& item) {
    if (item.ID == 0) return;
    ReaderNode* node = node_in(window, item.ID, control.role);
    if (!node) return;
    node->name = control.label;
    node->value = control.value;
    node->on = control.on;
    node->enabled = (item.InFlags & ImGuiItemFlags_Disabled) == 0;
    place(*node, item.Rect);
}

void ReaderReport::array(const std::string& title, const std::string& values) {
    add({ControlRole::array, title, values});
}

void ReaderReport::explain(const std::string& meaning) {
    const ImGuiID id = ImGui::GetCurrentContext()->LastItemData.ID;
    if (ReaderNode* node = id == 0 ? nullptr : find(id)) node->meaning = meaning;
}

std::uint32_t ReaderReport::id_of(const ImGuiWindow& window, const std::string& key) const {
    std::uint32_t id = ImHashStr(key.c_str(), key.size(), window.ID);
    while (ids_.contains(id)) ++id;  // said twice
    return id;
}

void ReaderReport::text(const std::string& key, const std::string& line) {
    if (line.empty()) return;
    const ImGuiWindow& window = *ImGui::GetCurrentContext()->CurrentWindow;
    ReaderNode* node = node_in(window, id_of(window, key), ControlRole::text);
    if (!node) return;
    node->name = line;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    place(*node, {at, {at.x + ImGui::GetContentRegionAvail().x, at.y + ImGui::GetTextLineHeight()}});
}

void ReaderReport::announce(const std::string& key, const std::string& line) {
    if (line.empty()) return;
    const std::string announced = "announced " + key;
    const auto is_last = [&] { return !nodes_.empty() && nodes_.back().name == line && !nodes_.back().live; };
    if (!is_last()) {
        text(announced, line);
    } else {
        ids_.erase(nodes_.back().id);
        nodes_.back().id = id_of(*ImGui::GetCurrentContext()->CurrentWindow, announced);
        ids_.insert(nodes_.back().id);
    }
    if (is_last()) nodes_.back().live = true;
}

void ReaderReport::cancel() {
    // Pressed in the frame before, and not released yet (go_on).
    if (busy() && frame_ > 2) {
        feed_key(Key::del, false);
        feed_key(Key::enter, false);
    }
    requests_.clear();
    frame_ = tries_ = 0;
    nodes_.clear();
}

const std::vector<ReaderNode>& ReaderReport::finish() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    const ImGuiID focused = focus_order().on() ? g.NavId : g.IO.WantTextInput ? g.ActiveId : 0;
    for (ReaderNode& node : nodes_) {
        node.focused = node.id == focused;
        if (has_letters(node.name) || node.meaning.empty()) continue;
        node.name = node.meaning.substr(0, node.meaning.find('\n'));
    }
    return nodes_;
}

}  // namespace convscope::app
