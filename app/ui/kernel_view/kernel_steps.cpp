// One warp of the kernel, from line to line: which lanes are active, what each computed and touched.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "app/ui/input/item_registry.h"
#include "app/ui/kernel_view/kernel_view.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/transport_button.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/step/warp_strip_parts.h"
#include "visualizers/style/tooltip.h"

namespace convscope::app {
namespace {

constexpr float cell_height = 24, name_height = 15;

/// A number rounded to what there is room for: "-0.5941" as "-.6". What does not fit even so ends in "~"; a fraction
/// that would be rounded to a whole number is left out.
std::string short_number(const std::string& text, std::size_t room) {
    if (text.size() <= room) return text;
    if (text.find('.') != std::string::npos && text.find('e') == std::string::npos) {
        const double value = std::strtod(text.c_str(), nullptr);
        const bool fraction = std::abs(value) < 1 && value != 0;
        for (int digits = static_cast<int>(room); digits >= (fraction ? 1 : 0); --digits) {
            std::string rounded = fmt::format("{:.{}f}", value, digits);
            if (const std::size_t zero = rounded.find("0."); zero == 0 || rounded.starts_with("-0."))
                rounded.erase(zero, 1);
            if (rounded.size() > room) continue;
            const double kept = std::strtod(rounded.c_str(), nullptr);
            return fraction && kept == std::trunc(kept) ? "" : rounded;
        }
        if (fraction) return "";
    }
    return room > 1 ? text.substr(0, room - 1) + "~" : "";
}

std::string describe_request(const ptx::TraceStep& step) {
    if (const auto [wavefronts, conflicts] = step.wavefronts; wavefronts > 0)
        return fmt::format("{} wavefront{}{}", wavefronts, wavefronts == 1 ? "" : "s",
                           conflicts > 0 ? ": bank conflicts" : "");
    return step.sectors > 0 ? fmt::format("{} sector{}", step.sectors, step.sectors == 1 ? "" : "s") : "";
}

}  // namespace

void KernelView::step_panel(KernelChoice& choice, ImVec2 size, const ViewStyle& style) {
    ImGui::BeginChild("kernel steps", size, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoNav);
    hairline();
    ImGui::Dummy({0, px(2)});
    const ImVec2 from = ImGui::GetCursorScreenPos();
    if (slide_)
        note(place_of_step(choice));
    else
        transport(choice);
    const LineStep& step = steps_[std::min(choice.step, steps_.size() - 1)];
    if (instruction_ && (*instruction_ < step.first || *instruction_ >= step.end)) instruction_.reset();
    lanes(choice, step, style);
    if (run_outdated()) draw_dimmed(from, {from.x + size.x, ImGui::GetCursorScreenPos().y}, *look().theme);
    if (!slide_) instructions(choice, step);
    ImGui::EndChild();
}

std::size_t KernelView::shown_instruction(const LineStep& step) const {
    return instruction_.value_or(step.value.value_or(step.touched.value_or(step.first)));
}

void KernelView::to_barrier(Frame& frame, bool next) {
    KernelChoice& choice = frame.session.kernel;
    choice.step = barrier_from(steps_, choice.step, next);
}

std::string KernelView::place_of_step(const KernelChoice& choice) const {
    const std::size_t at = std::min(choice.step, steps_.size() - 1);
    return fmt::format("line {}, step {} of {}{}", steps_[at].line, at + 1, steps_.size(),
                       ran_->result->trace.cut ? ", the rest is left out" : "");
}

void KernelView::transport(KernelChoice& choice) {
    const std::size_t last = steps_.size() - 1;
    const auto move = [&](const char* item_name, TransportIcon icon, bool can, std::size_t to, const char* meaning) {
        if (transport_button(item_name, icon, false, can)) choice.step = to;
        tip(meaning);
        ImGui::SameLine(0, px(4));
    };
    move("kernel/first", TransportIcon::first, choice.step > 0, 0, "To the first line (Home)");
    move("kernel/previous barrier", TransportIcon::previous_barrier, choice.step > 0,
         barrier_from(steps_, choice.step, false), "Back to the barrier before (Ctrl+Left)");
    move("kernel/back", TransportIcon::back, choice.step > 0, choice.step - (choice.step > 0), "One line back (Left)");
    move("kernel/forward", TransportIcon::forward, choice.step < last, std::min(choice.step + 1, last),
         "One line (Right)");
    move("kernel/next barrier", TransportIcon::next_barrier, choice.step < last,
         barrier_from(steps_, choice.step, true), "On to the next barrier of the block (Ctrl+Right)");
    move("kernel/last", TransportIcon::last, choice.step < last, last, "To the last line (End)");
    ImGui::SameLine(0, px(12));
    const Dim3 &grid = ran_->prepared->arguments.grid, &block = ran_->prepared->arguments.block;
    const std::int64_t warps = (block.count() + 31) / 32;
    const auto field = [](const char* item_name, const char* label, const char* meaning, std::int64_t most,
                          std::int64_t& value, float label_width) {
        NumberField of{item_name, label, meaning, 0, std::max<std::int64_t>(0, most)};
        of.label_width = label_width;
        number_field(of, value, px(48 + label_width));
        value = std::clamp<std::int64_t>(value, 0, of.most);
        ImGui::SameLine(0, px(6));
    };
    field("kernel/block x", "block", "Which block, along x", grid.x - 1, choice.block.x, 40);
    if (grid.y > 1 || grid.z > 1) field("kernel/block y", "", "Which block, along y", grid.y - 1, choice.block.y, 0);
    if (grid.z > 1) field("kernel/block z", "", "Which block, along z", grid.z - 1, choice.block.z, 0);
    field("kernel/warp", "warp", "Which warp of the block", warps - 1, choice.warp, 36);
    std::size_t done = choice.step;
    const std::string where = place_of_step(choice);
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(where.c_str()).x - px(16);
    if (room > px(80)) {
        if (transport_scale("kernel/scrub", "Line", room, last, done)) choice.step = std::min(done, last);
        tip("Every line that the warp ran, in the order in which it ran them");
        ImGui::SameLine(0, px(12));
    }
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", where.c_str());
}

/// Two rows of 32 cells: the element that each lane touched, and the value: of the line, or of an instruction of it.
void KernelView::lanes(KernelChoice& choice, const LineStep& line, const ViewStyle& style) {
    const ptx::WarpTrace& trace = ran_->result->trace;
    const ptx::Program& program = ran_->kernel().program;
    const ptx::TraceStep& shown = trace.steps[shown_instruction(line)];
    const ptx::TraceStep& touched = instruction_ || !line.touched ? shown : trace.steps[*line.touched];
    const bool touches = touched.elements != ptx::TraceStep::none;
    const bool computes = shown.values != ptx::TraceStep::none && (instruction_ || line.value);
    const auto element_of = [&](unsigned lane) { return touches ? trace.element(touched, lane) : ""; };
    const auto value_of = [&](unsigned lane) {
        return computes && (shown.mask >> lane & 1) ? trace.value(program, shown, 0, lane) : "";
    };
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, top = at.y + px(name_height), height = px(cell_height);
    const WarpColumns columns(at, width, style);
    const Theme& theme = *style.theme;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float digit = extent_of(style.source(), "0").x;
    const float gap = std::max(1.0F, px(1));
    const auto room = static_cast<std::size_t>(std::max(1.0F, (columns.column - 1 - gap - 4) / digit));
    print(style.caption(), {at.x, at.y}, theme.text_dim, fmt::format("{} of 32", std::popcount(shown.mask)));
    print(style.caption(), {at.x, top + px(5)}, theme.text_dim, touches ? "element" : "no access");
    print(style.caption(), {at.x, top + height + px(5)}, theme.text_dim, computes ? "value" : "");
    for (unsigned lane = 0; lane < 32; ++lane) {
        const bool chosen = lane == choice.lane;
        const Rgba own = thread_colour(theme, lane, choice.lane);
        const float x = columns.x(lane), right = columns.x(lane + 1) - gap;
        if (lane % 4 == 0 || chosen)
            print(style.caption(), {x, at.y}, chosen ? theme.accent : theme.text_dim, std::to_string(lane));
        for (int row = touches ? 0 : 1; row < 2; ++row) {
            const bool active = ((row == 0 ? touched : shown).mask >> lane & 1) != 0;
            const ImVec2 from{x, top + height * static_cast<float>(row)}, to{right, from.y + height - px(2)};
            draw.AddRectFilled(from, to, (active ? mix(theme.panel, own, 0.32F) : theme.zero).u32(), px(3));
            if (active) draw.AddRect(from, to, own.u32(), px(3));
            if (chosen) draw.AddRect(from, to, theme.accent.u32(), px(3), 0, px(2));
            if (!active) continue;
            std::string text = row == 0 ? element_of(lane) : value_of(lane);
            if (row == 0 && !text.empty())  // the array's name stands with the instruction
                text = text.substr(text.rfind('[') + 1, text.rfind(']') - text.rfind('[') - 1);
            print_centred(style.source(), from, to, theme.text, short_number(text, room));
        }
    }
    ImGui::InvisibleButton("##lanes", {width, px(name_height + 2 * cell_height)});
    register_item("kernel/lanes", {ControlRole::image, "The 32 lanes: element and value"});
    const float pointed = (ImGui::GetIO().MousePos.x - columns.left) / columns.column;
    if (ImGui::IsItemHovered() && pointed >= 0 && pointed < 32) {
        const auto lane = static_cast<unsigned>(pointed);
        if (ImGui::IsMouseClicked(0)) choice.lane = lane;
        const bool active = (shown.mask >> lane & 1) != 0;
        const std::string element = element_of(lane), value = value_of(lane);
        const char* const joined = &touched == &shown ? " = " : ", value ";
        read_out({columns.x(lane), ImGui::GetItemRectMin().y}, {columns.x(lane + 1), ImGui::GetItemRectMax().y},
                 fmt::format("lane {}{}{}{}{}{}", lane, active ? "" : ": not active", element.empty() ? "" : ": ",
                             element, value.empty() ? "" : joined, value),
                 style.body(), style.scale);
    }
}

/// The line's instructions, with what they are in the chosen lane.
void KernelView::instructions(KernelChoice& choice, const LineStep& step) {
    const ptx::WarpTrace& trace = ran_->result->trace;
    const ptx::Program& program = ran_->kernel().program;
    WithFont font(look().fonts->mono_small);
    ImGui::BeginChild("kernel instructions", {0, 0}, false, ImGuiWindowFlags_NoNav);
    const std::size_t lit = shown_instruction(step);
    for (std::size_t i = step.first; i < step.end; ++i) {
        const ptx::TraceStep& each = trace.steps[i];
        const float start = ImGui::GetCursorPosX();
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable("##instruction", i == lit)) instruction_ = i;
        ImGui::PopID();
        const std::string text = ptx::WarpTrace::text(program, each);
        register_item(fmt::format("kernel/instruction {}", i - step.first + 1).c_str(),
                      {ControlRole::list_item, text, {}, i == lit});
        ImGui::SameLine();
        ImGui::SetCursorPosX(start + px(4));
        ImGui::TextUnformatted(text.c_str());
        std::string what = trace.element(each, choice.lane);
        const bool active = (each.mask >> choice.lane & 1) != 0;
        for (unsigned v = 0; active && v < each.value_count; ++v)
            what += (v == 0 ? (what.empty() ? "= " : " = ") : ", ") + trace.value(program, each, v, choice.lane);
        const bool came = (each.active >> choice.lane & 1) != 0;  // and its guard says no
        if (!active)
            what =
                came ? fmt::format("not by lane {}", choice.lane) : fmt::format("lane {} is not active", choice.lane);
        ImGui::SameLine(start + px(240));
        ImGui::TextUnformatted(what.c_str());
        if (const std::string request = describe_request(each); !request.empty()) {
            ImGui::SameLine(start + px(520));
            ImGui::TextDisabled("%s", request.c_str());
        }
    }
    const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (run_outdated()) draw_dimmed(from, {from.x + size.x, from.y + size.y}, *look().theme);
    ImGui::EndChild();
}

}  // namespace convscope::app
