// The column on the right: what the kernel is called with, and what the launch cost.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/session/sweep_axes.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/kernel_view/kernel_view.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "app/user_kernel/call_comment.h"
#include "app/user_kernel/gpu_run.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"

namespace convscope::app {
namespace {

const char* meaning_of(const ArgumentState& state) {
    if (state.name == program_words) return "What the program gets as its arguments; \"\" around what has blanks";
    if (state.name == "grid") return "How many blocks: X, Y, Z; expressions such as ceil(n/256)";
    if (state.name == "block") return "How many threads a block has: X, Y, Z";
    if (state.name == "cluster") return "How many blocks a cluster has: X, Y, Z";
    if (state.name == "shared") return "Bytes of dynamic shared memory of a block";
    if (!state.array) return "A value, or an expression of the other values";
    return "random(1000), iota(n), zeros(n), ones(n), sparse(n), out(32, 64) for what nobody has written yet, or a "
           ".npy "
           "file";
}

/// The value of an argument whose field is empty; empty where it has no default.
std::string default_of(const ArgumentState& state) {
    return state.origin == Origin::comment || state.origin == Origin::layer ? state.text
           : state.name == "shared"                                         ? "0"
                                                                            : state.otherwise;
}

std::string example_of(const ArgumentState& state) {
    if (state.name == program_words) return "none";
    if (state.name == "grid" || state.name == "block") return "e.g. 4, 4";
    if (state.type.ends_with(']')) return "e.g. 1, 2 or iota(2)";
    return !state.array ? "a value" : state.type.starts_with("const") ? "e.g. random(1000)" : "e.g. out(1000)";
}

}  // namespace

void KernelView::inspect(Frame& frame) {
    if (!check_ || !frame.session.kernel.is_open()) {
        heading("KERNEL");
        note(frame.session.kernel.is_open() ? "Its grid, block and arguments appear here once it compiles."
                                            : "None is open.");
        return;
    }
    if (check_->exercise) exercise(frame.session);
    if (check_->is_program) program_arguments(frame.session);
    if (!called() || (check_->is_program && !check_->prepared)) {
        if (check_->is_program) return;
        heading("KERNEL");
        note("Its grid, block and arguments appear here once it compiles.");
        return;
    }
    arguments(frame);
    // Nothing is known about a kernel whose arguments are not there yet.
    if (!ran_ || (check_->prepared && ran_ != check_)) return;
    const ImVec2 from = ImGui::GetCursorScreenPos();
    counts(ran_->result->counts);
    if (run_outdated())
        draw_dimmed(from, {from.x + ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y}, *look().theme);
}

void KernelView::exercise(Session& session) {
    const Exercise& of = *check_->exercise;
    heading("EXERCISE");
    paragraph(of.title, look().theme->text.u32());
    note(of.task);
    if (check_->result && check_->verdict.empty())
        paragraph("Solved.", look().theme->good.u32());
    else if (check_->result)
        problem(check_->result->findings.empty() ? "Not yet: " + check_->unsolved
                                                 : "Not yet: something is wrong with its accesses; see the findings.");
    note(fmt::format("Edit {} in an editor, and save it.", check_->call.file.filename().string()));
    if (button("kernel/copy path", "Copy its path")) ImGui::SetClipboardText(check_->call.file.c_str());
    tip(check_->call.file.string());
    for (std::size_t i = 0; i < std::min(hints_, of.hints.size()); ++i) note("Hint: " + of.hints[i]);
    if (hints_ < of.hints.size() && button("kernel/hint", hints_ == 0 ? "A hint" : "Another hint")) ++hints_;
    auto next = std::ranges::find(exercises_, of.id, &Exercise::id);
    if (next != exercises_.end() && ++next != exercises_.end()) {
        if (button("kernel/next exercise", "Next exercise", check_->result && check_->verdict.empty()))
            begin(session, *next);
        tip(next->title);
    }
    ImGui::Dummy({0, px(4)});
}

void KernelView::arguments(Frame& frame) {
    heading("CALLED WITH");
    const PreparedKernel& of = *called()->prepared;
    if (!check_->call.method.empty() || of.memory) {
        for (const ArgumentState& state : of.arguments.states)
            fact(state.name.c_str(), state.text, state.type.empty() ? "Of the launch" : state.type.c_str());
        return;
    }
    for (const ArgumentState& state : of.arguments.states) argument(frame.session.kernel, state);
    reasons(frame.session.kernel, of.arguments.states);
    if (!check_->prepared || of.arguments.rejected()) return;
    if (!frame.session.kernel.given.empty()) {
        if (button("kernel/write", "Write it into the file")) write_comment(frame);
        tip("As a comment before the kernel, '// convscope: grid = ...', which the command line reads, too");
    } else if (computes_layer(of)) {
        if (button("kernel/sweep", "Sweep it")) sweep_user_kernel(frame.session, frame.registry);
        tip("In the Sweep view, over the constants of the file: timed on a GPU, counted on the simulated one");
    }
}

void KernelView::argument(KernelChoice& choice, const ArgumentState& state) {
    const Theme& theme = *look().theme;
    const float start = ImGui::GetCursorPosX(), label = px(88);
    ImGui::AlignTextToFramePadding();
    {
        WithFont font(look().fonts->small);
        clipped_text(state.name.c_str(), label - px(6), theme.text_dim.u32());
    }
    if (!state.type.empty()) tip(fmt::format("{} {}", state.type, state.name));
    ImGui::SameLine();
    ImGui::SetCursorPosX(start + label);
    const auto given = choice.given.find(state.name);
    std::string& text = edited_[state.name];
    const std::string item_name = "kernel/argument " + state.name;
    ImGui::PushID(item_name.c_str());
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    {
        WithFont font(look().fonts->mono_small);
        const bool missing = is_missing(state), wrong = !missing && is_rejected(choice, state);
        if (missing || wrong) {
            ImGui::PushStyleColor(ImGuiCol_Border, (missing ? theme.warning : theme.bad).u32());
            ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0F, px(1)));
        }
        // A default has the colour of typed text; only an example is grey.
        const std::string holds = default_of(state);
        ImGui::PushStyleColor(ImGuiCol_TextDisabled, (holds.empty() ? theme.text_dim : theme.text).u32());
        ImGui::InputTextWithHint("##text", (holds.empty() ? example_of(state) : holds).c_str(), &text);
        ImGui::PopStyleColor();
        if (missing || wrong) {
            ImGui::PopStyleVar();
            ImGui::PopStyleColor();
        }
    }
    register_item(item_name.c_str(), {ControlRole::field, state.name, text.empty() ? default_of(state) : text});
    const bool edited = ImGui::IsItemDeactivatedAfterEdit(), active = ImGui::IsItemActive();
    ImGui::PopID();
    tip(meaning_of(state));
    if (edited && text.empty()) choice.given.erase(state.name);
    if (edited && !text.empty()) choice.given[state.name] = text;
    if (!active && !edited) text = given == choice.given.end() ? "" : given->second;
}

/// By what stands in its field now: the kernel may not have been checked with that yet.
bool KernelView::is_missing(const ArgumentState& state) const {
    const auto typed = edited_.find(state.name);
    return state.name != program_words && (typed == edited_.end() || typed->second.empty()) &&
           default_of(state).empty();
}

/// Whether the text in its field was rejected.
bool KernelView::is_rejected(const KernelChoice& choice, const ArgumentState& state) {
    const bool given = choice.given.contains(state.name);
    return !state.reason.empty() && given == (state.origin == Origin::given);
}

/// Below all of the fields, which therefore stay where they are, whatever is said of them.
void KernelView::reasons(const KernelChoice& choice, const std::vector<ArgumentState>& states) const {
    const Theme& theme = *look().theme;
    WithFont font(look().fonts->small);
    std::vector<std::string> missing;
    for (const ArgumentState& state : states)
        if (is_missing(state)) missing.push_back(state.name);
    if (!missing.empty())
        paragraph(fmt::format("{} {} missing", fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are"),
                  theme.warning.u32());
    for (const ArgumentState& state : states)
        if (!is_missing(state) && is_rejected(choice, state))
            paragraph(fmt::format("{}: {}", state.name, state.reason), theme.bad.u32());
}

void KernelView::write_comment(Frame& frame) {
    KernelChoice& choice = frame.session.kernel;
    try {
        // The file may have changed since it was checked.
        const std::string source = read_text_file(choice.file);
        if (source != check_->source) throw Error(ErrorKind::file, choice.file + " has changed meanwhile; try again");
        write_text_file(choice.file, with_call_comment(source, check_->kernel().text.line,
                                                       call_comment(check_->prepared->arguments)));
        choice.given.clear();
        notify(frame.session, "Written into " + choice.file);
    } catch (const Error& error) {
        notify(frame.session, error.what(), true);
    }
}

void KernelView::counts(const ptx::LaunchCounts& counts) {
    heading("COST OF THE LAUNCH");
    fact("warp instructions", format_count(counts.warp_instructions), "What the warps of all blocks issued");
    fact("active lanes", fmt::format("{:.1f} of 32", counts.active_lanes()), "On average; the rest waits for others");
    const auto requests = [](const char* name, const ptx::Traffic& traffic, bool shared, const char* meaning) {
        if (traffic.requests == 0) return;
        fact(name, fmt::format("{} req", format_count(traffic.requests)), meaning);
        fact(shared ? "   their wavefronts" : "   their sectors",
             format_count(shared ? traffic.wavefronts : traffic.sectors), meaning);
    };
    const char* of_global = "Requests of warps to global memory, and the 32-byte sectors that they move";
    const char* of_shared = "Requests of warps to shared memory, and the wavefronts over its banks that they take";
    requests("global loads", counts.global_loads, false, of_global);
    requests("global stores", counts.global_stores, false, of_global);
    requests("global atomics", counts.global_atomics, false, of_global);
    requests("shared loads", counts.shared_loads, true, of_shared);
    requests("shared stores", counts.shared_stores, true, of_shared);
    requests("shared atomics", counts.shared_atomics, true, of_shared);
    if (const std::int64_t all = counts.shared_loads.requests + counts.shared_stores.requests; all > 0)
        fact("bank conflicts", format_count(counts.shared_loads.bank_conflicts + counts.shared_stores.bank_conflicts),
             "Passes that would not be there if no lanes wanted different words of one bank");
    if (counts.multiplications > 0)
        fact("multiplications", format_count(counts.multiplications), "Of floats, by single threads");
    if (counts.zero_multiplications > 0)
        fact("of them by zero",
             format_percent(static_cast<double>(counts.zero_multiplications) /
                            static_cast<double>(counts.multiplications)),
             "Work that a sparse format would not do");
    heading("INSTRUCTIONS OF WARPS");
    for (unsigned kind = 0; kind < ptx::kinds; ++kind)
        if (counts.by_kind[kind] > 0) fact(to_string(static_cast<ptx::Kind>(kind)), format_count(counts.by_kind[kind]));
}

}  // namespace convscope::app
