#include "app/ui/step_view/step_column.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/ui/input/item_log.h"
#include "app/ui/step_view/step_pickers.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "visualizers/step/step_description.h"
#include "visualizers/step/warp_strip.h"

namespace convscope::app {
namespace {

constexpr double patience_s = 0.15;  ///< longer tracing shows that it is under way
constexpr int settle_ms = 12;  ///< small blocks are traced in less: the choice and the picture change in one frame
constexpr float side_by_side = 600;  ///< px at scale 1: narrower columns have the source above the arrays
constexpr int max_request_rows = 4;

float words_height() {
    return 2 * ImGui::GetTextLineHeight() + px(10);
}

void caption(ImVec2 at, const std::string& text) {
    WithFont font(look().fonts->small);
    ImGui::GetWindowDrawList()->AddText(at, look().theme->text_dim.u32(), text.c_str());
}

}  // namespace

StepColumn::StepColumn(std::string name, GridRenderer& renderer, std::function<void()> wake)
    : name_(std::move(name)), builder_(std::move(wake)), arrays_(renderer) {}

void StepColumn::follow(const Frame& frame, const StepSide& side, const std::string& method) {
    const Session& session = frame.session;
    // While a layer is being built, the picture stays that of the one before.
    const bool ready = frame.snapshot && same_workload(frame.snapshot->workload->spec, session.good);
    if (!ready) {
        builder_.drop();
        wished_.reset();
    } else if (session.rejection.empty()) {
        TraceRequest request;
        request.workload = session.good;
        request.method = method;
        request.kernel = side.kernel;
        request.block = side.block;
        request.launch = launch_of(session, method);
        TraceWish wish{std::move(request), frame.snapshot->workload};
        if (wished_ != wish) {
            wished_ = std::move(wish);
            plan_.reset();
            problem_.clear();
            asks_first_ = false;
            builder_.drop();
            try {
                plan_ = plan_trace(wished_->request);
                asks_first_ = plan_->bytes > max_unconfirmed_bytes;
                if (!asks_first_) trace();
            } catch (const Error& error) {
                problem_ = error.what();
            }
        }
    }
    if (std::string error = builder_.take_error(); !error.empty()) problem_ = std::move(error);
    traced_ = builder_.latest();
}

void StepColumn::trace() {
    asks_first_ = false;
    builder_.request(*wished_);
    builder_.settle(settle_ms);
}

void StepColumn::choose_kernel(StepSide& side) {
    if (!plan_ || plan_->kernels.size() < 2) return;
    std::vector<std::string> names;
    for (const KernelLaunch& kernel : plan_->kernels) names.push_back(kernel.kernel);
    ImGui::SameLine();
    const int picked = choice((name_ + "/kernel").c_str(), plan_->launch().kernel, names, px(152));
    tip("Which of the method's kernels is stepped through; those before it run whole");
    if (picked < 0) return;
    side = {};
    side.kernel = names[static_cast<std::size_t>(picked)];
}

void StepColumn::choose_block(StepSide& side, const Dim3& block) {
    side.block = block;
    side.done = 1;
}

void StepColumn::draw(StepSide& side, ImVec2 at, ImVec2 size, const ViewStyle& style) {
    ImGui::PushID(name_.c_str());
    const float bottom = at.y + size.y;
    at.y += draw_pickers(side, at, size.x);
    at.y += draw_notices(at, size.x);
    if (traced_) {
        // A choice that was made for the next trace outlives this one.
        const StepPoint point{std::min(side.done, traced_->trace.size()),
                              std::min(side.thread, traced_->trace.trace().threads() - 1)};
        request_rows_ = std::clamp(traced_->trace.max_request_rows(), 1, max_request_rows);
        const float strips =
            words_height() + lane_strip_height(style) + px(8) + request_strip_height(request_rows_, style);
        const float room = bottom - strips - px(8) - at.y;
        const bool wide = size.x >= px(side_by_side);
        const ImVec2 source{wide ? std::round(size.x * 0.46F) : size.x, wide ? room : std::round(room * 0.38F)};
        const ImVec2 corner{wide ? at.x + source.x + px(12) : at.x, wide ? at.y : at.y + source.y + px(6)};
        const ImVec2 rest{wide ? size.x - source.x - px(12) : size.x, wide ? room : room - source.y - px(6)};
        if (room > px(80)) {
            draw_source(point, at, source, style);
            arrays_.draw(corner, rest, {traced_->trace, traced_->number, point, wide}, style);
        }
        draw_strips(side, point, {at.x, bottom - strips}, size.x, style);
    } else if (problem_.empty()) {
        ImGui::SetCursorScreenPos(at);
        if (!asks_first_) note("Tracing the block...");
    } else {
        ImGui::SetCursorScreenPos(at);
        note(
            "Nothing is traced yet. Choose another kernel, a smaller block of threads, or one of the papers' "
            "examples.");
    }
    ImGui::PopID();
}

float StepColumn::draw_pickers(StepSide& side, ImVec2 at, float width) {
    if (!plan_) return 0;
    const KernelLaunch& launch = plan_->launch();
    const float half = std::round((width - px(16)) / 2);
    ImGui::SetCursorScreenPos(at);
    if (const auto block = pick_block(name_.c_str(), {half, pickers_height()}, launch, side.block))
        choose_block(side, *block);
    if (traced_) {
        ImGui::SetCursorScreenPos({at.x + half + px(16), at.y});
        if (const auto thread = pick_thread(name_.c_str(), {half, pickers_height()}, traced_->trace, side.thread))
            side.thread = *thread;
    }
    return pickers_height() + px(4);
}

/// What is wrong with the kernel or with what was requested, and how long tracing has taken.
float StepColumn::draw_notices(ImVec2 at, float width) {
    std::string text = problem_;
    if (text.empty() && traced_ && traced_->trace.finding()) text = traced_->trace.finding()->what();
    const double busy = builder_.busy_seconds();
    float height = 0;
    if (!text.empty()) {
        const Theme& theme = *look().theme;
        WithFont font(look().fonts->small);
        text = in_lines(text, width - px(20));
        const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        height = extent.y + px(10);
        draw.AddRectFilled(at, {at.x + width, at.y + height}, mix(theme.panel, theme.bad, 0.14F).u32(), px(4));
        draw.AddRectFilled(at, {at.x + px(3), at.y + height}, theme.bad.u32());
        draw.AddText({at.x + px(12), at.y + px(5)}, theme.text.u32(), text.c_str());
        height += px(6);
    }
    if (asks_first_) {
        ImGui::SetCursorScreenPos({at.x, at.y + height});
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(
            fmt::format("Tracing this block takes {} of the host's memory.", bytes_text(plan_->bytes)).c_str());
        ImGui::SameLine();
        if (button((name_ + "/agree").c_str(), "Trace it", true)) trace();
        height += ImGui::GetFrameHeight() + px(6);
    }
    if (busy >= patience_s) {
        ImGui::SetCursorScreenPos({at.x, at.y + height});
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("Tracing the block, %.1f s", busy);
        ImGui::SameLine();
        if (button((name_ + "/cancel").c_str(), "Cancel")) builder_.cancel();
        height += ImGui::GetFrameHeight() + px(6);
    }
    return height;
}

void StepColumn::draw_source(const StepPoint& point, ImVec2 at, ImVec2 size, const ViewStyle& style) {
    TracedBlock& trace = traced_->trace;
    const simt::KernelPlace head = simt::place_of_kernel(trace.launch().kernel);
    if (!head.source) return;
    source_.show(head.source->text);
    const CodePlace place =
        point.done > 0 ? trace.code(trace.replay().at(point.done - 1).source) : CodePlace{head.line, nullptr, 0};
    SourceMarks marks;
    (place.helper || point.done == 0 ? marks.caller : marks.current) = place.kernel_line;
    marks.counts = trace.line_counts(point.done);
    if (trace.stopped_at(point.done)) {
        marks.caller = 0;
        marks.current = find_code(trace.launch().kernel, trace.finding()->found().at).kernel_line;
    }
    if (const auto& finding = trace.finding()) {
        const Theme& theme = *style.theme;
        if (finding->other())
            marks.bars[find_code(trace.launch().kernel, finding->other()->at).kernel_line] = theme.warning;
        marks.bars[find_code(trace.launch().kernel, finding->found().at).kernel_line] = theme.bad;
    }
    // Where there is no room for both, the file that runs now has all of it.
    const bool has_room = size.y >= px(200);
    if (place.helper && !has_room) return draw_helper(place, point, at, size, style);
    const bool has_helper = trace.calls_helpers() && has_room;
    const float caption_height = px(18), inset = has_helper ? std::round(std::min(px(120), size.y * 0.38F)) : 0;
    caption(at, head.source->path);
    ImGui::SetCursorScreenPos({at.x, at.y + caption_height});
    source_.draw("source", {size.x, size.y - caption_height - inset}, marks, style);
    if (has_helper) draw_helper(place, point, {at.x, at.y + size.y - inset}, {size.x, inset}, style);
}

/// The function that the kernel calls: lit while it runs.
void StepColumn::draw_helper(const CodePlace& place, const StepPoint& point, ImVec2 at, ImVec2 size,
                             const ViewStyle& style) {
    const CodePlace first = traced_->trace.first_helper();
    const simt::KernelSource* file = place.helper ? place.helper : shown_helper_ ? shown_helper_ : first.helper;
    SourceMarks marks;
    marks.current = place.helper_line;
    marks.counts = traced_->trace.helper_counts(file, point.done);
    ImGui::GetWindowDrawList()->AddLine(at, {at.x + size.x, at.y}, style.theme->hairline.u32());
    caption({at.x, at.y + px(4)}, fmt::format("called: {}", file->path));
    const float caption_height = px(22);
    helper_.show(file->text);
    if (shown_helper_ != file && !place.helper) helper_.scroll_to(first.helper_line);
    shown_helper_ = file;
    ImGui::SetCursorScreenPos({at.x, at.y + caption_height});
    helper_.draw("helper", {size.x, size.y - caption_height}, marks, style);
}

void StepColumn::draw_strips(StepSide& side, const StepPoint& point, ImVec2 at, float width, const ViewStyle& style) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddLine(at, {at.x + width, at.y}, style.theme->hairline.u32());
    const std::string words = in_lines(words_of_moment(traced_->trace, point.done, point.thread), width);
    draw.PushClipRect(at, {at.x + width, at.y + words_height()}, true);
    draw.AddText({at.x, at.y + px(6)}, style.theme->text.u32(), words.c_str());
    draw.PopClipRect();
    at.y += words_height();
    if (const auto picked = draw_lane_strip(at, width, traced_->trace, point, style)) side.thread = *picked;
    if (ItemLog::active) {
        const ImVec2 lane = lane_centre(at, width, 0, style);
        ItemLog::active->add(name_ + "/lane 0", {lane.x - 2, lane.y - 2}, {lane.x + 2, lane.y + 2});
    }
    at.y += lane_strip_height(style) + px(8);
    draw_request_strip(at, width, request_rows_, traced_->trace, point, style);
}

}  // namespace convscope::app
