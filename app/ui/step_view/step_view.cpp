#include "app/ui/step_view/step_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/session/method_choice.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/step_view/step_cards.h"
#include "app/ui/widgets/lead_line.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/simt/as_printed.h"

namespace convscope::app {
namespace {

constexpr const char* nothing = "none";
constexpr const char* second_label = "second kernel";
constexpr float chooser_width = 208;

void name_method(const MethodInfo& info) {
    paragraph(fmt::format("{}: {}", info.id, info.title), look().theme->text.u32());
    if (!info.paper.empty()) note(fmt::format("{}, {}", info.paper, info.follows));
}

std::string list_name(const std::string& id) {
    const bool as_printed = std::ranges::find(as_printed_ids, id) != as_printed_ids.end();
    return as_printed ? id + " as printed" : id;
}

}  // namespace

StepView::StepView(const std::function<void()>& wake)
    : columns_{StepColumn("step", renderer_, wake), StepColumn("beside", renderer_, wake)} {}

void StepView::draw(Frame& frame, const ViewStyle& style) {
    renderer_.begin_frame();
    Session& session = frame.session;
    StepChoice& choice = session.step;
    columns_[0].update(frame, choice.sides[0], stepped_method(session, traceable_.registry()));
    const bool two = two_ = !choice.companion.empty();
    if (two) columns_[1].update(frame, choice.sides[1], choice.companion);
    std::optional<LineMove>& line_move = session.requested.line;
    const bool arrow = line_move == LineMove::up || line_move == LineMove::down;
    if (arrow && arrows_are_taken()) line_move.reset();
    if (!two) session.line.side = 0;
    const std::array<StepTrack, 2> tracks{columns_[0].track(choice.marks),
                                          two ? columns_[1].track(choice.marks) : StepTrack{}};
    player_.take(std::exchange(session.requested.step, {}), choice, session.plays_steps, tracks);
    player_.advance(choice, session.plays_steps, tracks, ImGui::GetIO().DeltaTime, steps_per_second(session));

    // A slide is moved by keys; a lesson's has its buttons.
    const bool slide = shows_slide(session);
    if (slide && !two) draw_lead(lead(frame));
    const ImVec2 start = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = px(24), width = two ? std::round((room.x - gap) / 2) : room.x;
    if (!style.presented) choosers(frame, width + gap);
    ImVec2 at{start.x, start.y + (style.presented ? 0 : ImGui::GetFrameHeight() + px(8))};
    if (!slide && !two) {
        // The stage below it stays where it is from step to step.
        ImGui::SetCursorScreenPos(at);
        const float height = lead_height();
        draw_lead(lead(frame), {.height = height});
        at.y += height + px(4);  // two lines fill it
    }
    const float below = slide ? 0 : StepTransport::height() + px(4), height = room.y - (at.y - start.y) - below;
    for (StepColumn& column : columns_) column.leave_sentence_to_lead(!two);
    columns_[0].draw(session, 0, at, {width, height}, style);
    if (two) {
        const float line = at.x + width + gap / 2;
        ImGui::GetWindowDrawList()->AddLine({line, start.y}, {line, at.y + height}, style.theme->hairline.u32());
        columns_[1].draw(session, 1, {at.x + width + gap, at.y}, {width, height}, style);
    }
    if (!slide) {
        ImGui::SetCursorScreenPos({start.x, start.y + room.y - StepTransport::height() + px(8)});
        transport_.draw(frame, tracks);
    }
    line_move.reset();
}

Lead StepView::lead(const Frame& frame) const {
    const StepSide& side = frame.session.step.sides[0];
    const TracedKernel* const traced = columns_[0].traced();
    if (!traced) return {};
    const std::size_t done = std::min(side.done, traced->trace.size());
    const std::size_t all = traced->trace.size();
    Lead lead{"Step ", std::to_string(done), fmt::format(" of {}: {}", all, columns_[0].sentence(side))};
    if (all > 0) lead.share = static_cast<double>(done) / static_cast<double>(all);
    lead.remains = true;
    return lead;
}

std::string StepView::held(const Frame& frame) const {
    const StepChoice& choice = frame.session.step;
    std::string text;
    for (std::size_t i = 0; i < (choice.companion.empty() ? 1U : 2U); ++i) {
        const TracedKernel* const traced = columns_[i].traced();
        if (!traced) continue;
        text += fmt::format("{}{}, kernel {} on the simulated GPU{}, block ({}, {}, {}), after step {} of {}.",
                            text.empty() ? "" : " Beside it ", traced->plan.method.id, traced->plan.launch().kernel,
                            traced->slice ? ", a slice of the layer: " + to_string(traced->workload.shape) : "",
                            traced->block.x, traced->block.y, traced->block.z,
                            std::min(choice.sides[i].done, traced->trace.size()), traced->trace.size());
    }
    return text;
}

Explanation StepView::explain(const Session&) const {
    return {"Step: what a kernel does, one instruction of one warp at a time",
            "The kernel's own source runs on the simulated GPU, every access watched; no GPU is needed. Pick a "
            "block and a thread at the top. In each step the lit line is run by the active lanes of one warp: "
            "the element that your thread reads is outlined in the accent colour, the one that it writes is "
            "filled, those of other lanes have the lanes' colours. Below, the 32 lanes with what each loaded, "
            "stored or computed, and why the others are idle; and the memory request they made: the 32-byte "
            "sectors that move, or the banks of shared memory, a row for each pass. In the source, a click next to a "
            "line's number sets a breakpoint, where play stops, there or at the next line with a step (a memory access "
            "or a "
            "multiply-add); the right button, or R, runs to a line; a name that is "
            "pointed at shows what it is in each lane, as far as the trace knows. 'second kernel' adds one on the "
            "same workload, stepped together with the first."};
}

bool StepView::choose_method(const char* item_name, const std::string& shown, bool or_none, float width,
                             std::string& picked) {
    std::vector<std::string> ids, names;
    if (or_none) {
        ids.emplace_back();
        names.emplace_back(nothing);
    }
    for (const Method* method : traceable_.registry().methods(DeviceKind::sim)) {
        ids.push_back(method->info().id);
        names.push_back(list_name(method->info().id));
    }
    const int index = choice(item_name, shown.empty() ? nothing : list_name(shown), names, width);
    if (index >= 0) picked = ids[static_cast<std::size_t>(index)];
    return index >= 0;
}

void StepView::choosers(Frame& frame, float middle) {
    Session& session = frame.session;
    const float start = ImGui::GetCursorPosX(), gap = ImGui::GetStyle().ItemSpacing.x;
    const float right = ImGui::GetContentRegionMax().x;
    const bool two = !session.step.companion.empty();
    const float label = two ? 0 : ImGui::CalcTextSize(second_label).x + px(8);
    // Lists that have no room for what they would like to be are equally narrow.
    const auto list_width = [gap](float room, int lists) {
        const float each = (room - gap * static_cast<float>(lists - 1)) / static_cast<float>(lists);
        return std::min(px(chooser_width), each);
    };
    const float beside = right - start - middle, room = two ? beside : right - start - label - gap;
    const float width = list_width(room, 1 + columns_[0].has_kernels() + !two);
    std::string picked;
    if (choose_method("step/method", stepped_method(session, traceable_.registry()), false, width, picked))
        app::choose_method(session, picked);
    tip("The method whose kernel is stepped through");
    columns_[0].choose_kernel(session.step.sides[0], width);
    const float second = two ? list_width(beside, 1 + columns_[1].has_kernels()) : width;
    ImGui::SameLine();
    ImGui::SetCursorPosX(two ? start + middle : right - second - label);
    if (!two) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("%s", second_label);
        register_rect("step/beside label");
        ImGui::SameLine();
    }
    if (choose_method("step/beside", session.step.companion, true, second, picked)) compare_steps_with(session, picked);
    tip("A second kernel on the same workload, stepped together with the first");
    if (two) columns_[1].choose_kernel(session.step.sides[1], second);
}

void StepView::inspect(Frame& frame) {
    TracedKernel* first = columns_[0].traced();
    const StepChoice& choice = frame.session.step;
    if (!first) {
        heading("STEP");
        note("Nothing is traced yet.");
        return;
    }
    TracedKernel* second = choice.companion.empty() ? nullptr : columns_[1].traced();
    heading("METHOD");
    name_method(first->plan.method);
    if (second) name_method(second->plan.method);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(4)});
    const StepPosition one{*first, choice.sides[0]};
    auto section = [] {
        ImGui::Dummy({0, px(4)});
        hairline();
    };
    section();
    if (second) {
        const StepPosition two{*second, choice.sides[1]};
        draw_thread_pair(one, two);
        watches_.draw(frame.session.step, one, &two);
        section();
        draw_comparison_card(one, two);
    } else {
        draw_thread_card(one);
        watches_.draw(frame.session.step, one, nullptr);
        section();
        draw_summary_card(one);
    }
    ImGui::PopStyleVar();
}

}  // namespace convscope::app
