// The findings of the checks, and the arrays and lines that the kernel wrote.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "app/ui/input/item_registry.h"
#include "app/ui/kernel_view/kernel_view.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "app/user_kernel/generated_array.h"
#include "app/user_kernel/number_bytes.h"
#include "kernels/core/format_units.h"

namespace convscope::app {
namespace {

constexpr std::size_t shown_elements = 8;

constexpr float location_indent = 56;  ///< of a text that leads to a line, behind the line's number

float location_room() {
    return ImGui::GetContentRegionAvail().x - px(8) - px(location_indent);
}

float finding_line_height() {
    return std::round(look().fonts->small->FontSize + px(6));
}

std::string describe_thread(const ptx::ThreadLocation& location) {
    return fmt::format("block {} thread {}", ptx::thread_text(location.block), ptx::thread_text(location.thread));
}

/// The first elements of an array whose type NumPy has.
std::string beginning(const std::string& type, std::span<const std::byte> data) {
    const auto bytes = static_cast<std::size_t>(type[1] - '0');
    const std::size_t count = data.size() / bytes;
    std::string text;
    for (std::size_t i = 0; i < std::min(count, shown_elements); ++i)
        text += (i ? "  " : "") + number_text(type, data.data() + i * bytes);
    return text + (count > shown_elements ? "  ..." : "");
}

}  // namespace

void KernelView::dim_outdated(ImVec2 from, ImVec2 to) const {
    if (outdated()) draw_dimmed(from, to, *look().theme);
}

void KernelView::pages(Frame& frame, ImVec2 size) {
    ImGui::BeginChild("kernel pages", size);
    if (check_) {
        for (const SourceProblem& each : check_->problems) {
            if (each.line > 0 &&
                button(fmt::format("kernel/line {}", each.line).c_str(), fmt::format("line {}", each.line).c_str()))
                source_.scroll_to(each.line);
            problem(each.sentence);
        }
        if (program_) program_finding();
        if (check_->result && !call_finding_) {
            findings(frame.session.kernel);
            results();
            printed();
        }
        if (program_) program_output();
        const ImVec2 from = ImGui::GetWindowPos();
        dim_outdated(from, {from.x + size.x, ImGui::GetCursorScreenPos().y});
        // A real GPU may run instructions that the simulated one lacks, Hopper's for one.
        if (!check_->entries.empty() && !check_->is_program) gpu_section(frame);
    }
    const bool waits = check_ ? check_->prepared && check_->prepared->arguments.rejected() : job_.busy();
    if (waits) note("What is found, what it wrote and what each line costs stands here when it has run.");
    ImGui::EndChild();
}

void KernelView::findings(KernelChoice& choice) {
    const ptx::LaunchResult& result = *check_->result;
    heading("FINDINGS");
    if (result.reached) {
        if (location("kernel/reached", *result.reached, result.failure, false)) show_thread(choice, *result.reached);
    } else if (!result.failure.empty()) {
        problem(result.failure + ".");
    }
    if (check_->layer && !check_->layer->difference.empty()) problem(check_->layer->difference + ".");
    if (result.findings.empty() && result.failure.empty())
        note("Every access was inside its array and in order, and nothing was read that had not been written.");
    for (std::size_t i = 0; i < result.findings.size(); ++i) finding(choice, i);
    if (result.cut_short) note(fmt::format("It was ended after {} findings.", ptx::FindingList::max_times));
}

/// The findings stand in lines below the code, as many as half the height has room for.
float KernelView::finding_lines_height(float height) const {
    const float line = finding_line_height();
    const auto most = static_cast<std::size_t>(std::max(1.0F, height / 2 / line));
    return line * static_cast<float>(std::min(check_->result->findings.size(), most));
}

void KernelView::finding_lines(KernelChoice& choice, ImVec2 size) {
    ImGui::BeginChild("kernel pages", size, false, ImGuiWindowFlags_NoScrollbar);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const std::size_t all = check_->result->findings.size();
    const auto lines = static_cast<std::size_t>(std::round(size.y / finding_line_height()));
    const std::size_t shown = lines < all ? lines - 1 : all;
    // Else a line's place for the mouse reaches into its neighbours.
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, 0});
    for (std::size_t i = 0; i < shown; ++i) {
        ImGui::SetCursorScreenPos({start.x, start.y + static_cast<float>(i) * finding_line_height()});
        finding(choice, i, true);
    }
    ImGui::SetCursorScreenPos({start.x, start.y + static_cast<float>(shown) * finding_line_height()});
    if (shown < all) note(fmt::format("{} more", format_count(static_cast<std::int64_t>(all - shown))));
    ImGui::PopStyleVar();
    dim_outdated(start, {start.x + size.x, start.y + size.y});
    ImGui::EndChild();
}

/// In one line it is of a race the side that was found.
void KernelView::finding(KernelChoice& choice, std::size_t index, bool in_one_line) {
    const ptx::Finding& each = check_->result->findings[index];
    const bool chosen = index == chosen_;
    const std::string name = fmt::format("kernel/finding {}", index + 1);
    std::string text =
        fmt::format("{}{}{}", spaced(ptx::to_string(each.kind)), each.element.empty() ? "" : ": ", each.element);
    text += fmt::format("{}{} {}", in_one_line ? ", " : "\n", describe_thread(each.found), each.what);
    if (each.times > 1) text += fmt::format(" ({} times)", format_count(each.times));
    if (in_one_line) {
        WithFont font(look().fonts->small);
        text = shortened(text, location_room());
    }
    if (location(name, each.found, text, chosen)) {
        chosen_ = index;
        show_thread(choice, each.found);
    }
    if (in_one_line) return;
    if (each.other && location(name + " other", *each.other,
                               fmt::format("{} {}", describe_thread(*each.other), each.other_action), false)) {
        chosen_ = index;
        show_thread(choice, *each.other);
    }
}

/// At its line, the steps at its warp.
void KernelView::show_thread(KernelChoice& choice, const ptx::ThreadLocation& at) {
    const unsigned line = check_->line_of(at.at);
    source_.scroll_to(line);
    const Dim3& block = check_->prepared->arguments.block;
    const std::int64_t thread = at.thread.x + block.x * (at.thread.y + block.y * at.thread.z);
    const bool traced = choice.block == at.block && choice.warp == thread / 32;
    choice.block = at.block;
    choice.warp = thread / 32;
    choice.lane = static_cast<unsigned>(thread % 32);
    if (traced)
        go_to_line(choice, line);
    else
        line_to_show_ = line;
}

/// A text that leads to its line. True when it was clicked.
bool KernelView::location(const std::string& item_name, const ptx::ThreadLocation& at, const std::string& text,
                          bool chosen) {
    const Theme& theme = *look().theme;
    WithFont font(look().fonts->small);
    const float indent = px(location_indent), width = ImGui::GetContentRegionAvail().x - px(8);
    const std::string lines = in_lines(text, location_room());
    const float height = ImGui::CalcTextSize(lines.c_str()).y + px(6);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::PushID(item_name.c_str());
    const bool clicked = ImGui::Selectable("##finding", chosen, 0, {width, height});
    ImGui::PopID();
    register_item(item_name.c_str(), {ControlRole::list_item, text, {}, chosen});
    tip("Show the line, and the thread's warp there");
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const std::string line = ptx::source_location(check_->kernel().module, at.at);
    draw.AddText({start.x + px(4), start.y + px(3)}, theme.text_dim.u32(),
                 ("line" + line.substr(line.rfind(':')).replace(0, 1, " ")).c_str());
    draw.AddText({start.x + indent, start.y + px(3)}, theme.text.u32(), lines.c_str());
    return clicked;
}

void KernelView::results() {
    heading("RESULTS");
    if (check_->prepared->memory) recorded_arrays(*check_->prepared->memory);
    for (const ptx::ParameterText& parameter : check_->kernel().text.parameters) {
        const auto made = check_->prepared->arguments.arrays.find(parameter.name);
        if (!parameter.pointer || parameter.constant || check_->prepared->memory ||
            made == check_->prepared->arguments.arrays.end())
            continue;
        const NpyBytes& array = made->second.array;
        fact(parameter.name.c_str(), fmt::format("{} {}", convscope::to_string(array.shape), type_name(array.type)));
        WithFont font(look().fonts->mono_small);
        paragraph(beginning(array.type, array.data), look().theme->text.u32());
    }
    for (const ptx::UnwrittenElements& each : check_->result->unwritten) note(each.text() + ".");
    for (const auto* notes : {&check_->prepared->arguments.notes, &check_->result->notes})
        for (const std::string& each : *notes) note(each + ".");
    if (check_->layer)
        fact("error against the reference",
             fmt::format("{:.1e} of {:.1e}", check_->layer->error, check_->layer->tolerance),
             "The largest relative error, and how large it may be");
}

/// Each array before the launch, and after it.
void KernelView::recorded_arrays(const RecordedMemory& memory) {
    for (std::size_t i = 0; i < memory.lent.size(); ++i) {
        const RecordedLaunch::Array& before = memory.launch.memory[i];
        if (before.data.empty()) continue;
        const NpyBytes& array = memory.arrays[i];
        const auto [changed, first] = memory.changes[i];
        fact(before.name.c_str(), fmt::format("{} {}", convscope::to_string(array.shape), type_name(array.type)));
        WithFont font(look().fonts->mono_small);
        const std::size_t from = first * array.element_bytes();
        const std::string place = first > 0 ? fmt::format("[{}] ", first) : "";
        paragraph(place + (changed > 0 ? "before  " : "") + beginning(array.type, before.data.subspan(from)),
                  look().theme->text_dim.u32());
        if (changed == 0) continue;
        paragraph(place + "after   " + beginning(array.type, std::span(array.data).subspan(from)),
                  look().theme->text.u32());
        WithFont small(look().fonts->small);
        note(changed == 1 ? "1 element has changed." : fmt::format("{} elements have changed.", changed));
    }
}

void KernelView::printed() {
    const std::string& text = check_->result->printed;
    if (text.empty()) return;
    heading("PRINTED");
    WithFont font(look().fonts->mono_small);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

}  // namespace convscope::app
