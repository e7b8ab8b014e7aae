// A sweep's progress in the line below its axes, and the row of tabs above its plots.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>

#include "app/session/command_lines.h"
#include "app/session/sweep_axes.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/sweep_view/sweep_view.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"

namespace convscope::app {
namespace {

constexpr float csv_width = 184;  ///< of the field with the CSV's path and the button behind it, at scale 1
constexpr const char* new_file = "New file";

float button_width(const char* label) {
    return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
}

std::string describe_time(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", std::max(1.0, seconds));
    return fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace

/// Where the rows go, at the right end of the line.
void SweepView::csv_field(Frame& frame) {
    SweepChoice& choice_of = frame.session.sweep;
    const float right = ImGui::GetContentRegionMax().x, compare = button_width("Compare") + px(8);
    if (opened_.empty()) {
        ImGui::SameLine(right - compare - px(csv_width));
        ImGui::SetNextItemWidth(px(csv_width) - (file_ ? button_width(new_file) + px(8) : 0));
        ImGui::InputTextWithHint("##csv", "rows to a CSV file: none", &choice_of.csv_path);
        register_item("sweep/csv", {ControlRole::field, "CSV file of the rows", choice_of.csv_path});
        std::error_code none;
        tip(choice_of.csv_path.empty()
                ? std::string(
                      "Rows are kept in this window only. Give a file, and each is on disk before the next begins")
                : fmt::format(
                      "Each row is appended to {} before the next begins. Rows that the file has of the sweep are "
                      "shown, and Run goes on with what is missing",
                      std::filesystem::absolute(choice_of.csv_path, none).string()));
        if (file_) {
            const std::string next = next_free_name(choice_of.csv_path);
            ImGui::SameLine(0, px(8));
            if (button("sweep/new file", new_file)) choice_of.csv_path = next;
            tip(fmt::format("Run appends to a file that has {} already. This names {} instead",
                            counted(file_->rows, "row"), next));
        }
    }
    ImGui::SameLine(right - compare + px(8));
    ImGui::BeginDisabled(results_.rows().empty());
    if (button("sweep/compare", "Compare")) frame.session.requested.sweep_in_compare = true;
    ImGui::EndDisabled();
    tip("Opens these rows in the Compare view; what is brushed here stays lit there");
}

/// In the line of the field with the CSV's path, two lines of text at most; above it where these are not enough.
void SweepView::words_and_csv_field(Frame& frame, const std::string& text, const Rgba& colour,
                                    const std::string& meaning) {
    const float all = ImGui::GetContentRegionAvail().x;
    const float room = all - px((opened_.empty() ? csv_width : 0) + 78 + 12);
    const bool beside = in_lines(text, room) == in_lines(text, room, 2);
    if (beside) ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, colour.u32());
    ImGui::TextUnformatted(in_lines(text, beside ? room : all, 3).c_str());
    ImGui::PopStyleColor();
    register_rect("sweep/state");
    tip(meaning);
    if (!beside) ImGui::Dummy({0, ImGui::GetFrameHeight()});
    csv_field(frame);
}

Lead SweepView::lead_of_plan(const Frame& frame) const {
    if (!plan_ || measures()) return {};
    const std::vector<SweepAxis> axes = axes_in_use(frame.session, frame.registry);
    std::string over;
    for (const SweepAxis& axis : axes) over += (over.empty() ? " over " : ", ") + name_of(axis);
    const bool counts = device_kind(frame.session, frame.registry) == DeviceKind::sim;
    const std::size_t methods = sweep_methods(frame.session, frame.registry).size();
    return {fmt::format("Ready to {} {} at ", counts ? "count" : "time", counted(methods, "method")),
            counted(plan_->points().size(), "point"), over};
}

/// How far it is; or what would be measured, or why it cannot be.
void SweepView::state_line(Frame& frame) {
    if (measures()) return progress_line(frame);
    WithFont font(look().fonts->small);
    if (!plan_) return words_and_csv_field(frame, rejection_, look().theme->bad, rejection_);
    const std::size_t points = plan_->points().size(), methods = sweep_methods(frame.session, frame.registry).size();
    std::string text = fmt::format(
        "{}, {} in turn at each: at most {} of sampling", counted(points, "point"), counted(methods, "method"),
        describe_time(static_cast<double>(points * methods) * frame.session.sweep.timeout_s));
    if (device_kind(frame.session, frame.registry) == DeviceKind::sim)
        text = fmt::format("{}, {} at each: a run of each is counted, block by block", counted(points, "point"),
                           counted(methods, "method"));
    // Where there are rows to see, they are what the line is about.
    if (!opened_.empty())
        text = opened_;
    else if (frame.session.sweep_state == SweepState::stopped)
        text = fmt::format("Stopped with {}; Run goes on with what is missing", describe_rows());
    else if (!results_.rows().empty() && is_of_results())
        text = describe_rows() + ". Run measures them again";
    else if (!results_.rows().empty())
        text = describe_rows() + ". Run measures another sweep: " + text;
    if (file_ && file_->rows > 0)
        text += fmt::format("; new rows are appended to the {} of {}", file_->rows,
                            std::filesystem::path(frame.session.sweep.csv_path).filename().string());
    words_and_csv_field(frame, text, look().theme->text_dim, text + "\n" + with_model_files(frame.session, command_));
}

void SweepView::progress_line(Frame& frame) {
    const SweepProgress progress = job_.progress();
    const float width = px(140), height = px(6);
    ImGui::AlignTextToFramePadding();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + (ImGui::GetFrameHeight() - height) / 2;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const double done = static_cast<double>(progress.done) + progress.candidate.fraction;
    const auto share =
        static_cast<float>(std::clamp(done / static_cast<double>(std::max<std::size_t>(1, progress.total)), 0.0, 1.0));
    draw.AddRectFilled({at.x, y}, {at.x + width, y + height}, look().theme->raised.u32(), height / 2);
    draw.AddRectFilled({at.x, y}, {at.x + width * share, y + height}, look().theme->accent.u32(), height / 2);
    ImGui::Dummy({width, ImGui::GetFrameHeight()});
    ImGui::SameLine();
    const bool paused = job_.paused();
    if (button("sweep/pause", paused ? "Go on" : "Pause")) frame.session.requested.sweep = SweepMove::pause_or_go_on;
    tip("Before the next sample (Ctrl+Right)");
    ImGui::SameLine();
    if (button("sweep/cancel", "Stop")) frame.session.requested.sweep = SweepMove::run_or_stop;
    tip("What is measured stays; Run goes on with the rest");
    ImGui::SameLine();
    std::string text = fmt::format("{} of {} points of {}", progress.done, progress.total, run_layer_);
    if (paused)
        text += ", paused";
    else if (progress.seconds_left)
        text += fmt::format(", {} left", describe_time(*progress.seconds_left));
    if (!paused && !progress.phase.empty()) text += ", " + progress.phase;
    if (!paused && progress.phase.empty() && !progress.candidate.method.empty())
        text += fmt::format(", {} {}", progress.candidate.phase, progress.candidate.method);
    WithFont font(look().fonts->small);
    clipped_text(text.c_str(), ImGui::GetContentRegionAvail().x, look().theme->text_dim.u32());
}

/// Which of the plots; and what is brushed.
void SweepView::pane_tabs(Frame& frame) {
    SweepChoice& choice_of = frame.session.sweep;
    std::vector<SweepPane> panes;
    std::vector<std::string> names;
    for (int i = 0; i < sweep_pane_count && plots_.size() > 1; ++i) {
        const auto pane = static_cast<SweepPane>(i);
        if (pane != SweepPane::all && std::ranges::find(plots_, pane, &SweepPlot::pane) == plots_.end()) continue;
        panes.push_back(pane);
        names.emplace_back(to_string(pane));
    }
    const auto chosen = static_cast<std::size_t>(std::ranges::find(panes, choice_of.pane) - panes.begin());
    if (const int picked = text_tabs("sweep/pane", names, chosen); picked >= 0)
        choice_of.pane = panes[static_cast<std::size_t>(picked)];
    WithFont font(look().fonts->small);
    const std::vector<std::string> methods = methods_of(results_);
    if (plots_.size() > 1 && methods.size() > 1) {
        ImGui::SameLine(0, px(24));
        if (ImGui::GetContentRegionAvail().x < px(120)) ImGui::NewLine();
        if (int picked = choice("sweep/method", shown_method(frame.session), methods, px(120)); picked >= 0)
            choice_of.method = methods[static_cast<std::size_t>(picked)];
        tip("The method that the map and the occupancy show");
    }
    if (plots_.size() > 1) ImGui::SameLine(0, px(24));
    filter_field(frame.session);
}

/// The filter at the right end of the line, and before it what it and the brush leave.
void SweepView::filter_field(Session& session) {
    const std::size_t all = results_.rows().size();
    std::string words;
    if (shown_.count() < all) words = fmt::format("{} of {} rows", shown_.count(), all);
    if (selection_.brushed())
        words += fmt::format("{}{} of {} brushed; Esc clears", words.empty() ? "" : "; ", selection_.count(), all);
    const float width = px(188), right = ImGui::GetContentRegionMax().x;
    if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
    const float room = right - width - px(12) - ImGui::GetCursorPosX();
    if (!words.empty() && room > px(40)) {
        clipped_text(words.c_str(), room, look().theme->text_dim.u32());
        ImGui::SameLine();
    }
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), right - width));
    ImGui::SetNextItemWidth(width);
    const bool wrong = !query_problem_.empty();
    if (wrong) ImGui::PushStyleColor(ImGuiCol_Text, look().theme->bad.u32());
    ImGui::InputTextWithHint("##filter", "filter: ecr3  block_size_x>32", &session.sweep.query);
    if (wrong) ImGui::PopStyleColor();
    register_item("sweep/filter", {ControlRole::field, "Filter", session.sweep.query});
    tip(wrong
            ? query_problem_
            : "Words that a row has in it, and conditions on columns: method=ecr3,csr1  n>1  sparsity_target=0.5:0.9. "
              "Rows that the Compare view has open as well are filtered there, too");
}

}  // namespace convscope::app
