#include "app/ui/shell/toolbar.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "app/compare/recorded_catalogue.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/gallery.h"
#include "app/ui/widgets/view.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"
#include "kernels/layers/preset.h"

namespace convscope::app {
namespace {

constexpr float wide_padding = 14, narrow_padding = 6;  ///< left and right of a view's name
constexpr float min_preset = 96, list_width = 112;

std::string shown_name(const Session& session) {
    const std::string& name = session.choices.workload.name;
    return name == "custom" ? "custom layer" : name;
}

/// A stack of maps and a filter, their sides in proportion of their logarithms.
void sketch(const ConvShape& shape, ImDrawList& draw, ImVec2 from, ImVec2 to) {
    const Theme& theme = *look().theme;
    const float height = to.y - from.y - px(10), largest = std::log2(256.0F);
    const auto side = [&](std::int64_t size) {
        return height * std::clamp((1 + std::log2(static_cast<float>(size))) / (1 + largest), 0.12F, 0.9F);
    };
    const int maps = std::clamp(1 + static_cast<int>(std::log2(static_cast<float>(shape.c)) / 3), 1, 4);
    const ImVec2 map{side(shape.w), side(shape.h)}, filter{side(shape.s), side(shape.r)};
    for (int i = maps - 1; i >= 0; --i) {
        const float shift = px(3) * static_cast<float>(i);
        const ImVec2 at{from.x + px(6) + shift, to.y - px(5) - map.y - shift};
        draw.AddRectFilled(at, {at.x + map.x, at.y + map.y}, mix(theme.raised, theme.category(4), 0.7F).u32());
        draw.AddRect(at, {at.x + map.x, at.y + map.y}, theme.panel.u32());
    }
    draw.AddRectFilled({to.x - px(6) - filter.x, to.y - px(5) - filter.y}, {to.x - px(6), to.y - px(5)},
                       theme.category(0).u32());
}

float button_width(const char* label) {
    return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
}

}  // namespace

/// The parts of the bar, in the order in which a narrow window leaves them out: each can be reached in another way,
/// too. Run, the views and the help stay.
struct Toolbar::Fit {
    bool airy = true;          ///< room round the views' names
    bool named = true;         ///< the app's name
    bool exports = true;       ///< Export, which is in 'More', too
    bool presets = true;       ///< the list of presets, which Ctrl+P has, too
    bool undo = true;          ///< which the session's menu has, too
    bool side_by_side = true;  ///< the views; else in a list
};

float Toolbar::width_needed(const Fit& fit) {
    float width = SessionMenu::width(fit.named, fit.undo) + px(12) +
                  std::max(button_width("Run"), button_width("Stop")) + px(24) + width_of_views(fit) +
                  width_of_right_side();
    if (fit.presets) width += px(min_preset + 16);
    if (fit.exports) width += button_width("Export");
    return width + 2 * ImGui::GetStyle().ItemSpacing.x;
}

void Toolbar::draw(Frame& frame) {
    const float room = ImGui::GetContentRegionAvail().x;
    Fit fit;
    for (bool* part : {&fit.airy, &fit.named, &fit.exports, &fit.undo, &fit.side_by_side, &fit.presets}) {
        if (width_needed(fit) <= room) break;
        *part = false;
    }
    session_menu_.draw(frame, fit.named, fit.undo);
    ImGui::SameLine(0, px(12));
    if (fit.presets) {
        const float left = room - width_needed(fit);
        preset_picker(frame, std::clamp(px(min_preset) + left, px(min_preset), px(280)));
        ImGui::SameLine(0, px(16));
    }
    run_button(frame);
    ImGui::SameLine();
    if (fit.exports) {
        if (button("toolbar/export", "Export")) frame.session.desktop_state.overlay = Overlay::export_dialog;
        tip("Save the results as CSV, the view as PNG (Ctrl+E)");
    }
    ImGui::SameLine(0, px(24));
    if (fit.side_by_side)
        views(frame, fit);
    else
        list_of_views(frame.session);
    right_side(frame);
}

void Toolbar::preset_picker(Frame& frame, float width) {
    ImGui::PushID("preset");
    ImGui::SetNextWindowSizeConstraints({px(520), 0}, {px(520), px(500)});
    std::string name = shown_name(frame.session);
    // A long name keeps its own part, which says more than the network's.
    if (ImGui::CalcTextSize(name.c_str()).x > width - px(40)) name = name.substr(name.find('/') + 1);
    const bool open = begin_list("##preset", "toolbar/preset", "Preset", name, width, ImGuiComboFlags_HeightLargest);
    if (!open) tip("Worked examples of the papers, and layers of networks");
    if (open) {
        preset_list(frame);
        ImGui::EndCombo();
    }
    ImGui::PopID();
}

void Toolbar::preset_list(Frame& frame) {
    const bool appearing = ImGui::IsWindowAppearing();
    const bool entered = gallery_search({"toolbar/preset search", "search: vgg 512, mec, fig4", "Search the presets",
                                         "Words that the name or the shape has in it; Enter takes the first"},
                                        search_, appearing);
    ImGui::BeginChild("list", {0, px(420)});
    std::vector<GalleryCard> cards;
    std::vector<const Preset*> found;
    for (const Preset& preset : all_presets()) {
        const std::string shape = to_string(preset.spec.shape);
        if (!matches(preset.spec.name + " " + preset.title + " " + shape, search_)) continue;
        const std::string zeros =
            preset.spec.source == Source::example ? "as printed" : "zeros " + format_percent(preset.spec.sparsity);
        cards.push_back(
            {"preset/" + preset.spec.name, paper_or_network(preset.spec.name), preset.spec.name,
             shape + ". " + preset.source_text, zeros, frame.session.choices.workload.name == preset.spec.name,
             [&preset](ImDrawList& draw, ImVec2 from, ImVec2 to) { sketch(preset.spec.shape, draw, from, to); }});
        found.push_back(&preset);
    }
    const bool none = found.empty();
    std::optional<GalleryClick> picked = gallery(cards, appearing);
    if (entered && !none) picked = GalleryClick{};
    if (picked) {
        set_workload(frame.session, found[picked->card]->spec);
        ImGui::CloseCurrentPopup();
    }
    if (none) note("No preset has all of these words in its name or shape.");
    ImGui::EndChild();
}

void Toolbar::run_button(Frame& frame) {
    if (frame.live.wanted() || frame.live.network_wanted()) {
        if (button("toolbar/run", "Stop")) frame.live.stop();
        tip("Stop measuring (Space)");
        return;
    }
    const RunButton run = frame.view().run_button(frame);
    if (button("toolbar/run", run.stops ? "Stop" : "Run", !run.stops)) frame.view().run_or_stop(frame);
    tip(run.meaning);
}

/// One row of joined segments, the present view's lit.
void Toolbar::views(Frame& frame, const Fit& fit) {
    const Theme& theme = *look().theme;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float height = ImGui::GetFrameHeight(), padding = px(fit.airy ? wide_padding : narrow_padding), gap = px(2);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    WithFont font(look().fonts->text);
    draw.AddRectFilled(start, {start.x + width_of_views(fit), start.y + height}, theme.raised.u32(), px(4));
    for (std::size_t i = 0; i < ViewId::count; ++i) {
        const ViewId view = ViewId::at(i);
        const char* name = view->name;
        const bool chosen = frame.session.view == view;
        const ImVec2 at = ImGui::GetCursorScreenPos(), text = ImGui::CalcTextSize(name);
        const ImVec2 size{text.x + 2 * padding, height};
        if (ImGui::InvisibleButton(name, size)) frame.session.view = view;
        register_item((std::string("view/") + name).c_str(), {ControlRole::tab, name, {}, chosen});
        const bool hovered = ImGui::IsItemHovered();
        if (hovered && ImGui::IsMouseDoubleClicked(0))
            frame.session.desktop_state.maximised = !frame.session.desktop_state.maximised;
        tip(fmt::format("{} ({}). Double click: it fills the window (F11)", view->meaning, i + 1));
        if (chosen || hovered)
            draw.AddRectFilled({at.x + gap, at.y + gap}, {at.x + size.x - gap, at.y + size.y - gap},
                               (chosen ? theme.panel : theme.hovered).u32(), px(3));
        draw.AddText({at.x + padding, at.y + (height - text.y) / 2}, (chosen ? theme.text : theme.text_dim).u32(),
                     name);
        if (chosen)
            draw.AddRectFilled({at.x + padding, at.y + height - px(4)},
                               {at.x + size.x - padding, at.y + height - px(2)}, theme.accent.u32());
        ImGui::SameLine(0, 0);
    }
}

void Toolbar::list_of_views(Session& session) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ViewId::count; ++i) names.emplace_back(ViewId::at(i)->name);
    if (const int picked = choice("toolbar/views", session.view->name, names, px(list_width)); picked >= 0)
        session.view = ViewId::at(static_cast<std::size_t>(picked));
    tip("The views; keys 1, 2, 3...");
}

float Toolbar::width_of_views(const Fit& fit) {
    if (!fit.side_by_side) return px(list_width);
    WithFont font(look().fonts->text);
    const float padding = px(fit.airy ? wide_padding : narrow_padding);
    float width = 0;
    for (std::size_t i = 0; i < ViewId::count; ++i) width += ImGui::CalcTextSize(ViewId::at(i)->name).x + 2 * padding;
    return width;
}

float Toolbar::width_of_right_side() {
    return button_width("More") + ImGui::GetStyle().ItemSpacing.x + button_width("?");
}

void Toolbar::right_side(Frame& frame) {
    ImGui::SameLine();
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), ImGui::GetWindowWidth() - width_of_right_side() - px(16)));
    if (button("toolbar/menu", "More")) ImGui::OpenPopup("menu");
    tip("Settings, notices, the tour, About");
    menu(frame);
    ImGui::SameLine();
    if (button("toolbar/help", "?")) frame.session.desktop_state.toggle(Overlay::help);
    tip("What am I looking at, and all keys (F1)");
}

/// The commands without a button of their own in the bar; the palette has them all, too.
void Toolbar::menu(Frame& frame) {
    Session& session = frame.session;
    // Below its button, which stays in sight.
    ImGui::SetNextWindowPos({ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + px(4)}, ImGuiCond_Always, {1, 0});
    if (!ImGui::BeginPopup("menu")) return;
    DesktopState& desktop_state = session.desktop_state;
    auto item = [](const char* item_name, const char* name, const char* keys) {
        const bool picked = ImGui::MenuItem(name, keys);
        register_item(item_name, {ControlRole::menu_item, name});
        return picked;
    };
    if (item("menu/export", "Export", "Ctrl+E")) session.desktop_state.overlay = Overlay::export_dialog;
    if (item("menu/theme", session.appearance.dark ? "Light" : "Dark", "Ctrl+T"))
        session.appearance.dark = !session.appearance.dark;
    if (item("menu/settings", "Settings", "Ctrl+,")) desktop_state.overlay = Overlay::settings;
    if (item("menu/palette", "Find a command", "Ctrl+K")) session.desktop_state.overlay = Overlay::palette;
    if (item("menu/notices", "Notices", "Ctrl+L")) desktop_state.overlay = Overlay::notices;
    if (item("menu/maximise", desktop_state.maximised ? "All panels" : "The view alone", "F11"))
        desktop_state.maximised = !desktop_state.maximised;
    if (item("menu/present", "Present", "F5")) desktop_state.presenting = true;
    if (item("menu/keep-scene", "Keep this scene", "F7")) keep_scene(frame);
    if (item("menu/reset", "Reset the arrangement", "")) reset_arrangement(session);
    if (item("menu/tour", "Take the tour", "")) desktop_state.tour_stop = 0;
    if (item("menu/glossary", "Glossary", "")) desktop_state.overlay = Overlay::glossary;
    if (item("menu/about", "About", "")) desktop_state.overlay = Overlay::about;
    ImGui::EndPopup();
}

}  // namespace convscope::app
