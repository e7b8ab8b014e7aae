#include "app/ui/commands/entries.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/commands/fuzzy.h"
#include "app/ui/dialogs/drawn_figures.h"
#include "app/ui/sessions/session_manager.h"
#include "app/ui/widgets/view.h"
#include "kernels/core/format_units.h"
#include "kernels/core/text.h"
#include "kernels/layers/network.h"
#include "kernels/layers/preset.h"

namespace convscope::app {
namespace {

void add(std::vector<PaletteEntry>& list, const char* kind, const std::string& title, std::string detail,
         std::string reason, std::function<void(Frame&, History&)> run) {
    list.push_back(
        {fmt::format("{} {}", kind, title), kind, title, std::move(detail), {}, std::move(reason), std::move(run)});
}

void add_commands(std::vector<PaletteEntry>& list, const Frame& frame, const History& history) {
    for (const Command& command : commands()) {
        if (command.keyboard_only) continue;
        list.push_back({command.name,
                        command.group,
                        command.name,
                        {},
                        command.keys,
                        command.why_not ? command.why_not(frame, history) : std::string(),
                        [&command](Frame& f, History& h) { command.run(f, h); },
                        command.synonyms});
    }
}

void add_presets(std::vector<PaletteEntry>& list) {
    for (const Preset& preset : all_presets())
        add(list, "Preset", preset.spec.name, to_string(preset.spec.shape), {},
            [&preset](Frame& f, History&) { set_workload(f.session, preset.spec); });
    for (const Network& network : all_networks())
        add(list, "Network", network.name, counted(network.layers.size(), "layer"), {}, [&network](Frame& f, History&) {
            f.session.network.name = network.name;
            f.session.view = "network";
        });
}

void add_methods(std::vector<PaletteEntry>& list, const Frame& frame) {
    for (const Method* method : frame.registry.methods(device_kind(frame.session, frame.registry))) {
        const Support support = method->supports(frame.session.good.shape);
        const std::string id = method->info().id;
        add(list, "Method", id, method->info().title, support ? std::string() : support.reason,
            [id](Frame& f, History&) { choose_method(f.session, id); });
    }
}

void add_devices(std::vector<PaletteEntry>& list, const Frame& frame) {
    for (const DeviceInfo* info : frame.registry.devices()) {
        const std::string id = info->id;
        add(list, "Device", id, info->name, info->available ? std::string() : info->reason,
            [id](Frame& f, History&) { choose_device(f.session, f.registry, id); });
    }
}

void add_scenes(std::vector<PaletteEntry>& list, const Session& session) {
    for (std::size_t i = 0; i < session.scenes.size(); ++i)
        add(list, "Scene", scene_label(session, i), session.scenes.all()[i].state.view->name, {},
            [i](Frame& f, History&) { show_scene(f.session, i); });
}

void add_sessions(std::vector<PaletteEntry>& list, Frame& frame) {
    frame.sessions.recent().refresh();
    for (const RecentSession& each : frame.sessions.recent().list())
        add(list, "Session", session_name(each.path), each.path.parent_path().string(), each.reason,
            [path = each.path](Frame& f, History&) { f.sessions.open(path); });
}

void add_palette_items(std::vector<PaletteEntry>& list, const Frame& frame) {
    for (View* view : frame.views)
        for (PaletteItem& each : view->palette_items(frame))
            add(list, each.kind.c_str(), each.title, std::move(each.detail), std::move(each.reason),
                [open = std::move(each.open)](Frame& f, History&) { open(f); });
}

/// Each on the screen; 'Export' saves and copies it.
void add_figures(std::vector<PaletteEntry>& list) {
    for (const DrawnFigure& figure : drawn_figures())
        add(list, "Figure", figure.title, "save or copy it", {}, [title = figure.title](Frame& f, History&) {
            f.session.desktop_state.figure = title;
            f.session.desktop_state.overlay = Overlay::export_dialog;
        });
}

}  // namespace

std::vector<PaletteEntry> palette_entries(Frame& frame, const History& history) {
    std::vector<PaletteEntry> list;
    add_commands(list, frame, history);
    add_scenes(list, frame.session);
    add_sessions(list, frame);
    add_methods(list, frame);
    add_devices(list, frame);
    add_presets(list);
    add_palette_items(list, frame);
    add_figures(list);
    return list;
}

std::vector<std::size_t> palette_order(const std::vector<PaletteEntry>& entries, const std::string& search,
                                       const std::vector<std::string>& recent) {
    struct Found {
        std::size_t place;
        int score;
    };
    constexpr int exact = 1000;  // above all that is only like it
    const std::string typed = lower_case(trimmed(search));
    std::vector<Found> found;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const PaletteEntry& entry = entries[i];
        // A title alone scores higher than the same words with the kind before it or the detail after it.
        const std::optional<int> title = fuzzy_score(entry.title, search);
        const std::optional<int> whole =
            fuzzy_score(fmt::format("{} {} {} {}", entry.kind, entry.title, entry.detail, entry.synonyms), search);
        if (!title && !whole) continue;
        int score = std::max(title.value_or(-1000), whole.value_or(-1000) - 10);
        if (typed == lower_case(entry.title) || typed == lower_case(fmt::format("{} {}", entry.kind, entry.title)))
            score += exact;
        const auto used = std::ranges::find(recent, entry.id);
        if (used != recent.end()) score += 60 - 3 * static_cast<int>(used - recent.begin());
        if (!entry.reason.empty()) score -= 40;
        found.push_back({i, score});
    }
    std::ranges::stable_sort(found, [](const Found& a, const Found& b) { return a.score > b.score; });
    std::vector<std::size_t> order;
    order.reserve(found.size());
    for (const Found& each : found) order.push_back(each.place);
    return order;
}

}  // namespace convscope::app
