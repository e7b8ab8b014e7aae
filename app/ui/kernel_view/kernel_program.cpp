// A whole program: its launches and what is found in the calls around them, its output, its arguments.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <charconv>

#include "app/ui/input/item_registry.h"
#include "app/ui/kernel_view/kernel_view.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"

namespace convscope::app {
namespace {

constexpr std::size_t rows_in_sight = 5;
/// Where columns begin, or where those of numbers end, from the left and from the right edge.
constexpr float number_end = 32, line_end = 72, what_begin = 88;
constexpr float grid_end = 304, block_end = 224, found_end = 136, count_end = 12, right_columns = 372;

/// "4" of 4x1x1, "16x16" of 16x16x1.
std::string sizes_text(const Dim3& of) {
    std::string text = std::to_string(of.x);
    if (of.y > 1 || of.z > 1) text += fmt::format("x{}", of.y);
    if (of.z > 1) text += fmt::format("x{}", of.z);
    return text;
}

void add_right(ImVec2 end, ImU32 colour, const std::string& text) {
    ImGui::GetWindowDrawList()->AddText({end.x - ImGui::CalcTextSize(text.c_str()).x, end.y}, colour, text.c_str());
}

}  // namespace

unsigned KernelView::line_at(const std::string& place) const {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos || place.substr(0, colon) != check_->call.file.filename()) return 0;
    unsigned line = 0;
    std::from_chars(place.data() + colon + 1, place.data() + place.size(), line);
    return line;
}

void KernelView::take_program(const KernelChoice& choice) {
    if (check_->program == program_) return;
    program_ = check_->program;
    rows_.clear();
    call_finding_.reset();
    if (!program_) return;
    std::vector<std::size_t> found(program_->launches.size()), calls;
    for (std::size_t i = 0; i < program_->findings.size(); ++i) {
        const ProgramFinding& each = program_->findings[i];
        for (const std::size_t launch : each.launches) ++found[launch];
        if (each.launches.empty()) calls.push_back(i);
    }
    auto next = calls.begin();
    for (std::size_t launch = 0; launch <= found.size(); ++launch) {
        for (; next != calls.end() && program_->findings[*next].launches_before <= launch; ++next)
            rows_.push_back({0, *next, 0});
        if (launch < found.size()) rows_.push_back({launch + 1, 0, found[launch]});
    }
    const bool all_right = std::ranges::all_of(found, [](std::size_t count) { return count == 0; });
    if (choice.launch == 0 && all_right && !calls.empty()) call_finding_ = calls.front();
    row_into_sight_ = true;
}

void KernelView::launches(KernelChoice& choice) {
    const Theme& theme = *look().theme;
    WithFont font(look().fonts->small);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight() + px(6);
    const float what_width = width - px(what_begin + right_columns);
    ImDrawList& above = *ImGui::GetWindowDrawList();
    above.AddText({start.x + px(what_begin), start.y}, theme.text_dim.u32(), "launches, in the order of time");
    add_right({start.x + px(line_end), start.y}, theme.text_dim.u32(), "line");
    for (const auto& [end, name] :
         {std::pair{grid_end, "grid"}, {block_end, "block"}, {found_end, "found"}, {count_end, "warp instructions"}})
        add_right({start.x + width - px(end), start.y}, theme.text_dim.u32(), name);
    ImGui::Dummy({0, height});
    const std::size_t in_sight = std::clamp<std::size_t>(rows_.size(), 1, rows_in_sight);
    ImGui::BeginChild("kernel launches", {width, height * static_cast<float>(in_sight)}, false, ImGuiWindowFlags_NoNav);
    if (rows_.empty()) note("It launches no kernel.");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const auto is_chosen = [&](const ProgramRow& row) {
        return row.launch > 0 ? !call_finding_ && row.launch == check_->launch : call_finding_ == row.finding;
    };
    if (row_into_sight_) {
        const auto chosen = std::ranges::find_if(rows_, is_chosen);
        ImGui::SetScrollY(height * static_cast<float>(std::max<std::ptrdiff_t>(chosen - rows_.begin() - 2, 0)));
        row_into_sight_ = false;
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()), height);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const ProgramRow& row = rows_[static_cast<std::size_t>(i)];
            const bool chosen = is_chosen(row);
            const ImVec2 at = ImGui::GetCursorScreenPos(), text{at.x, at.y + px(3)};
            ImGui::PushID(i);
            const bool clicked = ImGui::Selectable("##launch", chosen, 0, {width, height});
            ImGui::PopID();
            ImDrawList& draw = *ImGui::GetWindowDrawList();
            const auto say_line = [&](const std::string& place) {
                add_right({text.x + px(line_end), text.y}, theme.text_dim.u32(), place.substr(place.rfind(':') + 1));
            };
            if (row.launch == 0) {
                const ProgramFinding& finding = program_->findings[row.finding];
                const std::string& whole = finding.line();
                // Its place has a column.
                std::string what = spaced(finding.kind) + whole.substr(std::min(whole.size(), finding.kind.size()));
                if (const std::size_t place = what.find(" " + finding.at); place != std::string::npos)
                    what.erase(place, finding.at.size() + 1);
                register_item(fmt::format("kernel/call finding {}", row.finding + 1).c_str(),
                              {ControlRole::list_item, whole, {}, chosen});
                tip(whole);
                say_line(finding.at);
                draw.AddText({text.x + px(what_begin), text.y}, theme.bad.u32(),
                             shortened(what, width - px(what_begin + count_end)).c_str());
                if (!clicked) continue;
                call_finding_ = row.finding;
                source_.scroll_to(line_at(finding.at));
                continue;
            }
            const ProgramLaunch& launch = program_->launches[row.launch - 1];
            const std::string grid = sizes_text(launch.grid), block = sizes_text(launch.block);
            const std::string found =
                row.found == 0 ? "" : fmt::format("{} finding{}", row.found, row.found == 1 ? "" : "s");
            register_item(fmt::format("kernel/launch {}", row.launch).c_str(),
                          {ControlRole::list_item,
                           fmt::format("{}, grid {}, block {} {}", launch.kernel, grid, block, found),
                           {},
                           chosen});
            tip(launch.left_out.empty() ? launch.kernel + ", launched at " + launch.at
                                        : "Not kept, so that it cannot be run by itself: " + launch.left_out);
            const ImU32 colour = (launch.kept.is_null() ? theme.text_dim : theme.text).u32();
            add_right({text.x + px(number_end), text.y}, theme.text_dim.u32(), std::to_string(row.launch));
            say_line(launch.at);
            draw.AddText({text.x + px(what_begin), text.y}, colour, shortened(launch.kernel, what_width).c_str());
            add_right({text.x + width - px(grid_end), text.y}, colour, grid);
            add_right({text.x + width - px(block_end), text.y}, colour, block);
            add_right({text.x + width - px(found_end), text.y}, theme.bad.u32(), found);
            add_right({text.x + width - px(count_end), text.y}, colour, format_count(launch.warp_instructions));
            if (!clicked) continue;
            call_finding_.reset();
            if (row.launch == check_->launch && choice.launch != 0) continue;
            choice.choose_launch(row.launch);
            line_to_show_.reset();
        }
    ImGui::PopStyleVar();
    ImGui::EndChild();
    dim_outdated(start, {start.x + width, ImGui::GetCursorScreenPos().y});
    hairline();
    ImGui::Dummy({0, px(4)});
}

/// The chosen entry where it is not a kernel that can be shown: a finding of a call, or a launch that cannot be run by
/// itself.
void KernelView::program_finding() {
    if (call_finding_) {
        heading("FINDING");
        paragraph(program_->findings[*call_finding_].line(), look().theme->text.u32());
    } else if (check_->launch > 0 && !check_->result) {
        heading("FINDINGS");
        note("This launch cannot be run by itself: " + check_->launch_problem + ".");
        for (const ProgramFinding& each : program_->findings)
            if (std::ranges::find(each.launches, check_->launch - 1) != each.launches.end())
                paragraph(each.line(), look().theme->text.u32());
    }
}

void KernelView::program_output() {
    heading("OUTPUT OF THE PROGRAM");
    const std::string& text = program_->end.output;
    if (text.empty()) {
        note("It wrote nothing.");
    } else {
        WithFont font(look().fonts->mono_small);
        ImGui::TextUnformatted(text.data(), text.data() + text.size());
        register_rect("kernel/output");
    }
    for (const std::string& each : program_->failures) problem(each + ".");
    for (const std::string& each : program_->notes) note(each + ".");
}

void KernelView::program_arguments(Session& session) {
    heading("PROGRAM");
    const bool agreed = may_run_program(session);
    ArgumentState words;
    words.name = program_words;
    argument(session.kernel, words);
    if (agreed) trust_program(session);  // what was typed is the user's own
    if (program_ && program_->end.signal == 0 && program_->end.failure.empty())
        fact("status", std::to_string(program_->end.status), "What its main() returned, or exit() was given");
}

}  // namespace convscope::app
