#include "app/ui/kernel_view/kernel_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/program/built_program.h"
#include "app/ui/dialogs/kernel_question.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/lead_line.h"
#include "app/ui/widgets/split_edge.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/files/text_file.h"
#include "kernels/simt/kernel_sources.h"

namespace convscope::app {
namespace {

constexpr float min_step_panel = 160, min_verdict = 320;
constexpr float slide_step_panel = 104, slide_source_share = 0.6F;
constexpr float max_source_share = 0.75F;  ///< of the width, next to what is found
constexpr float ptx_share = 0.62F;         ///< of the height next to the source
constexpr const char* count_names[] = {"thread instructions", "warp instructions", "sectors", "wavefronts"};

std::int64_t count_of(const ptx::LineCounts& line, LineCount count) {
    switch (count) {
        case LineCount::lanes:
            return line.lanes;
        case LineCount::instructions:
            return line.issued;
        case LineCount::sectors:
            return line.global.sectors;
        case LineCount::wavefronts:
            return line.shared.wavefronts;
    }
    return 0;
}

bool is_of(const KernelChoice& choice, const KernelCall& call) {
    // A method's file is known when it has run.
    return call.method == choice.method && (!choice.method.empty() || call.file == choice.file);
}

}  // namespace

KernelView::KernelView(const std::function<void()>& wake)
    : job_([](const KernelCheckRequest& request, const std::shared_ptr<KernelCheckResult>& latest,
              const std::stop_token& stop) { return check_kernel(request, stop, latest.get()); },
           wake),
      gpu_job_([](const GpuRunRequest& request, const std::shared_ptr<GpuRunResult>&,
                  const std::stop_token& stop) { return check_on_gpu(request, stop); },
               wake),
      watch_(wake),
      assembler_(
          [](const ptx::AssemblyRequest& of, const std::shared_ptr<std::optional<ptx::AssembledKernel>>&,
             const std::stop_token& stop) {
              try {
                  return std::make_shared<std::optional<ptx::AssembledKernel>>(ptx::assemble(of, stop));
              } catch (const Error&) {  // its counts are left out then, and are not those of the kernel before
                  return std::make_shared<std::optional<ptx::AssembledKernel>>();
              }
          },
          wake) {
    try {
        exercises_ = all_exercises();
    } catch (const Error&) {  // the list stays empty; 'convscope lesson exercises' says why
    }
}

void KernelView::update(Session& session) {
    take_rows();
    if (requested_ && !is_of(session.kernel, requested_->call)) stop_all();
    if (session.view == "kernel") take_check(session);
}

/// Stops all work on a file that was closed, by whatever way.
void KernelView::stop_all() {
    if (job_.busy()) job_.cancel({});
    if (gpu_job_.busy()) gpu_job_.cancel({});
    if (assembler_.busy()) assembler_.cancel({});
    stopped_.clear();
    gpu_stopped_.clear();
    requested_.reset();
    given_up_.reset();
}

/// Asks for a check of what is chosen where that has changed, and shows the latest.
void KernelView::take_check(Session& session) {
    const KernelChoice& choice = session.kernel;
    watch_.follow(choice.file);
    session.exercise_solved = check_ && is_of(choice, check_->call) && check_->solved();
    if (session.exercise_solved && check_->exercise)
        session.desktop_state.preferences.solved.insert(check_->exercise->id);
    if (!choice.is_open()) return;
    if (!may_compile(session)) return show_unchecked(choice);
    KernelCheckRequest request;
    request.call.file = choice.file;
    request.call.method = choice.method;
    request.call.entry = choice.entry;
    request.call.given = choice.given;
    request.call.layer = session.good;
    if (choice.method.empty()) request.saved = FileWatch::saved(choice.file);
    request.run = session.kernel_runs;
    request.may_run = may_run_program(session);
    request.launch = choice.launch;
    request.traced.block = choice.block;
    request.traced.warp = static_cast<unsigned>(choice.warp);
    if (std::string error = job_.take_error(); !error.empty()) {
        stopped_ = std::move(error);
        given_up_ = requested_;
    }
    if (!given_up_ || !(*given_up_ == request)) {
        given_up_.reset();
        requested_ = request;
        job_.request(std::move(request));
    }
    const bool answered = !job_.busy();  // else 'latest' may be what was requested before
    std::shared_ptr<KernelCheckResult> latest = job_.latest();
    if (!latest || !is_of(choice, latest->call)) return show_unchecked(choice);
    if (latest != check_) show_check(choice, std::move(latest));
    if (answered && line_to_show_) go_to_line(session.kernel, *std::exchange(line_to_show_, {}));
}

void KernelView::show_check(const KernelChoice& choice, std::shared_ptr<KernelCheckResult> latest) {
    const bool other = !check_;
    check_ = std::move(latest);
    unchecked_.reset();
    stopped_.clear();
    no_sass_ = ptx::why_no_sass();
    source_.show(check_->source);
    lines_ = check_->lines();
    if (check_->result || check_->program) ran_ = check_->result ? check_ : nullptr;
    take_program(choice);
    steps_ = ran_ ? line_steps(*ran_) : std::vector<LineStep>{};
    instruction_.reset();
    if (other || !check_->result || chosen_ >= check_->result->findings.size()) chosen_ = 0;
    for (const SourceProblem& each : check_->problems)
        if (each.line > 0) {
            source_.scroll_to(each.line);
            break;
        }
    if (call_finding_)
        source_.scroll_to(line_at(program_->findings[*call_finding_].at));
    else if (check_->result && !check_->result->findings.empty())
        source_.scroll_to(check_->line_of(check_->result->findings[chosen_].found.at));
    else if (check_->result && check_->result->reached)
        source_.scroll_to(check_->line_of(check_->result->reached->at));
    else if (!choice.method.empty() && !steps_.empty())  // its kernel is one of many things in the file
        source_.scroll_to(steps_[std::min(choice.step, steps_.size() - 1)].line);
}

/// Its source is there to read until it has been compiled and run for the first time.
void KernelView::show_unchecked(const KernelChoice& choice) {
    const std::string named = choice.method.empty() ? choice.file : choice.method;
    if (unchecked_ && unchecked_->named == named) return;
    check_.reset();
    ran_.reset();
    program_.reset();
    call_finding_.reset();
    lines_.clear();
    steps_.clear();
    unchecked_ = {named, {}};
    try {
        unchecked_->source = choice.method.empty() ? read_text_file(choice.file, max_source_bytes)
                                                   : std::string(simt::source_of_method(choice.method));
    } catch (const Error&) {  // the check says why
    }
    unchecked_->program = choice.method.empty() && choice.entry.empty() && has_main(unchecked_->source);
    source_.show(unchecked_->source);
}

void KernelView::take_rows() {
    const auto timed = gpu_job_.latest();
    if (timed == kept_) return;
    kept_ = timed;
    if (timed) measured_.insert(measured_.end(), timed->records.begin(), timed->records.end());
}

void KernelView::draw(Frame& frame, const ViewStyle& style) {
    KernelChoice& choice = frame.session.kernel;
    if (!choice.is_open()) return empty(frame);
    // A session's step waits for its kernel to be compiled, and for one that compiles again.
    if (!steps_.empty()) choice.step = std::min(choice.step, steps_.size() - 1);
    const bool slide = shows_slide(frame.session);
    if (slide) {
        draw_lead(lead(frame));
    } else {
        bar(frame);
        ImGui::Dummy({0, px(4)});
    }
    if (!may_compile(frame.session) || asks_to_run(frame.session)) ask(frame.session);
    if (program_) launches(choice);
    const ImVec2 start = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    float &share = frame.session.appearance.kernel_source_width, &high = frame.session.appearance.kernel_source_height;
    const float edge = px(16), whole = room.x - edge;
    // A slide leaves the lanes what they need, and begins at what was found.
    if (!std::exchange(slide_, slide) && slide && check_ && check_->result && !check_->result->findings.empty())
        source_.scroll_to(check_->line_of(check_->result->findings[chosen_].found.at));
    const auto height_above = [&] {
        return steps_.empty() ? room.y
               : slide        ? std::max(1.0F, room.y - px(slide_step_panel))
                              : std::max(1.0F, std::round(std::min(room.y * high, room.y - px(min_step_panel))));
    };
    if (!steps_.empty() && !slide)
        split_share("kernel/step splitter", {start.x, start.y + height_above()}, {room.x, px(8)}, false, high, room.y);
    const float height = height_above(), below = room.y - height;
    const auto steps_below = [&] {
        if (below == 0) return;
        ImGui::SetCursorScreenPos({start.x, start.y + height + px(8)});
        step_panel(choice, {room.x, below - px(8)}, style);
    };
    // In front of an audience a finding takes a line, as wide as the slide, and the code has the rest.
    if (slide && check_ && check_->result && !check_->result->findings.empty() && !choice.ptx && !call_finding_) {
        const float lines = finding_lines_height(height);
        source(choice, {room.x, height - lines}, style);
        ImGui::SetCursorScreenPos({start.x, start.y + height - lines});
        finding_lines(choice, {room.x, lines});
        return steps_below();
    }
    // Until the edge is dragged, long lines have more.
    const bool automatic = share == Appearance().kernel_source_width;
    const bool answered = check_ && (check_->result || program_ || !check_->problems.empty());
    const float widest = slide && answered ? slide_source_share : max_source_share;
    float shown = automatic ? std::clamp(source_.width(style) / whole, std::min(share, widest), widest) : share;
    const float before = shown;
    split_share("kernel/splitter", {start.x + std::round(whole * shown), start.y}, {edge, height}, true, shown, whole);
    if (shown != before) share = shown;
    const float width = std::round(whole * shown);
    ImGui::SetCursorScreenPos(start);
    source(choice, {width, height}, style);
    ImVec2 right{start.x + width + edge, start.y};
    float left_over = height;
    if (choice.ptx && check_ && check_->prepared) {
        const float above = std::round(height * ptx_share);
        ImGui::SetCursorScreenPos(right);
        draw_ptx(frame, {whole - width, above}, style);
        right.y += above + px(8);
        left_over -= above + px(8);
    }
    ImGui::SetCursorScreenPos(right);
    pages(frame, {whole - width, left_over});
    steps_below();
}

void KernelView::bar(Frame& frame) {
    KernelChoice& choice = frame.session.kernel;
    if (button("kernel/open", "Open...")) ask_for_kernel(frame.session, frame.dialogs);
    tip("Choose another .cu file (Ctrl+Shift+O)");
    if (choice.method.empty()) {
        ImGui::SameLine(0, px(8));
        exercise_list(frame.session);
    }
    ImGui::SameLine(0, px(12));
    ImGui::AlignTextToFramePadding();
    CompiledMethods* const ours = choice.method.empty() ? nullptr : compiled_methods();
    if (ours) {
        method_list(frame, *ours, choice.method, px(96));
    } else {
        const std::string& named = choice.file.empty() ? choice.method : choice.file;
        ImGui::TextUnformatted(std::filesystem::path(named).filename().c_str());
        tip(named);
    }
    if (check_ && check_->entries.size() > 1) {
        ImGui::SameLine(0, px(12));
        const std::string shown = !check_->call.entry.empty() ? check_->call.entry
                                  : check_->is_program        ? whole_program
                                                              : "which kernel?";
        const int picked = app::choice("kernel/entry", shown, check_->entries, px(160));
        if (picked >= 0) {
            const std::string& name = check_->entries[static_cast<std::size_t>(picked)];
            choice.choose_entry(name == whole_program ? "" : name);
        }
        tip(ours                 ? "Its kernels, in the order in which they are launched"
            : check_->is_program ? "All of the program, or one of its kernels alone"
                                 : "The file has several kernels");
    }
    ImGui::SameLine(0, px(12));
    const std::vector<std::string> names(std::begin(count_names), std::end(count_names));
    const auto count = static_cast<std::size_t>(choice.count);
    const float width = px(ImGui::GetContentRegionAvail().x < px(600) ? 148 : 184);
    if (const int picked = app::choice("kernel/count", names[count], names, width); picked >= 0)
        choice.count = static_cast<LineCount>(picked);
    tip("The number next to each line: instructions of threads (each of a warp counts once for every active lane), "
        "instructions that warps issued, "
        "the 32-byte sectors of global memory that it moved, the wavefronts over the banks of shared memory");
    ImGui::SameLine(0, px(8));
    const bool sass = shows_sass(choice);
    if (segment("kernel/ptx", "PTX", choice.ptx && !sass)) {
        choice.ptx = !choice.ptx || sass;
        choice.sass = false;
    }
    tip("The PTX of each line, next to the source (P)");
    ImGui::SameLine(0, px(4));
    if (segment("kernel/sass", "SASS", choice.ptx && sass, no_sass_.empty())) {
        choice.ptx = !choice.ptx || !sass;
        choice.sass = choice.ptx;
    }
    tip(no_sass_.empty() ? "The GPU's own instructions (SASS), next to the source" : no_sass_);
    ImGui::SameLine(0, px(16));
    if (ImGui::GetContentRegionAvail().x < px(min_verdict)) ImGui::NewLine();
    state_line(choice);
}

bool KernelView::asks_to_run(const Session& session) const {
    return !may_run_program(session) && (check_ ? check_->is_program : unchecked_ && unchecked_->program);
}

/// A .cu file is a program, and a session may come from anybody.
void KernelView::ask(Session& session) const {
    if (asks_to_run(session)) {
        paragraph(
            "This file has a main(): it is compiled, and its code for the host runs with your rights, as any program "
            "that you start. Read it first where it is not yours.",
            look().theme->warning.u32());
        if (button("kernel/run program", "Run program", true)) trust_program(session);
        tip(session.kernel.file + ": its launches go to the simulated GPU; run now and whenever it is saved");
        ImGui::Dummy({0, px(4)});
        return;
    }
    paragraph(
        "A session has opened this file. It is not compiled before you say so: a compiler reads whatever the file "
        "includes. Read it first where it is not yours.",
        look().theme->warning.u32());
    if (button("kernel/trust", "Compile it", true)) trust_kernel(session);
    tip(session.kernel.file + ": compiled and run on the simulated GPU, now and whenever it is saved");
    ImGui::Dummy({0, px(4)});
}

/// In a few words how it stands; the rest of the bar is its, or where that is short a line of its own.
void KernelView::state_line(const KernelChoice& choice) {
    if (job_.busy()) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("%s, %.1f s", choice.method.empty() ? "compiling and running" : "running",
                            job_.busy_seconds());
        ImGui::SameLine(0, px(12));
        if (button("kernel/stop", "Stop")) job_.cancel("stopped; what is shown is of the run before");
        return;
    }
    const State said = state();
    if (said.text.empty()) return;
    ImGui::AlignTextToFramePadding();
    clipped_text(said.text.c_str(), ImGui::GetContentRegionAvail().x, said.colour.u32());
    register_rect("kernel/verdict");
    tip(said.text);
}

Lead KernelView::lead(const Frame& frame) const {
    const KernelChoice& choice = frame.session.kernel;
    const std::string name =
        choice.method.empty() ? std::filesystem::path(choice.file).filename().string() : choice.method;
    const std::string text = state().text;
    return {name + (name.empty() || text.empty() ? "" : ": "), "", text};
}

/// The state of the latest run; empty before the first.
KernelView::State KernelView::state() const {
    const Theme& theme = *look().theme;
    if (!stopped_.empty()) return {stopped_, theme.warning};
    if (!check_) return {};
    if (!check_->problems.empty()) {
        const bool lines =
            std::ranges::any_of(check_->problems, [](const SourceProblem& each) { return each.line > 0; });
        if (check_->entries.size() > 1 && check_->call.entry.empty())
            return {check_->problems.front().sentence, theme.warning};
        return {lines ? "does not compile" : check_->problems.front().sentence, theme.bad};
    }
    if (check_->program) return {check_->program->summary(), check_->verdict.empty() ? theme.good : theme.bad};
    if (check_->prepared && check_->prepared->arguments.rejected())
        return {"what is it called with? Fill in its fields", theme.warning};
    if (!check_->result) return {};
    if (!check_->verdict.empty()) return {"the kernel " + check_->verdict, theme.bad};
    const std::string layer =
        check_->layer ? fmt::format(", equal to the reference (error {:.1e})", check_->layer->error) : "";
    if (check_->solved()) return {"solved: right, and nothing found", theme.good};
    return {"nothing found" + layer, theme.good};
}

SourceMarks KernelView::marks(const KernelChoice& choice, const ViewStyle& style) const {
    SourceMarks marks;
    if (!check_) return marks;
    marks.outdated = outdated();
    const Theme& theme = *style.theme;
    marks.unit = count_names[static_cast<std::size_t>(choice.count)];
    for (const auto& [line, counts] : lines_)
        if (const std::int64_t count = count_of(counts, choice.count); count > 0) marks.counts[line] = count;
    for (const SourceProblem& each : check_->problems) {
        if (each.line == 0) continue;
        marks.bars[each.line] = theme.bad;
        marks.notes.emplace(each.line, each.sentence);
    }
    if (program_) {
        for (const ProgramFinding& each : program_->findings)
            if (each.launches.empty()) marks.bars.emplace(line_at(each.at), theme.bad);
        if (call_finding_)
            marks.notes.emplace(line_at(program_->findings[*call_finding_].at),
                                spaced(program_->findings[*call_finding_].kind));
    }
    if (check_->result && !check_->result->findings.empty()) {
        const auto& findings = check_->result->findings;
        for (const ptx::Finding& each : findings) marks.bars.emplace(check_->line_of(each.found.at), theme.bad);
        if (const auto& other = findings[chosen_].other) marks.bars[check_->line_of(other->at)] = theme.warning;
        marks.bars[check_->line_of(findings[chosen_].found.at)] = theme.bad;
    }
    if (check_->result && check_->result->reached) marks.bars[check_->line_of(check_->result->reached->at)] = theme.bad;
    marks.bars.erase(0);
    marks.notes.erase(0);
    if (choice.ptx && pointed_line() > 0) marks.linked = {pointed_line()};
    if (ran_ == check_ && choice.step > 0 && choice.step < steps_.size()) marks.current = steps_[choice.step].line;
    return marks;
}

void KernelView::source(KernelChoice& choice, ImVec2 size, const ViewStyle& style) {
    const SourceEvents events = source_.draw("kernel source", size, marks(choice, style), style);
    pointed_in_source_ = events.pointed;
    go_to_line(choice, events.clicked);
}

/// The next time that the warp comes to that line, from here or from the start.
void KernelView::go_to_line(KernelChoice& choice, unsigned line) {
    if (line == 0 || steps_.empty() || ran_ != check_) return;
    const auto runs_line = [line](const LineStep& step) { return step.line == line; };
    const auto here = steps_.begin() + static_cast<std::ptrdiff_t>(std::min(choice.step + 1, steps_.size()));
    auto found = std::find_if(here, steps_.end(), runs_line);
    if (found == steps_.end()) found = std::find_if(steps_.begin(), steps_.end(), runs_line);
    if (found != steps_.end()) choice.step = static_cast<std::size_t>(found - steps_.begin());
}

bool KernelView::uses_layer() const {
    if (requested_ && !requested_->call.method.empty()) return true;
    const KernelCheckResult* const of = called();
    return of && std::ranges::any_of(of->prepared->arguments.states,
                                     [](const ArgumentState& state) { return state.origin == Origin::layer; });
}

Explanation KernelView::explain(const Session&) const {
    return {
        "Kernel: a CUDA kernel of your own, checked whenever you save it",
        "The file is compiled with nvcc or clang and run on the simulated GPU, thread by thread; no GPU is needed. "
        "Beside each line stands how often it ran, or what it moved. Errors of the compiler stand at their line. "
        "Findings are on the right: a click leads to the line, of a race to either side. Arguments come from the "
        "fields on the right, from a comment '// convscope: grid = (...), n = 1000, a = random(n)' before the "
        "kernel, or, where it is a convolution, from the layer; then its result is compared with the reference. "
        "At the bottom one warp goes from line to line: Left and Right step, a click on a line goes there. The "
        "lanes that are active are filled; under them what each touched and computed. A file that has a main() is run "
        "as a whole program when it is dropped here or 'Run program' is pressed: its launches, and what is found in "
        "the "
        "calls around them, are listed in the order of time, and each launch can be looked at as a kernel. 'A method "
        "of "
        "convscope' opens one of ours that needs tensor cores in the same way. P shows the PTX that the "
        "compiler made, linked with the source line by line, and how often each instruction was issued; SASS, where a "
        "CUDA toolkit is there, what the GPU executes."};
}

std::string KernelView::status(const Frame& frame) const {
    if (!frame.session.kernel.is_open()) return "Ctrl+Shift+O opens a kernel";
    if (asks_to_run(frame.session)) return "Not run yet: 'Run program' does";
    if (!may_compile(frame.session)) return "Not compiled yet: a session has opened it";
    if (program_)
        return steps_.empty() ? "Space runs the program again" : "Left and Right step, Space runs the program again";
    return steps_.empty() ? "Space checks the kernel again" : "Left and Right step, Space checks the kernel again";
}

RunButton KernelView::run_button(const Frame& frame) const {
    if (!frame.session.kernel.is_open()) return {false, "No kernel is open; Ctrl+Shift+O opens one"};
    return job_.busy() ? RunButton{true, "Stop the kernel (Space)"}
                       : RunButton{false, "Check the kernel again (Space)"};
}

void KernelView::run_or_stop(Frame& frame) {
    if (!frame.session.kernel.is_open())
        notify(frame.session, "No kernel is open; Ctrl+Shift+O opens one", true);
    else if (job_.busy())
        job_.cancel("stopped; what is shown is of the run before");
    else if (asks_to_run(frame.session))
        notify(frame.session, "It is not run before you say so: 'Run program' in the Kernel view", true);
    else if (!may_compile(frame.session))
        notify(frame.session, untrusted_kernel(frame.session.kernel.file), true);
    else
        ++frame.session.kernel_runs;
}

}  // namespace convscope::app
