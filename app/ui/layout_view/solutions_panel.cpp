#include "app/ui/layout_view/solutions_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/session/repeat_example.h"
#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/transport_button.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/layers/layout_builder.h"
#include "kernels/mec/mec_choice.h"
#include "visualizers/explain/math_text.h"
#include "visualizers/style/math_view.h"

namespace convscope::app {
namespace {

constexpr double seconds_a_step = 0.8;

/// T as the launch panel has it for mec2, else the paper's.
std::int64_t threshold_of(const Session& session) {
    const LaunchConfig config = launch_of(session, "mec2");
    const auto set = config.tunables.find("T");
    return set == config.tunables.end() ? mec_default_threshold : set->second;
}

float note_height(const std::string& text) {
    WithFont font(look().fonts->small);
    return ImGui::CalcTextSize(text.c_str(), nullptr, false, ImGui::GetContentRegionAvail().x).y + px(2);
}

/// A note with mathematics in it.
void set_note(const std::string& text, const ViewStyle& style) {
    capture_text(plain_words(text));
    const float width = ImGui::GetContentRegionAvail().x;
    draw_words(style.caption(), ImGui::GetCursorScreenPos(), width, text, style.theme->text_dim, style);
    ImGui::Dummy({width, words_size(style.caption(), text, width, style).y});
}

float set_note_height(const std::string& text, const ViewStyle& style) {
    return words_size(style.caption(), text, ImGui::GetContentRegionAvail().x, style).y + px(2);
}

}  // namespace

std::string SolutionsPanel::draw(Frame& frame, const ViewStyle& style) {
    lead_ = {};
    const ConvShape& shape = frame.snapshot->group->spec.shape;
    try {
        require_layout(Format::mec, shape);
    } catch (const Error& error) {
        problem(error.what());
        return {};
    }
    const std::int64_t threshold = threshold_of(frame.session);
    SolutionChoice& choice = frame.session.pages.solution;
    const bool takes_b = !mec_takes_solution_a(shape, threshold);
    const bool slide = shows_slide(frame.session);
    if (!slide) choose(frame, takes_b);
    const MecSolution solution(shape, choice.b.value_or(takes_b));
    // With one image the rows are in order already: there is nothing to copy.
    const std::int64_t steps = shape.n > 1 ? solution.steps() : solution.products();
    // The choice is kept while a smaller layer has fewer products: changing it would be one more step to undo.
    const std::int64_t shown = std::min(choice.product, steps - 1);
    std::int64_t step = shown;
    bool& playing = frame.session.plays_solution;
    const bool has_keys = focus_order().leaves_keys_to_view();
    play(playing, step, steps, !has_keys || arrows_are_taken());
    transport(frame.session.requested.play, playing, step, steps, slide);
    if (step != shown) choice.product = step;

    lead_ = solution.describe(step);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const MecSolution a(shape, false), b(shape, true);
    const std::string why = describe_mec_choice(shape, threshold, frame.session.desktop_state.preferences.notation);
    const std::string costs = fmt::format(
        "A: {} of {}{}.   B: {} of {}. Both do the same number of multiplications.", format_count(a.products()),
        a.gemm_size(), shape.n > 1 ? fmt::format(", then {} rows copied into order", format_count(a.copies())) : "",
        format_count(b.products()), b.gemm_size());
    const float footer = set_note_height(why, style) + note_height(costs) + px(8);
    if (room.y - footer < px(110)) {
        note("Make this view higher to see the matrices.");
        return {};
    }
    const std::pair shown_in{frame.snapshot->number, solution.is_b()};
    const bool unpins = has_keys && pressed(Key::escape) && !focus_order().took_escape() && !style.presented;
    if (std::exchange(pinned_in_, shown_in) != shown_in || unpins) pinned_.reset();
    const SolutionsResult result = view_.draw(*frame.snapshot->group, frame.snapshot->number, solution, step, pinned_,
                                              {at.x, at.y + px(4)}, {room.x, room.y - footer - px(8)}, style);
    for (const SolutionsResult::Box& box : result.matrices)
        if (ItemRegistry::active)
            ItemRegistry::active->add(std::string("solutions/matrix ") + box.name, box.min, box.max);
    ImGui::SetCursorScreenPos({at.x, at.y + room.y - footer});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(2)});
    set_note(why, style);
    note(costs);
    ImGui::PopStyleVar();
    return result.sentence;
}

void SolutionsPanel::choose(Frame& frame, bool takes_b) {
    SolutionChoice& choice = frame.session.pages.solution;
    const bool shown_b = choice.b.value_or(takes_b);
    auto pick = [&](const char* item, const char* label, bool b, const char* meaning) {
        if (segment(item, label, shown_b == b)) {
            choice.b = b;
            choice.product = 0;
        }
        tip(meaning);
        ImGui::SameLine(0, px(6));
    };
    pick("solutions/A", "Solution A", false, "One product for each output row, of all images; then O is put in order");
    pick("solutions/B", "Solution B", true, "One product for each image and output row; O is in order");
    if (frame.snapshot->group->spec.shape.n == 1) {
        ImGui::SameLine(0, px(14));
        if (button("solutions/batch", "Batch of 3, as in Fig. 3")) repeat_example(frame.session, 3);
        tip("With one image A and B are the same products");
        ImGui::SameLine(0, px(6));
    }
}

void SolutionsPanel::play(bool& playing, std::int64_t& step, std::int64_t steps, bool elsewhere) {
    const double now = ImGui::GetTime();
    if (!elsewhere) {
        if (pressed(Key::right, true)) step = std::min(step + 1, steps - 1);
        if (pressed(Key::left, true)) step = std::max<std::int64_t>(step - 1, 0);
        if (pressed(Key::home)) step = 0;
        if (pressed(Key::end)) step = steps - 1;
    }
    if (!playing) {
        since_ = now;
    } else if (now - since_ >= seconds_a_step) {
        since_ = now;
        step = std::min(step + 1, steps - 1);
        if (step == steps - 1) playing = false;
    }
}

void SolutionsPanel::transport(std::optional<PlayMove>& requested, bool& playing, std::int64_t& step,
                               std::int64_t steps, bool by_keys_alone) {
    std::optional<PlayMove> move = std::exchange(requested, std::nullopt);
    if (!by_keys_alone) {
        ImGui::SameLine(0, px(14));
        if (ImGui::GetContentRegionAvail().x < px(230)) ImGui::NewLine();
        const PlayButtons buttons{"solutions", "product", "Goes through the products, one after the other", step > 0,
                                  step + 1 < steps};
        if (const auto pressed = play_buttons(buttons, playing)) move = pressed;
    }
    if (move == PlayMove::back) --step;
    if (move == PlayMove::forward) ++step;
    if (move == PlayMove::play_or_pause) {
        playing = !playing;
        if (playing && step == steps - 1) step = 0;
    }
    if (by_keys_alone) return;
    ImGui::SameLine(0, px(10));
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("step %s of %s", format_count(step + 1).c_str(), format_count(steps).c_str());
}

}  // namespace convscope::app
