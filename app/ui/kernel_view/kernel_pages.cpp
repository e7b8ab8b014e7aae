// What the checks found, what the kernel wrote and what it printed.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "app/own_kernel/generated_array.h"
#include "app/ui/input/item_log.h"
#include "app/ui/kernel_view/kernel_view.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/ptx/half.h"

namespace convscope::app {
namespace {

constexpr std::size_t shown_elements = 8;

const char* describe_kind(ptx::FindingKind kind) {
    constexpr const char* words[] = {"out of bounds",     "misaligned", "uninitialised", "race",
                                     "divergent barrier", "endless",    "assertion"};
    return words[static_cast<std::size_t>(kind)];
}

std::string describe_thread(const ptx::Side& side) {
    return fmt::format("block {} thread {}", ptx::thread_text(side.block), ptx::thread_text(side.thread));
}

std::string describe_element(const NpyBytes& array, std::size_t i) {
    const std::byte* at = array.data.data() + i * array.element_bytes();
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, array.element_bytes());
    const std::string& type = array.type;
    const auto real = [](double value) { return std::isnan(value) ? "nan" : fmt::format("{:.4g}", value); };
    if (type == "f4") return real(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (type == "f8") return real(std::bit_cast<double>(bits));
    if (type == "f2") return real(ptx::float_of_f16(static_cast<std::uint16_t>(bits)));
    const unsigned drop = 64 - 8 * static_cast<unsigned>(array.element_bytes());
    return type[0] == 'i' ? std::to_string(static_cast<std::int64_t>(bits << drop) >> drop) : std::to_string(bits);
}

std::string beginning(const NpyBytes& array) {
    const std::size_t count = array.element_bytes() ? array.data.size() / array.element_bytes() : 0;
    std::string text;
    for (std::size_t i = 0; i < std::min(count, shown_elements); ++i)
        text += (i ? "  " : "") + describe_element(array, i);
    return text + (count > shown_elements ? "  ..." : "");
}

}  // namespace

void KernelView::pages(Frame& frame, ImVec2 size) {
    ImGui::BeginChild("kernel pages", size);
    if (look_) {
        for (const SourceProblem& each : look_->problems) {
            if (each.line > 0 &&
                button(fmt::format("kernel/line {}", each.line).c_str(), fmt::format("line {}", each.line).c_str()))
                source_.scroll_to(each.line);
            problem(each.sentence);
        }
        if (look_->result) {
            findings();
            results();
            printed();
        }
        // What the simulated GPU has not, Hopper's instructions for one, the real one may have.
        if (!look_->entries.empty()) gpu_section(frame);
    }
    ImGui::EndChild();
}

void KernelView::findings() {
    const ptx::LaunchResult& result = *look_->result;
    heading("FINDINGS");
    if (!result.failure.empty()) problem(result.failure + ".");
    if (look_->layer && !look_->layer->difference.empty()) problem(look_->layer->difference + ".");
    if (result.findings.empty() && result.failure.empty())
        note("Every access was inside its array, in order, and of what somebody had written.");
    for (std::size_t i = 0; i < result.findings.size(); ++i) finding(i);
    if (result.cut_short) note(fmt::format("It was ended after {} findings.", ptx::FindingList::max_times));
}

void KernelView::finding(std::size_t index) {
    const ptx::Finding& each = look_->result->findings[index];
    const bool chosen = index == chosen_;
    const std::string name = fmt::format("kernel/finding {}", index + 1);
    std::string text = fmt::format("{}{}{}", describe_kind(each.kind), each.element.empty() ? "" : ": ", each.element);
    text += fmt::format("\n{} {}", describe_thread(each.found), each.what);
    if (each.times > 1) text += fmt::format(" ({} times)", format_count(each.times));
    if (side(name, each.found, text, chosen)) {
        chosen_ = index;
        source_.scroll_to(look_->line_of(each.found.at));
    }
    if (each.other && side(name + " other", *each.other,
                           fmt::format("{} {}", describe_thread(*each.other), each.other_does), false)) {
        chosen_ = index;
        source_.scroll_to(look_->line_of(each.other->at));
    }
}

/// A text that leads to its line. True when it was clicked.
bool KernelView::side(const std::string& log_name, const ptx::Side& at, const std::string& text, bool chosen) {
    const Theme& theme = *look().theme;
    WithFont font(look().fonts->small);
    const float indent = px(56), width = ImGui::GetContentRegionAvail().x - px(8);
    const std::string lines = in_lines(text, width - indent);
    const float height = ImGui::CalcTextSize(lines.c_str()).y + px(6);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::PushID(log_name.c_str());
    const bool clicked = ImGui::Selectable("##finding", chosen, 0, {width, height});
    ImGui::PopID();
    log_item(log_name.c_str(), {ControlRole::list_item, text, {}, chosen});
    tip("Show the line");
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const std::string line = ptx::place(look_->kernel().module, at.at);
    draw.AddText({start.x + px(4), start.y + px(3)}, theme.text_dim.u32(),
                 ("line" + line.substr(line.rfind(':')).replace(0, 1, " ")).c_str());
    draw.AddText({start.x + indent, start.y + px(3)}, theme.text.u32(), lines.c_str());
    return clicked;
}

void KernelView::results() {
    heading("RESULTS");
    for (const ptx::ParameterText& parameter : look_->kernel().text.parameters) {
        if (!parameter.pointer || parameter.constant) continue;
        const NpyBytes& array = look_->prepared->arguments.arrays.at(parameter.name).array;
        fact(parameter.name.c_str(), fmt::format("{} {}", convscope::to_string(array.shape), type_name(array.type)));
        WithFont font(look().fonts->mono_small);
        paragraph(beginning(array), look().theme->text.u32());
    }
    if (look_->layer)
        fact("error against the reference",
             fmt::format("{:.1e} of {:.1e}", look_->layer->error, look_->layer->tolerance),
             "The largest relative error, and how large it may be");
}

void KernelView::printed() {
    const std::string& text = look_->result->printed;
    if (text.empty()) return;
    heading("PRINTED");
    WithFont font(look().fonts->mono_small);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

}  // namespace convscope::app
