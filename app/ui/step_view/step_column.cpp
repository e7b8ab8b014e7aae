#include "app/ui/step_view/step_column.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/ui/input/item_registry.h"
#include "app/ui/step_view/step_pickers.h"
#include "app/ui/widgets/split_edge.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/layers/layer_slice.h"
#include "kernels/layers/preset.h"
#include "visualizers/step/step_description.h"
#include "visualizers/step/warp_strip.h"

namespace convscope::app {
namespace {

constexpr double busy_delay_s = 0.15;  ///< longer tracing shows that it is under way
constexpr int settle_ms = 12;  ///< small blocks are traced in less: the choice and the picture change in one frame
constexpr int max_request_rows = 4;
constexpr float slide_source = 0.58F;     ///< of the width, or the height
constexpr float min_source_height = 124;  ///< px at scale 1: its heading and some lines

float words_height() {
    return 2 * ImGui::GetTextLineHeight() + px(10);
}

}  // namespace

StepColumn::StepColumn(std::string name, GridRenderer& renderer, std::function<void()> wake)
    : name_(std::move(name)), builder_(std::move(wake)), source_(name_), arrays_(renderer) {}

void StepColumn::update(const Frame& frame, const StepSide& side, const std::string& method) {
    const Session& session = frame.session;
    // While a layer is being built, the picture stays that of the one before.
    const bool ready = frame.shows_chosen_layer();
    if (!ready && session.rejection.empty()) waited_in_ = ImGui::GetFrameCount();
    if (!ready) {
        builder_.drop();
        requested_.reset();
    } else if (session.rejection.empty()) {
        PendingTrace pending;
        pending.request.workload = session.good;
        pending.request.method = method;
        pending.request.kernel = side.kernel;
        pending.request.block = side.block;
        pending.request.launch = launch_of(session, method);
        pending.data = frame.snapshot->workload;
        pending.slice = session.step.slice && !slices_of(session.good.shape).empty();
        if (requested_ != pending) request(std::move(pending));
    }
    if (std::string error = builder_.take_error(); !error.empty()) {
        problem_ = std::move(error);
        has_slice_ = has_slice();
    }
    traced_ = builder_.latest();
    // The last trace stays in sight while a newer one is made or fails, unless that is of another layer or kernel.
    const bool waits = !problem_.empty() || asks_first_ || builder_.busy_seconds() >= busy_delay_s;
    const auto is_wanted = [this] {
        return is_wanted_kernel(*traced_) && traced_->layer == requested_->request.workload &&
               traced_->slice == requested_->slice;
    };
    stale_ = traced_ && requested_ && waits && !is_wanted();
    if (sliced() && !plan_ && !waits && traced_ && !builder_.busy()) plan_ = traced_->plan;
}

void StepColumn::request(PendingTrace pending) {
    requested_ = std::move(pending);
    plan_.reset();
    problem_.clear();
    asks_first_ = has_slice_ = false;
    builder_.drop();
    try {
        // The plan of a slice comes with its trace.
        if (!sliced()) plan_ = plan_trace(requested_->request);
        asks_first_ = plan_ && plan_->bytes > max_unconfirmed_bytes;
        if (!asks_first_) trace();
    } catch (const Error& error) {
        problem_ = error.what();
    }
    if (asks_first_ || !problem_.empty()) has_slice_ = has_slice();
}

bool StepColumn::is_wanted_kernel(const TracedKernel& traced) const {
    const TraceRequest& wanted = requested_->request;
    const std::string& kernel = plan_ ? plan_->launch().kernel : wanted.kernel;
    return traced.plan.method.id == wanted.method && (kernel.empty() || traced.plan.launch().kernel == kernel);
}

/// Whether the method takes a slice of what is wanted.
bool StepColumn::has_slice() const {
    if (!requested_ || sliced()) return false;
    TraceRequest request = requested_->request;
    for (const ConvShape& slice : slices_of(request.workload.shape)) {
        request.workload.shape = slice;
        try {
            plan_trace(request);
            return true;
        } catch (const Error&) {
            continue;
        }
    }
    return false;
}

/// update() notes it in every frame that is drawn: a view that is left waits for nothing.
bool StepColumn::waits_for_layer() const {
    return ImGui::GetFrameCount() <= waited_in_ + 1;
}

void StepColumn::trace() {
    asks_first_ = false;
    builder_.request(*requested_);
    builder_.settle(settle_ms);
}

void StepColumn::choose_kernel(StepSide& side, float max_width) {
    if (!has_kernels()) return;
    std::vector<std::string> names;
    for (const KernelLaunch& kernel : plan_->kernels) names.push_back(kernel.kernel);
    ImGui::SameLine();
    const float width = std::min(px(152), max_width);
    const int picked = choice((name_ + "/kernel").c_str(), plan_->launch().kernel, names, width);
    tip("Which of the method's kernels is stepped through; those before it run whole");
    if (picked < 0) return;
    side = {};
    side.kernel = names[static_cast<std::size_t>(picked)];
}

void StepColumn::choose_block(StepSide& side, const Dim3& block) {
    side.block = block;
    side.done = 1;
}

void StepColumn::draw(Session& session, std::size_t index, ImVec2 at, ImVec2 size, const ViewStyle& style) {
    StepSide& side = session.step.sides[index];
    ImGui::PushID(name_.c_str());
    const float bottom = at.y + size.y;
    if (!style.presented) at.y += draw_pickers(side, at, size.x);
    at.y += draw_slice(session, at, size.x, style.presented);
    at.y += draw_notices(session, at, size.x);
    const ImVec2 room{size.x, bottom - at.y};
    // Without a slice there is nothing to wait for behind another kernel's stage.
    const bool another = stale_ && !problem_.empty() && !has_slice_ && !is_wanted_kernel(*traced_);
    if (traced_ && !another) {
        ImGui::BeginDisabled(stale_);
        draw_stage(session, index, at, room, style);
        ImGui::EndDisabled();
        if (stale_) shade((name_ + "/shade").c_str(), at, room);
    } else if (problem_.empty()) {
        ImGui::SetCursorScreenPos(at);
        if (!asks_first_) note("Tracing the block...");
    } else {
        ImGui::SetCursorScreenPos(at);
        other_choices(session, side);
    }
    ImGui::PopID();
}

/// The source and the arrays, then what happens in the step.
void StepColumn::draw_stage(Session& session, std::size_t index, ImVec2 at, ImVec2 size, const ViewStyle& style) {
    StepSide& side = session.step.sides[index];
    if (!stale_) source_.take_request(session, index, *traced_);
    // A choice that was made for the next trace outlives this one.
    const StepPoint point{std::min(side.done, traced_->trace.size()),
                          std::min(side.thread, traced_->trace.trace().threads() - 1)};
    request_rows_ = std::clamp(traced_->trace.max_request_rows(), 1, max_request_rows);
    const float words = without_sentence_ ? px(8) : words_height();
    const auto height_of_strips = [&] {
        return words + lane_strip_height(style) + px(8) + request_strip_height(request_rows_, style);
    };
    // The source needs its lines more than a request of many rows needs its room.
    const bool above = size.x < px(side_by_side) && !style.presented;
    if (above && size.y - height_of_strips() < 2 * px(min_source_height)) request_rows_ = 1;
    const float strips = height_of_strips();
    const float room = size.y - strips - px(8);
    if (room > px(80)) draw_panes(session, {*traced_, index, point}, at, {size.x, room}, style);
    draw_strips(side, point, {at.x, at.y + size.y - strips}, size.x, style);
}

/// Offers other choices where a kernel cannot be traced.
void StepColumn::other_choices(Session& session, StepSide& side) {
    note("Choose another kernel, a smaller block of threads, or one of the papers' examples:");
    if (plan_)
        for (const KernelLaunch& each : plan_->kernels)
            if (each.kernel != plan_->launch().kernel &&
                button((name_ + "/to " + each.kernel).c_str(), each.kernel.c_str())) {
                side = {};
                side.kernel = each.kernel;
            }
    constexpr const char* example = "examples/xu-fig4";
    if (button((name_ + "/to example").c_str(), example)) set_workload(session, find_preset(example).spec);
}

StepTrack StepColumn::track(const StepMarks& marks) {
    if (!traced()) return {};
    return {&traced_->trace.replay(), source_.stops(marks.breakpoints, *traced_)};
}

/// The source and the arrays, on either side of an edge that is dragged.
void StepColumn::draw_panes(Session& session, const SourcePosition& shown, ImVec2 at, ImVec2 size,
                            const ViewStyle& style) {
    const bool wide = size.x >= px(side_by_side);
    const float edge = px(12);  // between them
    Appearance& appearance = session.appearance;
    const float whole = (wide ? size.x : size.y) - edge;
    float& share = wide ? appearance.step_source_width : appearance.step_source_height;
    // A low pane shows some lines all the same; an audience reads them more than the arrays.
    const float least = style.presented ? slide_source * whole
                        : wide          ? 0
                                        : std::min(px(min_source_height), whole * 2 / 3);
    const auto length_of = [&] { return std::round(std::max(whole * share, least)); };
    split_share((name_ + "/splitter").c_str(),
                wide ? ImVec2{at.x + length_of(), at.y} : ImVec2{at.x, at.y + length_of()},
                wide ? ImVec2{edge, size.y} : ImVec2{size.x, edge}, wide, share, whole);
    const float length = length_of();
    const ImVec2 first = wide ? ImVec2{length, size.y} : ImVec2{size.x, length};
    const ImVec2 rest = wide ? ImVec2{whole - length, size.y} : ImVec2{size.x, whole - length};
    const ImVec2 corner = wide ? ImVec2{at.x + length + edge, at.y} : ImVec2{at.x, at.y + length + edge};
    source_.draw(session, shown, at, first, style);
    arrays_.draw(corner, rest, {traced_->trace, traced_->number, shown.point, wide, !session.step.companion.empty()},
                 style);
}

float StepColumn::draw_pickers(StepSide& side, ImVec2 at, float width) {
    if (!plan_) return 0;
    const KernelLaunch& launch = plan_->launch();
    const float half = std::round((width - px(16)) / 2);
    ImGui::SetCursorScreenPos(at);
    if (const auto block = pick_block(name_.c_str(), {half, pickers_height()}, launch, side.block))
        choose_block(side, *block);
    if (traced()) {
        ImGui::SetCursorScreenPos({at.x + half + px(16), at.y});
        if (const auto thread = pick_thread(name_.c_str(), {half, pickers_height()}, traced_->trace, side.thread))
            side.thread = *thread;
    }
    return pickers_height() + px(4);
}

/// Where a slice is shown, what it is of, and the way back to the whole layer.
float StepColumn::draw_slice(Session& session, ImVec2 at, float width, bool presented) {
    if (!sliced()) return 0;
    const WorkloadSpec& layer = requested_->request.workload;
    std::string text = "slice of " + (layer.name == "custom" ? "a layer" : layer.name);
    if (const TracedKernel* const traced = this->traced(); traced && traced->slice) {
        const ConvShape &of = layer.shape, &slice = traced->workload.shape;
        text += fmt::format(": {} of {}, {} of {}", slice.c, counted(static_cast<std::size_t>(of.c), "channel"),
                            slice.k, counted(static_cast<std::size_t>(of.k), "filter"));
    }
    ImGui::SetCursorScreenPos(at);
    const char* const back = "Whole layer";
    const float button_width = ImGui::CalcTextSize(back).x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::AlignTextToFramePadding();
    clipped_text(text.c_str(), width - (presented ? 0 : button_width + px(12)), look().theme->text.u32());
    register_rect((name_ + "/slice").c_str());
    announce(name_ + "/slice", text);
    if (!presented) {
        ImGui::SameLine(0, px(12));
        if (button((name_ + "/whole layer").c_str(), back)) step_through_slice(session, false);
        tip("Traces the block of the whole layer again");
    }
    return ImGui::GetFrameHeight() + px(6);
}

/// The problem of the kernel or of the request, or how long tracing has taken.
float StepColumn::draw_notices(Session& session, ImVec2 at, float width) {
    std::string text = problem_;
    if (text.empty() && traced() && traced_->trace.finding()) text = traced_->trace.finding()->what();
    const double busy = builder_.busy_seconds();
    float height = 0;
    if (!text.empty()) {
        const Theme& theme = *look().theme;
        WithFont font(look().fonts->small);
        announce(name_ + "/notice", text);
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
            fmt::format("Tracing this block takes {} of the host's memory.", format_bytes(plan_->bytes)).c_str());
        ImGui::SameLine();
        if (button((name_ + "/agree").c_str(), "Trace it", !has_slice_)) trace();
        height += ImGui::GetFrameHeight() + px(6);
    }
    if (has_slice_) {
        ImGui::SetCursorScreenPos({at.x, at.y + height});
        if (button((name_ + "/trace slice").c_str(), "Trace a slice", true)) step_through_slice(session, true);
        tip("A block of the same layer with 4 channels or 1, and 1 filter: the same code in fewer steps");
        height += ImGui::GetFrameHeight() + px(6);
    }
    if (busy >= busy_delay_s) {
        ImGui::SetCursorScreenPos({at.x, at.y + height});
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("Tracing the block, %.1f s", busy);
        ImGui::SameLine();
        if (button((name_ + "/cancel").c_str(), "Cancel")) builder_.cancel();
        height += ImGui::GetFrameHeight() + px(6);
    }
    return height;
}

std::string StepColumn::sentence(const StepSide& side) const {
    const TracedBlock& trace = traced_->trace;
    return words_of_moment(trace, std::min(side.done, trace.size()),
                           std::min(side.thread, trace.trace().threads() - 1));
}

void StepColumn::draw_sentence(const StepSide& side, ImVec2 at, float width) const {
    const std::string sentence = this->sentence(side);
    announce(name_ + "/sentence", sentence);
    if (without_sentence_) return;
    const std::string two_lines = in_lines(sentence, width, 2);
    ImGui::GetWindowDrawList()->AddText({at.x, at.y + px(6)}, look().theme->text.u32(), two_lines.c_str());
    if (two_lines == in_lines(sentence, width)) return;
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, words_height()});
    tip(sentence);
}

void StepColumn::draw_strips(StepSide& side, const StepPoint& point, ImVec2 at, float width, const ViewStyle& style) {
    ImGui::GetWindowDrawList()->AddLine(at, {at.x + width, at.y}, style.theme->hairline.u32());
    const float top = at.y + 1;
    draw_sentence(side, at, width);
    at.y += without_sentence_ ? px(8) : words_height();
    if (const auto picked = draw_lane_strip(at, width, traced_->trace, point, style)) side.thread = *picked;
    for (const unsigned lane : {0U, 31U}) {
        if (!ItemRegistry::active) break;
        const ImVec2 centre = lane_centre(at, width, lane, style);
        ItemRegistry::active->add(fmt::format("{}/lane {}", name_, lane), {centre.x - 2, centre.y - 2},
                                  {centre.x + 2, centre.y + 2});
    }
    at.y += lane_strip_height(style) + px(8);
    draw_request_strip(at, width, request_rows_, traced_->trace, point, style);
    if (figure_hook)
        figure_hook(fmt::format("Lanes and memory request of step {}", point.done), at.x, top, width,
                    at.y + request_strip_height(request_rows_, style) - top, {});
}

}  // namespace convscope::app
