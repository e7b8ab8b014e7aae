#include "app/ui/kernel_view/kernel_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/dialogs/kernel_question.h"
#include "app/ui/widgets/split_edge.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"

namespace convscope::app {
namespace {

constexpr float step_panel_height = 214;
constexpr float ptx_share = 0.62F;  ///< of the height beside the source
constexpr const char* count_names[] = {"thread instructions", "warp instructions", "sectors", "wavefronts"};

std::int64_t count_of(const ptx::LineFigures& line, LineCount count) {
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

}  // namespace

KernelView::KernelView(const std::function<void()>& wake)
    : job_([](const LookRequest& request, const std::shared_ptr<KernelLook>&,
              const std::stop_token& stop) { return look_at_kernel(request, stop); },
           wake),
      gpu_job_([](const GpuLookRequest& request, const std::shared_ptr<GpuLook>&,
                  const std::stop_token& stop) { return look_on_gpu(request, stop); },
               wake),
      watch_(wake),
      assembler_(
          [](const ptx::AssemblyRequest& of, const std::shared_ptr<std::optional<ptx::AssembledKernel>>&,
             const std::stop_token& stop) {
              try {
                  return std::make_shared<std::optional<ptx::AssembledKernel>>(ptx::assemble(of, stop));
              } catch (const Error&) {  // its figures are left out then, and are not those of the kernel before
                  return std::make_shared<std::optional<ptx::AssembledKernel>>();
              }
          },
          wake) {
    try {
        exercises_ = all_exercises();
    } catch (const Error&) {  // the list stays empty; 'convscope lesson exercises' says why
    }
}

void KernelView::follow(Session& session) {
    const KernelChoice& choice = session.kernel;
    watch_.follow(choice.file);
    session.exercise_solved = look_ && look_->call.file == choice.file && look_->solved();
    if (choice.file.empty()) return;
    LookRequest request;
    request.call.file = choice.file;
    request.call.entry = choice.entry;
    request.call.given = choice.given;
    request.call.layer = session.good;
    request.saved = FileWatch::saved(choice.file);
    request.run = choice.runs;
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
    std::shared_ptr<KernelLook> latest = job_.latest();
    if (latest == look_) return;
    const bool other = !look_ || !latest || look_->call.file != latest->call.file;
    look_ = std::move(latest);
    stopped_.clear();
    no_sass_ = ptx::why_no_sass();
    source_.show(look_->source);
    lines_ = look_->lines();
    steps_ = line_steps(*look_);
    instruction_ = 0;
    if (other || !look_->result || chosen_ >= look_->result->findings.size()) chosen_ = 0;
    for (const SourceProblem& each : look_->problems)
        if (each.line > 0) {
            source_.scroll_to(each.line);
            break;
        }
    if (look_->result && !look_->result->findings.empty())
        source_.scroll_to(look_->line_of(look_->result->findings[chosen_].found.at));
}

void KernelView::take_rows() {
    const auto timed = gpu_job_.latest();
    if (timed == kept_) return;
    kept_ = timed;
    if (timed) measured_.insert(measured_.end(), timed->records.begin(), timed->records.end());
}

void KernelView::draw(Frame& frame, const ViewStyle& style) {
    KernelChoice& choice = frame.session.kernel;
    follow(frame.session);
    if (choice.file.empty()) return empty(frame);
    // A session's step waits for its kernel to be compiled, and for one that compiles again.
    if (!steps_.empty()) choice.step = std::min(choice.step, steps_.size() - 1);
    bar(frame);
    ImGui::Dummy({0, px(4)});
    const ImVec2 start = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float below = steps_.empty() ? 0 : px(step_panel_height);
    const float height = room.y - below, edge = px(16), whole = room.x - edge;
    float& share = frame.session.appearance.kernel_source_width;
    split_share("kernel/splitter", {start.x + std::round(whole * share), start.y}, {edge, height}, true, share, whole);
    const float width = std::round(whole * share);
    ImGui::SetCursorScreenPos(start);
    source(choice, {width, height}, style);
    ImVec2 right{start.x + width + edge, start.y};
    float left_over = height;
    if (choice.ptx && look_ && look_->prepared) {
        const float above = std::round(height * ptx_share);
        ImGui::SetCursorScreenPos(right);
        draw_ptx(frame, {whole - width, above}, style);
        right.y += above + px(8);
        left_over -= above + px(8);
    }
    ImGui::SetCursorScreenPos(right);
    pages(frame, {whole - width, left_over});
    if (below == 0) return;
    ImGui::SetCursorScreenPos({start.x, start.y + height + px(8)});
    step_panel(choice, {room.x, below - px(8)}, style);
}

void KernelView::empty(Frame& frame) {
    ImGui::Dummy({0, px(24)});
    heading("A KERNEL OF YOUR OWN");
    paragraph(
        "Open a .cu file, or drop one on the window. It is compiled and run on the simulated GPU, every access "
        "checked, whenever you save it. No GPU is needed; clang or nvcc must be there.",
        look().theme->text.u32());
    ImGui::Dummy({0, px(8)});
    if (button("kernel/open", "Open a kernel...", true)) ask_for_kernel(frame.session, frame.dialogs);
    tip("Choose a .cu file (Ctrl+Shift+O)");
    ImGui::Dummy({0, px(8)});
    heading("EXERCISES");
    note("Kernels with a part left out. Choose one: the file is yours to edit, and is checked whenever you save it.");
    ImGui::Dummy({0, px(4)});
    ImGui::BeginChild("exercises", {0, 0}, false, 0);
    if (ImGui::IsWindowAppearing()) cards_ = exercise_cards();
    if (const auto picked = gallery(cards_, false)) begin(frame.session, exercises_[*picked]);
    ImGui::EndChild();
}

std::vector<GalleryCard> KernelView::exercise_cards() const {
    std::vector<GalleryCard> cards;
    for (const Exercise& each : exercises_) {
        const auto number = [digits = each.id.substr(0, 2)](ImDrawList& draw, ImVec2 from, ImVec2 to) {
            const ImVec2 middle{(from.x + to.x) / 2, (from.y + to.y) / 2}, half = ImGui::CalcTextSize(digits.c_str());
            draw.AddText({middle.x - half.x / 2, middle.y - half.y / 2}, look().theme->text_dim.u32(), digits.c_str());
        };
        cards.push_back(
            {"kernel/exercise/" + each.title, "", each.title, each.task, is_begun(each) ? "begun" : "", false, number});
    }
    return cards;
}

std::vector<Offer> KernelView::offers(const Frame&) {
    std::vector<Offer> all;
    for (const Exercise& each : exercises_)
        all.push_back({"Exercise", each.title, each.task, "", [this, &each](Frame& frame) {
                           begin(frame.session, each);
                           frame.session.view = "kernel";
                       }});
    return all;
}

void KernelView::exercise_list(Session& session) {
    std::vector<std::string> titles;
    for (const Exercise& each : exercises_) titles.push_back(each.title);
    const int picked = app::choice("kernel/exercise", "Exercises", titles, px(112));
    tip("Kernels with a part left out, to fill in");
    if (picked >= 0) begin(session, exercises_[static_cast<std::size_t>(picked)]);
}

/// A file that was begun before is opened as it is.
void KernelView::begin(Session& session, const Exercise& exercise) {
    try {
        const std::filesystem::path file = own_exercise(exercise.id);
        session.kernel.open(file.string());
        hints_ = 0;
        notify(session, "Edit it in your editor: " + file.string());
    } catch (const Error& error) {
        notify(session, error.what(), true);
    }
}

void KernelView::bar(Frame& frame) {
    KernelChoice& choice = frame.session.kernel;
    if (button("kernel/open", "Open...")) ask_for_kernel(frame.session, frame.dialogs);
    tip("Choose another .cu file (Ctrl+Shift+O)");
    ImGui::SameLine(0, px(8));
    exercise_list(frame.session);
    ImGui::SameLine(0, px(12));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(std::filesystem::path(choice.file).filename().c_str());
    tip(choice.file);
    if (look_ && look_->entries.size() > 1) {
        ImGui::SameLine(0, px(12));
        const std::string shown = choice.entry.empty() ? "which kernel?" : choice.entry;
        const int picked = app::choice("kernel/entry", shown, look_->entries, px(160));
        if (picked >= 0) {
            choice.entry = look_->entries[static_cast<std::size_t>(picked)];
            choice.given.clear();
        }
        tip("The file has several kernels");
    }
    ImGui::SameLine(0, px(12));
    const std::vector<std::string> names(std::begin(count_names), std::end(count_names));
    const auto count = static_cast<std::size_t>(choice.count);
    if (const int picked = app::choice("kernel/count", names[count], names, px(148)); picked >= 0)
        choice.count = static_cast<LineCount>(picked);
    tip("What is counted beside each line: instructions of threads (each of a warp counts once for every active lane), "
        "instructions that warps issued, "
        "the 32-byte sectors of global memory that it moved, the passes over the banks of shared memory");
    ImGui::SameLine(0, px(8));
    const bool sass = shows_sass(choice);
    if (button("kernel/ptx", "PTX", choice.ptx && !sass)) {
        choice.ptx = !choice.ptx || sass;
        choice.sass = false;
    }
    tip("What the compiler made of each line, beside the source (P)");
    ImGui::SameLine(0, px(4));
    if (button("kernel/sass", "SASS", choice.ptx && sass, no_sass_.empty())) {
        choice.ptx = !choice.ptx || !sass;
        choice.sass = choice.ptx;
    }
    tip(no_sass_.empty() ? "What the GPU executes, beside the source" : no_sass_);
    ImGui::SameLine(0, px(16));
    state_line(choice);
}

/// In a few words how it stands; the rest of the bar is its.
void KernelView::state_line(const KernelChoice& choice) {
    const Theme& theme = *look().theme;
    const auto say = [](const std::string& text, const Rgba& colour) {
        ImGui::AlignTextToFramePadding();
        clipped_text(text.c_str(), ImGui::GetContentRegionAvail().x, colour.u32());
        tip(text);
    };
    if (job_.busy()) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("compiling and running, %.1f s", job_.busy_seconds());
        ImGui::SameLine(0, px(12));
        if (button("kernel/stop", "Stop")) job_.cancel("stopped; what is shown is of the run before");
        return;
    }
    if (!stopped_.empty()) return say(stopped_, theme.warning);
    if (!look_) return;
    if (!look_->problems.empty()) {
        const bool lines = look_->problems.front().line > 0;
        if (look_->entries.size() > 1 && choice.entry.empty())
            return say(look_->problems.front().sentence, theme.warning);
        return say(lines ? "does not compile" : look_->problems.front().sentence, theme.bad);
    }
    if (look_->prepared && look_->prepared->arguments.rejected())
        return say("what is it called with? Fill in the fields on the right", theme.warning);
    if (!look_->result) return;
    const ptx::LaunchResult& result = *look_->result;
    if (!look_->verdict.empty()) return say(look_->verdict, theme.bad);
    const std::string layer =
        look_->layer ? fmt::format(", equal to the reference (error {:.1e})", look_->layer->error) : "";
    if (look_->solved()) return say("solved: right, and nothing found", theme.good);
    say(fmt::format("nothing found{}; {:.2f} s on the simulated GPU", layer, result.seconds), theme.good);
}

SourceMarks KernelView::marks(const KernelChoice& choice, const ViewStyle& style) const {
    SourceMarks marks;
    const Theme& theme = *style.theme;
    marks.unit = count_names[static_cast<std::size_t>(choice.count)];
    for (const auto& [line, figures] : lines_)
        if (const std::int64_t count = count_of(figures, choice.count); count > 0) marks.counts[line] = count;
    for (const SourceProblem& each : look_->problems) {
        if (each.line == 0) continue;
        marks.bars[each.line] = theme.bad;
        marks.notes.emplace(each.line, each.sentence);
    }
    if (look_->result && !look_->result->findings.empty()) {
        const auto& findings = look_->result->findings;
        for (const ptx::Finding& each : findings) marks.bars.emplace(look_->line_of(each.found.at), theme.bad);
        if (const auto& other = findings[chosen_].other) marks.bars[look_->line_of(other->at)] = theme.warning;
        marks.bars[look_->line_of(findings[chosen_].found.at)] = theme.bad;
    }
    marks.bars.erase(0);
    if (choice.ptx && pointed_line() > 0) marks.linked = {pointed_line()};
    if (choice.step > 0 && choice.step < steps_.size()) marks.current = steps_[choice.step].line;
    return marks;
}

void KernelView::source(KernelChoice& choice, ImVec2 size, const ViewStyle& style) {
    if (!look_) return;
    const SourceEvents events = source_.draw("kernel source", size, marks(choice, style), style);
    pointed_in_source_ = events.pointed;
    go_to_line(choice, events.clicked);
}

/// The next time that the warp comes to that line, from here or from the start.
void KernelView::go_to_line(KernelChoice& choice, unsigned line) {
    if (line == 0 || steps_.empty()) return;
    const auto runs_line = [line](const LineStep& step) { return step.line == line; };
    const auto here = steps_.begin() + static_cast<std::ptrdiff_t>(std::min(choice.step + 1, steps_.size()));
    auto found = std::find_if(here, steps_.end(), runs_line);
    if (found == steps_.end()) found = std::find_if(steps_.begin(), steps_.end(), runs_line);
    if (found != steps_.end()) choice.step = static_cast<std::size_t>(found - steps_.begin());
}

bool KernelView::uses_layer() const {
    return look_ && look_->prepared &&
           std::ranges::any_of(look_->prepared->arguments.states,
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
        "lanes that are active are filled; under them what each touched and computed. P shows the PTX that the "
        "compiler made, linked with the source line by line, and how often each instruction was issued; SASS, where a "
        "CUDA toolkit is there, what the GPU executes."};
}

std::string KernelView::status(const Frame& frame) const {
    if (frame.session.kernel.file.empty()) return "Ctrl+Shift+O opens a kernel";
    return steps_.empty() ? "Space checks the kernel again" : "Left and Right step, Space checks the kernel again";
}

RunButton KernelView::run_button(const Frame&) const {
    return job_.busy() ? RunButton{true, "Stop the kernel (Space)"}
                       : RunButton{false, "Check the kernel again (Space)"};
}

void KernelView::run_or_stop(Frame& frame) {
    if (job_.busy())
        job_.cancel("stopped; what is shown is of the run before");
    else
        ++frame.session.kernel.runs;
}

}  // namespace convscope::app
