#include "app/ui/commands/scene_commands.h"

#include <imgui.h>

#include "app/ui/widgets/view.h"

namespace convscope::app {
namespace {

/// A command about the scene that is shown.
Command of_scene(const char* name, void (*action)(Session&)) {
    Command command{name, {}, [action](Frame& f, History&) { action(f.session); }, {}};
    command.why_not = [](const Frame& f, const History&) { return why_no_scene(f.session); };
    return command;
}

}  // namespace

std::vector<Command> scene_commands() {
    std::vector<Command> list;
    const auto add = [&list](const char* name, Shortcut shortcut, auto action) -> Command& {
        return list.emplace_back(Command{name, shortcut, [action](Frame& f, History&) { action(f); }, {}});
    };
    const auto no_scenes = [](const Frame& f, const History&) {
        return f.session.scenes.empty() ? why_no_scene(f.session) : std::string();
    };
    add("Present: the view as a slide, or back", {Key::f5}, [](Frame& f) {
        bool& presenting = f.session.desktop_state.presenting;
        presenting = !presenting;
        f.session.desktop_state.timing_alone = false;
    }).synonyms = "slideshow slides projector audience talk lecture large";
    add("Toggle the spotlight of slides", {Key::s}, [](Frame& f) {
        DesktopState& state = f.session.desktop_state;
        state.spotlight = state.spotlight != state.presenting;
    }).why_not = [](const Frame& f, const History&) {
        return f.session.desktop_state.presenting ? std::string() : "No slide is shown: F5 shows the view as one.";
    };
    add("Keep this scene", {Key::f7}, [](Frame& f) { keep_scene(f); }).why_not = [](const Frame& f, const History&) {
        return why_no_new_scene(f.session);
    };
    list.back().synonyms = "save moment slide bookmark";
    // As the keys of an open lesson, they come before those of the view: page_through_scenes takes them.
    add("Next scene", {}, [](Frame& f) { step_scene(f.session, 1); }).why_not = no_scenes;
    list.back().keys = "PgDn";
    add("Previous scene", {}, [](Frame& f) { step_scene(f.session, -1); }).why_not = no_scenes;
    list.back().keys = "PgUp";
    list.push_back(of_scene("Scene: rename it", [](Session& s) { s.desktop_state.overlay = Overlay::scene_title; }));
    list.push_back(of_scene("Scene: keep what is shown in its place", keep_scene_again));
    list.push_back(of_scene("Scene: move it earlier", [](Session& s) { move_scene(s, -1); }));
    list.push_back(of_scene("Scene: move it later", [](Session& s) { move_scene(s, 1); }));
    list.push_back(of_scene("Scene: delete it", delete_scene));
    for (Command& command : list) command.group = "Slides";
    return list;
}

bool page_through_scenes(Session& session) {
    const ImGuiIO& io = ImGui::GetIO();
    if (session.scenes.empty() || !session.lesson.open.empty() || io.KeyCtrl || io.KeyShift || io.KeyAlt) return false;
    const int by = pressed(Key::page_down) - pressed(Key::page_up);
    step_scene(session, by);
    return by != 0;
}

}  // namespace convscope::app
