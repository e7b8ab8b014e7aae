#include "app/ui/commands/desktop_commands.h"

#include <algorithm>

#include "app/ui/input/focus.h"

namespace convscope::app {
namespace {

/// Ctrl++ changes this scale: while presenting that of the presentation alone.
float& scale_in_use(Session& session) {
    return session.desktop_state.presenting ? session.desktop_state.audience_zoom : session.appearance.scale;
}

void scale_by(Session& session, float step) {
    float& scale = scale_in_use(session);
    scale = std::clamp(scale + step, 0.5F, session.desktop_state.presenting ? 2.0F : 4.0F);
}

/// The pages of the Layout and the Compare view, round and round.
void show_page(Session& session, int by) {
    if (session.view == "layout") session.tab = session.tab.step(by);
    if (session.view == "compare") session.compare.page = session.compare.page.step(by);
}

std::string no_pages(const Frame& frame, const History&) {
    const ViewId view = frame.session.view;
    return view == "layout" || view == "compare" ? std::string() : "This view has one page.";
}

class List {
public:
    std::vector<Command> take() { return std::move(commands_); }
    void group(const char* name) { group_ = name; }

    Command& add(const char* name, Shortcut shortcut, void (*action)(Session&)) {
        Command command{name, shortcut, [action](Frame& f, History&) { action(f.session); }, {}};
        command.group = group_;
        return commands_.emplace_back(std::move(command));
    }

private:
    std::vector<Command> commands_;
    std::string group_;
};

void add_ways(List& list) {
    list.group("Views");
    list.add("Next view", {Key::tab, true}, [](Session& s) { s.view = s.view.step(1); });
    list.add("Previous view", {Key::tab, true, true}, [](Session& s) { s.view = s.view.step(-1); });
    list.add("Next page", {Key::page_down, true}, [](Session& s) { show_page(s, 1); }).why_not = no_pages;
    list.add("Previous page", {Key::page_up, true}, [](Session& s) { show_page(s, -1); }).why_not = no_pages;
    list.group("Controls");
    list.add("Next control", {Key::tab}, [](Session&) { focus_order().step(1); }).keyboard_only = true;
    list.add("Previous control", {Key::tab, false, true}, [](Session&) { focus_order().step(-1); }).keyboard_only =
        true;
    list.add("To the workload's fields", {Key::f2}, [](Session& s) {
        s.desktop_state.maximised = s.desktop_state.presenting = false;
        s.appearance.left_open = true;
        s.desktop_state.focus_requested = "workload/";
    });
    list.add("To the launch configuration", {Key::f3}, [](Session& s) {
        s.desktop_state.maximised = s.desktop_state.presenting = false;
        s.appearance.left_open = true;
        s.desktop_state.focus_requested = "launch/";
    });
    list.add("To the view itself", {Key::f4}, [](Session&) { focus_order().clear_focus(); });
    list.add("Next panel", {Key::f6}, [](Session&) { focus_order().step_panel(1); });
    list.add("Previous panel", {Key::f6, false, true}, [](Session&) { focus_order().step_panel(-1); });
}

void add_panels(List& list) {
    list.group("Panels");
    list.add("Collapse or expand the live timing", {Key::f8},
             [](Session& s) {
                 bool& on = s.desktop_state.presenting ? s.desktop_state.timing_alone : s.appearance.live_open;
                 on = !on;
             })
        .view = ViewId("layout");
    list.add("Collapse or expand the left panel", {Key::f9},
             [](Session& s) { s.appearance.left_open = !s.appearance.left_open; })
        .synonyms = "hide show sidebar";
    list.add("Collapse or expand the right panel", {Key::f10},
             [](Session& s) { s.appearance.right_open = !s.appearance.right_open; })
        .synonyms = "hide show sidebar inspector";
    list.add("Toggle full view", {Key::f11}, [](Session& s) { s.desktop_state.maximised = !s.desktop_state.maximised; })
        .synonyms = "fullscreen full screen maximise maximize";
    list.add("Reset the arrangement of the panels", {}, reset_arrangement);
}

void add_looks(List& list) {
    list.group("Appearance");
    list.add("Toggle light or dark theme", {Key::t, true}, [](Session& s) { s.appearance.dark = !s.appearance.dark; })
        .synonyms = "mode colours colors appearance white black bright night day";
    list.add("Increase UI scale", {Key::equals, true}, [](Session& s) { scale_by(s, 0.125F); }).synonyms =
        "font size text larger bigger zoom in";
    list.add("Decrease UI scale", {Key::minus, true}, [](Session& s) { scale_by(s, -0.125F); }).synonyms =
        "smaller font size text zoom out";
    list.add("Reset UI scale", {Key::zero, true}, [](Session& s) { scale_in_use(s) = 1; }).synonyms = "default zoom";
    list.add("Next colour map for values", {},
             [](Session& s) {
                 ColorMap& map = s.desktop_state.preferences.map;
                 map = static_cast<ColorMap>((static_cast<int>(map) + 1) % color_map_count);
             })
        .synonyms = "color colormap palette viridis";
    list.add("Toggle symbols of the papers or of cuDNN", {}, [](Session& s) {
        Notation& notation = s.desktop_state.preferences.notation;
        notation = notation == Notation::paper ? Notation::cudnn : Notation::paper;
    });
    list.add("Toggle reduced motion", {},
             [](Session& s) {
                 s.desktop_state.preferences.motion = s.desktop_state.reduced_motion() ? Motion::full : Motion::reduced;
             })
        .synonyms = "animation";
    list.add("Settings", {Key::comma, true}, [](Session& s) { s.desktop_state.toggle(Overlay::settings); }).synonyms =
        "preferences options configure";
}

void add_finding(List& list) {
    list.group("Find and copy");
    list.add("Find a command, preset, method, ...", {Key::k, true},
             [](Session& s) { s.desktop_state.toggle(Overlay::palette); })
        .keyboard_only = true;
    list.add("Pick a preset", {Key::p, true},
             [](Session& s) {
                 s.desktop_state.search = "preset ";
                 s.desktop_state.overlay = Overlay::palette;
             })
        .keyboard_only = true;
    list.add("Copy what the view says, as text", {Key::c, true},
             [](Session& s) { s.desktop_state.copy = CopyRequest::text; });
    list.add("Copy for slides: what is pointed at, or the view", {Key::c, true, true},
             [](Session& s) { s.desktop_state.copy = CopyRequest::picture; })
        .synonyms = "image picture png figure";
}

void add_help(List& list) {
    list.group("Help");
    Command& help =
        list.add("Explain the present view", {Key::f1}, [](Session& s) { s.desktop_state.toggle(Overlay::help); });
    help.keys = "F1 or ?";
    help.synonyms = "help keys shortcuts";
    list.add("Notices of this run", {Key::l, true}, [](Session& s) { s.desktop_state.toggle(Overlay::notices); });
    list.add("Take the tour", {}, [](Session& s) {
        s.desktop_state.overlay = Overlay::none;
        s.desktop_state.tour_stop = 0;
    });
    list.add("Glossary", {}, [](Session& s) { s.desktop_state.overlay = Overlay::glossary; });
    list.add("About convscope", {}, [](Session& s) { s.desktop_state.overlay = Overlay::about; }).synonyms =
        "version licence license";
}

}  // namespace

std::vector<Command> preference_commands() {
    List list;
    add_ways(list);
    add_panels(list);
    add_looks(list);
    add_finding(list);
    add_help(list);
    return list.take();
}

}  // namespace convscope::app
