// One warp of the kernel, from line to line: which lanes are active, what each computed and touched.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "app/ui/input/item_log.h"
#include "app/ui/kernel_view/kernel_view.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/step/warp_strip_parts.h"

namespace convscope::app {
namespace {

constexpr float cell_height = 24, name_height = 15;

/// A number rounded to what there is room for: "-0.5941" as "-.6". What does not fit even so ends in "~".
std::string short_number(const std::string& text, std::size_t room) {
    if (text.size() <= room) return text;
    if (text.find('.') != std::string::npos && text.find('e') == std::string::npos) {
        const double value = std::strtod(text.c_str(), nullptr);
        for (int digits = static_cast<int>(room); digits >= 0; --digits) {
            std::string rounded = fmt::format("{:.{}f}", value, digits);
            if (const std::size_t zero = rounded.find("0."); zero == 0 || rounded.starts_with("-0."))
                rounded.erase(zero, 1);
            if (rounded.size() <= room) return rounded;
        }
    }
    return room > 1 ? text.substr(0, room - 1) + "~" : "";
}

std::string describe_request(const ptx::TraceStep& step) {
    if (step.wavefronts > 0)
        return fmt::format("{} wavefront{}", step.wavefronts, step.wavefronts == 1 ? "" : "s: bank conflicts");
    return step.sectors > 0 ? fmt::format("{} sector{}", step.sectors, step.sectors == 1 ? "" : "s") : "";
}

}  // namespace

void KernelView::step_panel(KernelChoice& choice, ImVec2 size, const ViewStyle& style) {
    ImGui::BeginChild("kernel steps", size, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoNav);
    hairline();
    ImGui::Dummy({0, px(2)});
    transport(choice);
    const LineStep& step = steps_[std::min(choice.step, steps_.size() - 1)];
    if (instruction_ < step.first || instruction_ >= step.end) instruction_ = shown_instruction(step);
    lanes(choice, look_->result->trace.steps[instruction_], style);
    instructions(choice, step);
    ImGui::EndChild();
}

/// What touched memory last, or else computed something.
std::size_t KernelView::shown_instruction(const LineStep& step) const {
    const auto& all = look_->result->trace.steps;
    std::size_t shown = step.first;
    bool memory = false;
    for (std::size_t i = step.first; i < step.end; ++i) {
        const bool touches = all[i].elements != ptx::TraceStep::none;
        if (touches || (!memory && all[i].values != ptx::TraceStep::none)) shown = i;
        memory = memory || touches;
    }
    return shown;
}

void KernelView::to_barrier(Frame& frame, bool next) {
    KernelChoice& choice = frame.session.kernel;
    choice.step = barrier_from(steps_, choice.step, next);
}

void KernelView::transport(KernelChoice& choice) {
    const std::size_t last = steps_.size() - 1;
    const auto move = [&](const char* log_name, const char* label, bool can, std::size_t to, const char* meaning) {
        if (button(log_name, label, false, can)) choice.step = to;
        tip(meaning);
        ImGui::SameLine(0, px(4));
    };
    move("kernel/first", "|<", choice.step > 0, 0, "To the first line (Home)");
    move("kernel/back", "<", choice.step > 0, choice.step - (choice.step > 0), "One line back (Left)");
    move("kernel/previous barrier", "<|", choice.step > 0, barrier_from(steps_, choice.step, false),
         "Back to the barrier before (Ctrl+Left)");
    move("kernel/forward", ">", choice.step < last, std::min(choice.step + 1, last), "One line (Right)");
    move("kernel/next barrier", "|>", choice.step < last, barrier_from(steps_, choice.step, true),
         "On to the next barrier of the block (Ctrl+Right)");
    move("kernel/last", ">|", choice.step < last, last, "To the last line (End)");
    ImGui::SameLine(0, px(12));
    const Dim3 &grid = look_->prepared->arguments.grid, &block = look_->prepared->arguments.block;
    const std::int64_t warps = (block.count() + 31) / 32;
    const auto field = [](const char* log_name, const char* label, const char* meaning, std::int64_t most,
                          std::int64_t& value, float label_width) {
        NumberField of{log_name, label, meaning, 0, std::max<std::int64_t>(0, most)};
        of.label_width = label_width;
        number_field(of, value, px(48 + label_width));
        value = std::clamp<std::int64_t>(value, 0, of.most);
        ImGui::SameLine(0, px(6));
    };
    field("kernel/block x", "block", "Which block, along x", grid.x - 1, choice.block.x, 40);
    if (grid.y > 1 || grid.z > 1) field("kernel/block y", "", "Which block, along y", grid.y - 1, choice.block.y, 0);
    if (grid.z > 1) field("kernel/block z", "", "Which block, along z", grid.z - 1, choice.block.z, 0);
    field("kernel/warp", "warp", "Which warp of the block", warps - 1, choice.warp, 36);
    auto done = static_cast<int>(choice.step);
    const std::string where = fmt::format("line {}, step {} of {}{}", steps_[choice.step].line, done + 1, steps_.size(),
                                          look_->result->trace.cut ? ", the rest is left out" : "");
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(where.c_str()).x - px(16);
    if (room > px(80)) {
        ImGui::SetNextItemWidth(room);
        if (ImGui::SliderInt("##scrub", &done, 0, static_cast<int>(last), ""))
            choice.step = static_cast<std::size_t>(std::clamp(done, 0, static_cast<int>(last)));
        log_item("kernel/scrub", {ControlRole::number, "Line", std::to_string(done)});
        tip("Every line that the warp ran, in the order in which it ran them");
        ImGui::SameLine(0, px(12));
    }
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", where.c_str());
}

/// Two rows of 32 cells: the element that each lane touched, and the value.
void KernelView::lanes(KernelChoice& choice, const ptx::TraceStep& step, const ViewStyle& style) {
    const ptx::WarpTrace& trace = look_->result->trace;
    const ptx::Program& program = look_->kernel().program;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, top = at.y + px(name_height), height = px(cell_height);
    const WarpColumns columns(at, width, style);
    const Theme& theme = *style.theme;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const bool touches = step.elements != ptx::TraceStep::none, computes = step.values != ptx::TraceStep::none;
    const float digit = extent_of(style.source(), "0").x;
    const auto room = static_cast<std::size_t>(std::max(1.0F, (columns.column - px(3)) / digit));
    print(style.caption(), {at.x, at.y}, theme.text_dim, fmt::format("{} of 32", std::popcount(step.mask)));
    print(style.caption(), {at.x, top + px(5)}, theme.text_dim, touches ? "element" : "");
    print(style.caption(), {at.x, top + height + px(5)}, theme.text_dim, computes ? "value" : "");
    for (unsigned lane = 0; lane < 32; ++lane) {
        const bool active = (step.mask >> lane & 1) != 0, chosen = lane == choice.lane;
        const Rgba& own = theme.category(lane);
        const float x = columns.x(lane), right = columns.x(lane + 1) - std::max(1.0F, px(1));
        if (lane % 4 == 0 || chosen)
            print(style.caption(), {x, at.y}, chosen ? theme.accent : theme.text_dim, std::to_string(lane));
        for (int row = 0; row < 2; ++row) {
            const ImVec2 from{x, top + height * static_cast<float>(row)}, to{right, from.y + height - px(2)};
            draw.AddRectFilled(from, to, (active ? mix(theme.panel, own, 0.32F) : theme.zero).u32(), px(3));
            if (active) draw.AddRect(from, to, own.u32(), px(3));
            if (chosen) draw.AddRect(from, to, theme.accent.u32(), px(3), 0, px(2));
            if (!active) continue;
            std::string text = row == 0   ? trace.element(step, lane)
                               : computes ? trace.value(program, step, 0, lane)
                                          : "";
            if (row == 0 && !text.empty())  // the array's name stands with the instruction
                text = text.substr(text.rfind('[') + 1, text.rfind(']') - text.rfind('[') - 1);
            print_centred(style.source(), from, to, theme.text, short_number(text, room));
        }
    }
    ImGui::InvisibleButton("##lanes", {width, px(name_height + 2 * cell_height)});
    log_item("kernel/lanes", {ControlRole::image, "The 32 lanes: element and value"});
    const float pointed = (ImGui::GetIO().MousePos.x - columns.left) / columns.column;
    if (ImGui::IsItemHovered() && pointed >= 0 && pointed < 32) {
        const auto lane = static_cast<unsigned>(pointed);
        if (ImGui::IsMouseClicked(0)) choice.lane = lane;
        const bool active = (step.mask >> lane & 1) != 0;
        const std::string element = trace.element(step, lane);
        const std::string value = active && computes ? trace.value(program, step, 0, lane) : "";
        ImGui::SetTooltip("lane %u%s%s%s%s%s", lane, active ? "" : ": not active", element.empty() ? "" : ": ",
                          element.c_str(), value.empty() ? "" : " = ", value.c_str());
    }
}

/// The line's instructions, with what they are in the chosen lane.
void KernelView::instructions(KernelChoice& choice, const LineStep& step) {
    const ptx::WarpTrace& trace = look_->result->trace;
    const ptx::Program& program = look_->kernel().program;
    WithFont font(look().fonts->mono_small);
    ImGui::BeginChild("kernel instructions", {0, 0}, false, ImGuiWindowFlags_NoNav);
    for (std::size_t i = step.first; i < step.end; ++i) {
        const ptx::TraceStep& each = trace.steps[i];
        const float start = ImGui::GetCursorPosX();
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable("##instruction", i == instruction_)) instruction_ = i;
        ImGui::PopID();
        const std::string text = ptx::WarpTrace::text(program, each);
        log_item(fmt::format("kernel/instruction {}", i - step.first + 1).c_str(),
                 {ControlRole::list_item, text, {}, i == instruction_});
        ImGui::SameLine();
        ImGui::SetCursorPosX(start + px(4));
        ImGui::TextUnformatted(text.c_str());
        std::string what = trace.element(each, choice.lane);
        const bool active = (each.mask >> choice.lane & 1) != 0;
        for (unsigned v = 0; active && v < each.value_count; ++v)
            what += (v == 0 ? (what.empty() ? "= " : " = ") : ", ") + trace.value(program, each, v, choice.lane);
        if (!active) what = fmt::format("lane {} is not active", choice.lane);
        ImGui::SameLine(start + px(240));
        ImGui::TextUnformatted(what.c_str());
        if (const std::string request = describe_request(each); !request.empty()) {
            ImGui::SameLine(start + px(520));
            ImGui::TextDisabled("%s", request.c_str());
        }
    }
    ImGui::EndChild();
}

}  // namespace convscope::app
