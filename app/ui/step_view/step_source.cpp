#include "app/ui/step_view/step_source.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/input/item_registry.h"
#include "app/ui/step_view/lane_table.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr float helper_height = 120;    ///< px at scale 1, at most 38 % of the pane
constexpr float min_with_helper = 200;  ///< px at scale 1: lower panes say in a line what the called function does

std::set<unsigned> lines_in(const std::set<CodeLine>& all, const std::string& file) {
    std::set<unsigned> lines;
    for (const CodeLine& each : all)
        if (each.file == file) lines.insert(each.line);
    return lines;
}

/// Sets a breakpoint where play can stop: at the line, or at the next one of the file with a step.
void toggle(Session& session, const TracedBlock& trace, CodeLine at) {
    std::set<CodeLine>& breakpoints = session.step.marks.breakpoints;
    if (breakpoints.erase(at) > 0) return;
    const std::set<unsigned> lines = trace.lines_of_steps(at.file);
    const auto stop = lines.lower_bound(at.line);
    if (stop == lines.end())
        return notify(session, fmt::format("The trace keeps no step of line {} or below it: no breakpoint.", at.line));
    at.line = *stop;
    if (breakpoints.erase(at) == 0) breakpoints.insert(at);
}

/// Where the kernel is: in its own file, also while a function that it calls runs.
CodePlace place_at(const TracedBlock& trace, std::size_t done) {
    if (done > 0) return trace.code(trace.replay().at(done - 1).source);
    return {simt::place_of_kernel(trace.launch().kernel).line, nullptr, 0};
}

CodeLine present_line(const TracedBlock& trace, std::size_t done) {
    const simt::KernelPlace head = simt::place_of_kernel(trace.launch().kernel);
    if (!head.source) return {};
    return {head.source->path, place_at(trace, std::min(done, trace.size())).kernel_line};
}

void run_or_say(Session& session, std::size_t side, const TracedBlock& trace, const CodeLine& at) {
    session.plays_steps = false;
    if (!run_to(session.step.sides[side], trace, at))
        notify(session, fmt::format("No step of this block comes to line {} of {}.", at.line, at.file));
}

WarpPosition position_of(const SourcePosition& shown) {
    const TracedBlock& trace = shown.kernel.trace;
    const std::size_t done = shown.point.done;
    return {done, done > 0 ? trace.replay().at(done - 1).warp : shown.point.thread / simt::warp_size};
}

}  // namespace

bool run_to(StepSide& side, const TracedBlock& trace, const CodeLine& at) {
    const std::vector<std::size_t> arrivals = trace.arrivals(at.file, at.line);
    if (arrivals.empty()) return false;
    const auto next = std::ranges::upper_bound(arrivals, side.done);
    side.done = next == arrivals.end() ? arrivals.front() : *next;
    return true;
}

const std::vector<std::size_t>& StepSource::stops(const std::set<CodeLine>& breakpoints, const TracedKernel& kernel) {
    if (stops_of_ == kernel.number && stops_for_ == breakpoints) return stops_;
    stops_of_ = kernel.number;
    stops_for_ = breakpoints;
    std::set<std::size_t> all;
    for (const CodeLine& each : breakpoints)
        for (const std::size_t done : kernel.trace.arrivals(each.file, each.line)) all.insert(done);
    stops_.assign(all.begin(), all.end());
    return stops_;
}

void StepSource::draw(Session& session, const SourcePosition& shown, ImVec2 at, ImVec2 size, const ViewStyle& style) {
    TracedBlock& trace = shown.kernel.trace;
    const simt::KernelPlace head = simt::place_of_kernel(trace.launch().kernel);
    if (!head.source) return;
    const std::size_t done = shown.point.done;
    const CodePlace place = place_at(trace, done);
    SourceMarks marks = this->marks(session, shown, *head.source);
    (place.helper || done == 0 ? marks.caller : marks.current) = place.kernel_line;
    marks.counts = trace.line_counts(done);
    const auto line_of = [&](const simt::Side& side) { return find_code(trace.launch().kernel, side.at).kernel_line; };
    if (trace.stopped_at(done)) {
        marks.caller = 0;
        marks.current = line_of(trace.finding()->found());
    }
    if (const auto& finding = trace.finding()) {
        if (finding->other()) marks.bars[line_of(*finding->other())] = style.theme->warning;
        marks.bars[line_of(finding->found())] = style.theme->bad;
    }
    const bool has_room = size.y >= px(min_with_helper);
    // An audience has that room for the kernel's own lines.
    const bool calls = trace.calls_helpers() && !style.presented;
    const float line_height = px(20);
    const float below = !calls ? 0 : has_room ? std::round(std::min(px(helper_height), size.y * 0.38F)) : line_height;
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID("kernel");
    draw_pane(session, shown, *head.source, source_, std::move(marks), {size.x, size.y - below}, style);
    ImGui::PopID();
    const ImVec2 lower{at.x, at.y + size.y - below};
    if (calls && has_room) {
        draw_helper(session, shown, place, lower, {size.x, below}, style);
    } else if (calls && place.helper) {
        // The kernel's own source stays; of the called function there is the line.
        const std::vector<std::string_view> lines = lines_of(place.helper->text);
        const std::string_view text = place.helper_line <= lines.size() ? lines[place.helper_line - 1] : "";
        const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
        const WithFont font(look().fonts->mono_small);
        ImGui::SetCursorScreenPos({lower.x, lower.y + px(2)});
        clipped_text(fmt::format("called: {}: {}", place.helper_line, text.substr(first)).c_str(), size.x,
                     look().theme->text_dim.u32());
        tip(fmt::format("{}, line {}", place.helper->path, place.helper_line));
    }
    menu(session, shown);
}

void StepSource::take_request(Session& session, std::size_t side, const TracedKernel& kernel) {
    if (!session.requested.line || session.line.side != side) return;
    const LineMove move = *std::exchange(session.requested.line, std::nullopt);
    const CodeLine at = session.line.at.value_or(present_line(kernel.trace, session.step.sides[side].done));
    if (at.line == 0) return;
    switch (move) {
        case LineMove::run_to:
            return run_or_say(session, side, kernel.trace, at);
        case LineMove::toggle_breakpoint:
            return toggle(session, kernel.trace, at);
        case LineMove::up:
        case LineMove::down:
            break;
    }
    SourceView& view = shown_helper_ && at.file == shown_helper_->path ? helper_ : source_;
    const unsigned line = std::clamp(move == LineMove::up ? at.line - 1 : at.line + 1, 1U, std::max(1U, view.lines()));
    session.line = {side, CodeLine{at.file, line}};
    view.scroll_to(line);
}

SourceMarks StepSource::marks(const Session& session, const SourcePosition& shown,
                              const simt::KernelSource& file) const {
    SourceMarks marks;
    marks.unit = "lanes";
    marks.meaning =
        "How often a lane has run the line so far: an instruction of a warp counts once for each active lane";
    marks.title = file.path;
    if (session.line.at && session.line.side == shown.side && session.line.at->file == file.path)
        marks.chosen = session.line.at->line;
    return marks;
}

/// The function that the kernel calls: lit while it runs.
void StepSource::draw_helper(Session& session, const SourcePosition& shown, const CodePlace& place, ImVec2 at,
                             ImVec2 size, const ViewStyle& style) {
    const TracedBlock& trace = shown.kernel.trace;
    const CodePlace first = trace.first_helper();
    const bool other_trace = shown_helper_ && trace.helper_counts(shown_helper_, trace.size()).empty();
    const simt::KernelSource* file = place.helper                    ? place.helper
                                     : shown_helper_ && !other_trace ? shown_helper_
                                                                     : first.helper;
    SourceMarks marks = this->marks(session, shown, *file);
    marks.title = fmt::format("called: {}", file->path);
    marks.current = place.helper_line;
    marks.counts = trace.helper_counts(file, shown.point.done);
    ImGui::GetWindowDrawList()->AddLine(at, {at.x + size.x, at.y}, style.theme->hairline.u32());
    if (shown_helper_ != file && !place.helper) helper_.scroll_to(first.helper_line);
    shown_helper_ = file;
    ImGui::SetCursorScreenPos({at.x, at.y + px(2)});
    ImGui::PushID("helper");
    draw_pane(session, shown, *file, helper_, std::move(marks), {size.x, size.y - px(2)}, style);
    ImGui::PopID();
}

void StepSource::draw_pane(Session& session, const SourcePosition& shown, const simt::KernelSource& file,
                           SourceView& view, SourceMarks marks, ImVec2 size, const ViewStyle& style) {
    const std::set<unsigned> breakpoints = lines_in(session.step.marks.breakpoints, file.path);
    marks.breakpoints = &breakpoints;
    marks.stops = shown.kernel.trace.lines_of_steps(file.path);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    view.show(file.text);
    const SourceEvents events = view.draw("source", size, marks, style);
    register_lines(view, name_ + (&view == &helper_ ? "/called" : ""), at, size, style);
    if (events.toggled > 0) toggle(session, shown.kernel.trace, {file.path, events.toggled});
    if (events.clicked > 0) session.line = {shown.side, CodeLine{file.path, events.clicked}};
    if (events.menu > 0) {
        of_menu_ = {file.path, events.menu};
        session.line = {shown.side, of_menu_};
        name_of_menu_ = std::string(events.name);
        opens_menu_ = true;
        return;
    }
    if (events.name.empty() || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
    const std::string name(events.name);
    const LaneValues values =
        shown.kernel.known.of_name(shown.kernel.trace, file, events.named, name, position_of(shown));
    if (values.empty()) return;
    lane_tooltip(values, events.name_min, events.name_max, shown.point.thread);
    if (ItemRegistry::active) ItemRegistry::active->add(name_ + "/values " + name, events.name_min, events.name_max);
}

/// So that a line in sight can be pointed at: its text as "step/line 40", its gutter as "step/gutter 40".
void StepSource::register_lines(const SourceView& view, const std::string& prefix, ImVec2 at, ImVec2 size,
                                const ViewStyle& style) const {
    if (!ItemRegistry::active) return;
    const float row = view.row_height();
    for (unsigned line = 1; line <= view.lines(); ++line) {
        const ImVec2 text = view.place_of(line);
        if (text.y < at.y + row || text.y + row > at.y + size.y) continue;
        ItemRegistry::active->add(fmt::format("{}/line {}", prefix, line), text, {at.x + size.x, text.y + row});
        ItemRegistry::active->add(fmt::format("{}/gutter {}", prefix, line), {at.x, text.y},
                                  {at.x + SourceView::gutter(style), text.y + row});
    }
}

void StepSource::menu(Session& session, const SourcePosition& shown) {
    if (std::exchange(opens_menu_, false)) ImGui::OpenPopup("line menu");
    if (!ImGui::BeginPopup("line menu")) return;
    StepChoice& choice = session.step;
    auto& breakpoints = choice.marks.breakpoints;
    const auto item = [&](const char* item_name, const std::string& label, const char* keys, bool enabled = true) {
        const bool picked = ImGui::MenuItem(label.c_str(), keys, false, enabled);
        register_item((name_ + "/" + item_name).c_str(), {ControlRole::menu_item, label});
        return picked;
    };
    const bool comes = !shown.kernel.trace.arrivals(of_menu_.file, of_menu_.line).empty();
    if (item("run to", fmt::format("Run to line {}", of_menu_.line), "R", comes))
        run_or_say(session, shown.side, shown.kernel.trace, of_menu_);
    const bool set = breakpoints.contains(of_menu_);
    if (item("breakpoint", set ? "Remove the breakpoint" : "Set a breakpoint", "B"))
        toggle(session, shown.kernel.trace, of_menu_);
    if (item("no breakpoints", "Remove all breakpoints", nullptr, !breakpoints.empty())) breakpoints.clear();
    auto& watches = choice.marks.watches;
    const bool can_watch = !name_of_menu_.empty() && watches.size() < max_watches &&
                           std::ranges::find(watches, name_of_menu_) == watches.end();
    if (can_watch && item("watch it", fmt::format("Watch {}", name_of_menu_), nullptr))
        watches.push_back(name_of_menu_);
    ImGui::EndPopup();
}

}  // namespace convscope::app
