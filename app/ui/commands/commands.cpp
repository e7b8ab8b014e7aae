#include "app/ui/commands/commands.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <iterator>

#include "app/compare/compare_data.h"
#include "app/session/navigation.h"
#include "app/session/pin.h"
#include "app/ui/commands/desktop_commands.h"
#include "app/ui/commands/scene_commands.h"
#include "app/ui/commands/session_commands.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/input/focus.h"
#include "app/ui/widgets/view.h"

namespace convscope::app {
namespace {

void unpin(Frame& frame) {
    Session& session = frame.session;
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup))
        ImGui::ClosePopupToLevel(0, false);
    else if (frame.dialogs.builtin_open())
        frame.dialogs.cancel();
    else if (overlay_open(session))
        session.desktop_state.overlay = Overlay::none;
    else if (session.desktop_state.presenting)
        session.desktop_state.presenting = false;
    else if (session.view == "layout" && session.layer.whole)
        session.layer.pinned.reset();
    else if (session.view == "layout" && session.multiplication.y)
        session.multiplication = {};
    else if (session.view == "layout")
        pin(session, std::nullopt);
    else if (session.view == "compare" || session.view == "sweep")
        session.requested.clear_rows = true;
}

void show(Session& session, TabId tab) {
    session.view = "layout";
    session.tab = tab;
}

/// The Step view's ways through a replay.
void add_steps(std::vector<Command>& list) {
    auto add = [&list](const char* name, Shortcut shortcut, StepMove move) {
        const bool repeats = move == StepMove::forward || move == StepMove::back;
        list.push_back(
            {name, shortcut, [move](Frame& f, History&) { f.session.requested.step = move; }, ViewId("step"), repeats});
    };
    add("Play or pause the steps", {Key::space}, StepMove::play_or_pause);
    add("Step forward", {Key::right}, StepMove::forward);
    add("Step back", {Key::left}, StepMove::back);
    add("Next barrier", {Key::right, true}, StepMove::next_barrier);
    add("Previous barrier", {Key::left, true}, StepMove::previous_barrier);
    add("First step", {Key::home}, StepMove::first);
    add("Last step", {Key::end}, StepMove::last);
    add("Next breakpoint", {Key::down, true}, StepMove::next_breakpoint);
    add("Previous breakpoint", {Key::up, true}, StepMove::previous_breakpoint);
    auto add_line = [&list](const char* name, Key key, LineMove move) {
        const bool repeats = move == LineMove::up || move == LineMove::down;
        list.push_back(
            {name, {key}, [move](Frame& f, History&) { f.session.requested.line = move; }, ViewId("step"), repeats});
    };
    add_line("Run to the chosen line", Key::r, LineMove::run_to);
    add_line("Toggle breakpoint at the chosen line", Key::b, LineMove::toggle_breakpoint);
    add_line("Choose the line below", Key::down, LineMove::down);
    add_line("Choose the line above", Key::up, LineMove::up);
}

/// One image, one channel on or back, of those that the layer has.
void move_selection(Session& session, std::int64_t Selection::*which, std::int64_t ConvShape::*count, int step) {
    std::int64_t& value = session.choices.selection.*which;
    session.choices.selection.automatic = false;
    value = std::clamp<std::int64_t>(value + step, 0, session.good.shape.*count - 1);
}

/// The next of the three values that a pixel can show.
void next_aggregate(Session& session) {
    Aggregate& shown = session.layer.whole ? session.layer.aggregate : session.layer.map_aggregate;
    shown = static_cast<Aggregate>((static_cast<int>(shown) + 1) % aggregate_count);
}

/// The whole layer's layouts, and the way through images and channels.
void add_layers(std::vector<Command>& list) {
    auto add = [&list](const char* name, Shortcut shortcut, auto action, bool repeats = false) {
        list.push_back(
            {name, shortcut, [action](Frame& f, History&) { action(f.session); }, ViewId("layout"), repeats});
    };
    add("Toggle whole layer", {Key::w}, [](Session& s) { s.layer.whole = !s.layer.whole; });
    add("Change what a pixel shows", {Key::a}, next_aggregate);
    add("Play or pause the multiplication", {Key::m}, [](Session& s) { s.requested.play = PlayMove::play_or_pause; });
    add("Zoom to fit", {Key::f}, [](Session& s) { s.requested.layer = LayerMove::fit; });
    add("Zoom to 1:1", {Key::f, false, true}, [](Session& s) { s.requested.layer = LayerMove::one_to_one; });
    add("Zoom to the values", {}, [](Session& s) { s.requested.layer = LayerMove::values; });
    add(
        "Next copy of the pinned element", {Key::n}, [](Session& s) { s.requested.layer = LayerMove::next_copy; },
        true);
    add(
        "Zoom in", {Key::equals}, [](Session& s) { s.requested.layer = LayerMove::closer; }, true);
    add(
        "Zoom out", {Key::minus}, [](Session& s) { s.requested.layer = LayerMove::farther; }, true);
    add(
        "Next image", {Key::page_down}, [](Session& s) { move_selection(s, &Selection::image, &ConvShape::n, 1); },
        true);
    add(
        "Previous image", {Key::page_up}, [](Session& s) { move_selection(s, &Selection::image, &ConvShape::n, -1); },
        true);
    add(
        "Next channel", {Key::page_down, false, true},
        [](Session& s) { move_selection(s, &Selection::channel, &ConvShape::c, 1); }, true);
    add(
        "Previous channel", {Key::page_up, false, true},
        [](Session& s) { move_selection(s, &Selection::channel, &ConvShape::c, -1); }, true);
}

/// The Compare view's pages and the recorded sessions.
void add_comparisons(std::vector<Command>& list) {
    for (std::size_t i = 0; i < ComparePage::count; ++i) {
        const auto page = ComparePage::at(i);
        list.push_back({std::string("Compare: ") + page->name,
                        {},
                        [page](Frame& f, History&) { f.session.compare.page = page; },
                        ViewId("compare")});
    }
    for (const std::filesystem::path& path : recorded_sessions()) {
        const std::string name = path.stem().string();
        list.push_back({"Open recorded session " + name,
                        {},
                        [name](Frame& f, History&) { f.session.requested.recorded = name; },
                        ViewId("compare")});
    }
}

/// From line to line of a user's kernel; the view stops at the last one.
void add_kernel_lines(std::vector<Command>& list) {
    const auto add = [&list](const char* name, Key key, void (*move)(std::size_t&), bool repeats) {
        list.push_back(
            {name, {key}, [move](Frame& f, History&) { move(f.session.kernel.step); }, ViewId("kernel"), repeats});
    };
    add(
        "Kernel: step forward", Key::right, [](std::size_t& step) { ++step; }, true);
    add(
        "Kernel: step back", Key::left, [](std::size_t& step) { step -= step > 0; }, true);
    for (const bool next : {true, false})
        list.push_back({next ? "Kernel: next barrier" : "Kernel: previous barrier",
                        {next ? Key::right : Key::left, true},
                        [next](Frame& f, History&) { f.view().to_barrier(f, next); },
                        ViewId("kernel")});
    list.push_back({"Kernel: toggle PTX",
                    {Key::p},
                    [](Frame& f, History&) { f.session.kernel.ptx = !f.session.kernel.ptx; },
                    ViewId("kernel")});
    add(
        "Kernel: first line", Key::home, [](std::size_t& step) { step = 0; }, false);
    add(
        "Kernel: last line", Key::end, [](std::size_t& step) { step = max_line_step; }, false);
}

/// The open lesson's ways. Its column takes the keys without Ctrl itself: they write in fields, and choose.
void add_lessons(std::vector<Command>& list) {
    const auto add = [&list](const char* name, Shortcut shortcut, LessonMove move) {
        list.push_back({name, shortcut, [move](Frame& f, History&) { f.session.lesson.requested = move; }, {}});
    };
    add("Lesson: next step", {}, LessonMove::next);
    list.back().keys = "PgDn";
    add("Lesson: previous step", {}, LessonMove::back);
    list.back().keys = "PgUp";
    add("Lesson: answer, or go on", {Key::enter}, LessonMove::act);
    add("Lesson: a hint", {Key::h, true}, LessonMove::hint);
    add("Lesson: show me how", {}, LessonMove::show_me);
    add("Lesson: show it again", {}, LessonMove::show_again);
    add("Lesson: leave it", {}, LessonMove::leave);
}

/// The way back through views and pages, which undo leaves alone.
void add_navigation(std::vector<Command>& list) {
    list.push_back({"Back to the previous view or page",
                    {Key::left, false, false, true},
                    [](Frame& f, History&) { f.navigation.back(f.session); },
                    {}});
    list.back().why_not = [](const Frame& f, const History&) {
        return f.navigation.back_words().empty() ? "Nothing was shown before." : "";
    };
    list.push_back({"Forward to the next view or page",
                    {Key::right, false, false, true},
                    [](Frame& f, History&) { f.navigation.forward(f.session); },
                    {}});
    list.back().why_not = [](const Frame& f, const History&) {
        return f.navigation.forward_words().empty() ? "There is no way forward: nothing was gone back from." : "";
    };
}

std::string nothing_to(const std::string& words, const char* what) {
    return words.empty() ? fmt::format("There is nothing to {}.", what) : std::string();
}

/// Puts the commands that were added since the last group into this one.
void in_group(std::vector<Command>& list, const char* name) {
    for (Command& command : list)
        if (command.group.empty()) command.group = name;
}

/// Shift and an arrow do what Ctrl and the arrow do.
bool step_by_shift(Session& session) {
    const ImGuiIO& io = ImGui::GetIO();
    if (session.view != "step" || !io.KeyShift || io.KeyCtrl || io.KeyAlt) return false;
    if (pressed(Key::right)) session.requested.step = StepMove::next_barrier;
    if (pressed(Key::left)) session.requested.step = StepMove::previous_barrier;
    return session.requested.step.has_value();
}

/// "Ctrl+Shift+Z"; empty for none.
std::string keys_text(const Shortcut& shortcut) {
    constexpr std::pair<Key, const char*> names[] = {
        {Key::space, "Space"}, {Key::equals, "+"},  {Key::minus, "-"}, {Key::comma, ","},      {Key::escape, "Esc"},
        {Key::enter, "Enter"}, {Key::tab, "Tab"},   {Key::up, "Up"},   {Key::down, "Down"},    {Key::left, "Left"},
        {Key::right, "Right"}, {Key::home, "Home"}, {Key::end, "End"}, {Key::page_up, "PgUp"}, {Key::page_down, "PgDn"},
    };
    const Key key = shortcut.key;
    if (key == Key::count) return {};
    const auto after = [key](Key first) { return static_cast<int>(key) - static_cast<int>(first); };
    const auto named = std::ranges::find(names, key, &std::pair<Key, const char*>::first);
    const std::string name = named != std::end(names)            ? named->second
                             : key >= Key::f1 && key <= Key::f12 ? fmt::format("F{}", 1 + after(Key::f1))
                             : key >= Key::zero && key <= Key::nine
                                 ? fmt::format("{}", after(Key::zero))
                                 : std::string(1, static_cast<char>('A' + after(Key::a)));
    return fmt::format("{}{}{}{}", shortcut.ctrl ? "Ctrl+" : "", shortcut.shift ? "Shift+" : "",
                       shortcut.alt ? "Alt+" : "", name);
}

std::vector<Command> make_commands() {
    std::vector<Command> list;
    auto add = [&list](std::string name, Shortcut shortcut, auto action, std::optional<ViewId> view = {}) {
        list.push_back({std::move(name), shortcut, action, view});
    };
    const auto add_run = [&add](const char* what, ViewId view) {
        add(
            std::string("Run or stop the ") + what, {Key::space}, [](Frame& f, History&) { f.view().run_or_stop(f); },
            view);
    };
    add_run("measurement", "layout");
    in_group(list, "Run");
    add_steps(list);
    in_group(list, "Step");
    add_run("network", "network");
    add_run("sweep", "sweep");
    add_run("check of the kernel", "kernel");
    add(
        "Pause or resume the sweep", {Key::right, true},
        [](Frame& f, History&) { f.session.requested.sweep = SweepMove::pause_or_go_on; }, ViewId("sweep"));
    list.back().why_not = [](const Frame& f, const History&) {
        const SweepState state = f.session.sweep_state;
        const bool on = state == SweepState::running || state == SweepState::paused;
        return on ? std::string() : std::string("No sweep is running.");
    };
    in_group(list, "Run");
    constexpr Key digits[] = {Key::one, Key::two,   Key::three, Key::four, Key::five,
                              Key::six, Key::seven, Key::eight, Key::nine};
    static_assert(ViewId::count <= std::size(digits) && TabId::count <= std::size(digits));
    for (std::size_t i = 0; i < ViewId::count; ++i) {
        const ViewId view = ViewId::at(i);
        add(std::string("View: ") + view->name, {digits[i]}, [view](Frame& f, History&) { f.session.view = view; });
    }
    for (std::size_t i = 0; i < TabId::count; ++i) {
        const TabId tab = TabId::at(i);
        add(std::string("Show ") + tab->name, {digits[i], true}, [tab](Frame& f, History&) { show(f.session, tab); });
    }
    add_navigation(list);
    add_layers(list);
    in_group(list, "Views");
    add_comparisons(list);
    in_group(list, "Compare");
    add_kernel_lines(list);
    in_group(list, "Kernel");
    add_lessons(list);
    in_group(list, "Lessons");
    std::ranges::move(session_commands(), std::back_inserter(list));
    add("Export results, figures and pictures", {Key::e, true},
        [](Frame& f, History&) { f.session.desktop_state.overlay = Overlay::export_dialog; });
    list.back().synonyms = "save as csv png svg screenshot image plot formula";
    add("Undo", {Key::z, true}, [](Frame& f, History& h) { h.undo(f.session); });
    list.back().why_not = [](const Frame&, const History& h) { return nothing_to(h.undo_words(), "undo"); };
    add("Redo", {Key::z, true, true}, [](Frame& f, History& h) { h.redo(f.session); });
    list.back().why_not = [](const Frame&, const History& h) { return nothing_to(h.redo_words(), "redo"); };
    add("Unpin, or close what is open", {Key::escape}, [](Frame& f, History&) { unpin(f); });
    in_group(list, "Session");
    std::ranges::move(scene_commands(), std::back_inserter(list));
    std::ranges::move(preference_commands(), std::back_inserter(list));
    for (Command& command : list)
        if (command.keys.empty()) command.keys = keys_text(command.shortcut);
    return list;
}

bool typed_question_mark() {
    const ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    return std::find(typed.begin(), typed.end(), static_cast<ImWchar>('?')) != typed.end();
}

bool was_pressed(const Shortcut& shortcut, bool repeats) {
    if (shortcut.key == Key::count || began_in_field(shortcut.key)) return false;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl != shortcut.ctrl) return false;
    if (shortcut.alt) return pressed_with_alt(shortcut.key);
    // Ctrl and + is Ctrl, Shift and = on many keyboards.
    if (shortcut.key == Key::equals) return pressed(Key::equals) || pressed(Key::plus);
    return io.KeyShift == shortcut.shift && pressed(shortcut.key, repeats);
}

/// A focused text field takes the keys that write, and those that copy, paste and undo in it.
bool is_typed(const Shortcut& shortcut) {
    if (shortcut.key == Key::tab || shortcut.key == Key::escape) return false;
    if (shortcut.key >= Key::f1 && shortcut.key <= Key::f12) return false;
    return (!shortcut.ctrl && !shortcut.alt) || shortcut.key == Key::z || shortcut.key == Key::c ||
           shortcut.key == Key::a;
}

/// The column of an open lesson takes the letters that choose an answer and Page Up and Page Down; where a number is
/// requested, also digits and the minus sign.
bool is_of_a_lesson(const Shortcut& shortcut, const LessonChoice& lesson) {
    const Key key = shortcut.key;
    const int letter = static_cast<int>(key) - static_cast<int>(Key::a);
    const bool chooses = letter >= 0 && letter < lesson.options, digit = key >= Key::zero && key <= Key::nine;
    const bool writes = lesson.number_requested && (digit || key == Key::minus);
    return !shortcut.ctrl && (chooses || writes || key == Key::page_up || key == Key::page_down);
}

/// Keys that write, move or play in the view; they do nothing under an overlay.
bool is_of_a_view(const Shortcut& shortcut) {
    const bool function_key = shortcut.key >= Key::f1 && shortcut.key <= Key::f12;
    return !shortcut.ctrl && !shortcut.alt && !function_key && shortcut.key != Key::escape && shortcut.key != Key::tab;
}

/// Keys that the focused control handles itself.
bool is_of_a_control(const Shortcut& shortcut) {
    using enum Key;
    const Key key = shortcut.key;
    return !shortcut.ctrl && !shortcut.alt &&
           (key == space || key == enter || key == up || key == down || key == left || key == right || key == home ||
            key == end);
}

}  // namespace

void Command::run(Frame& frame, History& history) const {
    if (view) frame.session.view = *view;
    action(frame, history);
}

const std::vector<Command>& commands() {
    static const std::vector<Command> list = make_commands();
    return list;
}

void handle_keys(Frame& frame, History& history) {
    const bool typing = ImGui::GetIO().WantTextInput || focus_order().begins_typing(), ring = focus_order().on();
    const bool completes = frame.dialogs.builtin_open();  // the path that is typed, with Tab
    const bool list = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup), covered = list || overlay_open(frame.session);
    const bool lesson = !frame.session.lesson.open.empty();
    if (focus_order().took_escape()) return;
    if (ImGui::IsMouseClicked(3)) frame.navigation.back(frame.session);  // the buttons that browsers take for it
    if (ImGui::IsMouseClicked(4)) frame.navigation.forward(frame.session);
    if (!typing && !list && typed_question_mark()) frame.session.desktop_state.toggle(Overlay::help);
    if (!typing && !ring && !covered && step_by_shift(frame.session)) return;
    if (!typing && !covered && page_through_scenes(frame.session)) return;
    for (const Command& command : commands()) {
        if (typing && (is_typed(command.shortcut) || (completes && command.shortcut.key == Key::tab))) continue;
        if (covered && is_of_a_view(command.shortcut)) continue;
        if (ring && is_of_a_control(command.shortcut)) continue;
        if (lesson && is_of_a_lesson(command.shortcut, frame.session.lesson)) continue;
        if (command.has_key_in(frame.session.view) && was_pressed(command.shortcut, command.repeats))
            command.run(frame, history);
    }
}

}  // namespace convscope::app
