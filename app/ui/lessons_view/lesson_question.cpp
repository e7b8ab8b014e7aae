// A question of the lesson column: its field or options, and what is said of an answer.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/lessons/player.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/lessons_view/lesson_column.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

using lessons::Ask;
using lessons::Player;

/// Text that was typed before the field could take it stands in it already: the cursor goes behind it.
int go_to_end(ImGuiInputTextCallbackData* data) {
    auto* wanted = static_cast<bool*>(data->UserData);
    if (!wanted || !*wanted) return 0;
    data->CursorPos = data->BufTextLen;
    data->ClearSelection();
    *wanted = false;
    return 0;
}

}  // namespace

void LessonColumn::question(Frame& frame, LessonGuide& guide, const Ask& ask, int number) {
    Player& player = *guide.player();
    const Theme& theme = *look().theme;
    const lessons::Given* given = player.given(ask);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::Indent(px(12));
    if (ask.predict || ask.final) {
        WithFont font(look().fonts->small);
        const char* const kind = ask.final ? "CHECK" : "PREDICT, THEN SEE";
        capture_text(kind);
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(theme.text_dim.u32()), "%s", kind);
        tip(ask.final ? "The first answer counts in the check at the end"
                      : "Your answer is taken first; then the app does it, and compares");
    }
    lesson_text(ask.question, &guide.facts(), theme.text.u32());
    if (given)
        verdict(frame, guide, ask, number);
    else if (ask.answer)
        answer_field(frame, guide, ask, number);
    else
        options(guide, ask, number);
    lessons::QuestionState& state = player.requested(ask);
    if (!given && !state.rejection.empty()) {
        paragraph("Not quite: " + state.rejection, theme.warning.u32());
        announce(fmt::format("rejection {}", number), "Not quite: " + state.rejection);
    }
    if (!given && state.hint && !ask.hint.empty()) lesson_text(ask.hint, &guide.facts(), theme.text_dim.u32());
    if (!given && !state.note.empty()) {
        const bool measuring = state.waiting && frame.live.wanted();
        note(measuring ? fmt::format("Measuring ({}): {}", frame.live.snapshot().phase, state.note) : state.note);
    }
    if (!given && !state.rejected.empty() && !state.waiting) {
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(6), px(1)});
        if (button(fmt::format("lesson/solution {}", number).c_str(), "Show the answer")) player.give_up(ask);
        tip("Instead of a second try");
        ImGui::PopStyleVar();
    }
    ImGui::Unindent(px(12));
    if (to_open_ && player.open_question() == &ask) {
        ImGui::SetScrollHereY(1);
        to_open_ = false;
    }
    const Rgba& edge = !given             ? theme.accent
                       : given->undecided ? theme.hairline
                       : given->right     ? theme.good
                                          : theme.warning;
    card_edge(start.x, start.y, edge.u32());
    ImGui::Dummy({0, px(6)});
}

void LessonColumn::answer_field(Frame&, LessonGuide& guide, const Ask& ask, int number) {
    Player& player = *guide.player();
    lessons::QuestionState& state = player.requested(ask);
    const std::string name = fmt::format("lesson/answer {}", number);
    ImGui::PushID(number);
    ImGui::BeginDisabled(state.waiting);
    const bool first = player.open_number() == &ask;
    if (first && focus_) {
        // It comes a frame after it is requested, unless something else takes the keyboard in that frame.
        if (in_field_ || !ImGui::IsAnyItemActive()) {
            if (ImGui::GetFrameCount() % 3 == 0) ImGui::SetKeyboardFocusHere();
        } else {
            focus_ = false;  // the user does something else by now
        }
    }
    ImGui::SetNextItemWidth(px(104));
    bool entered = false;
    {
        WithFont font(look().fonts->mono);
        entered = ImGui::InputText("##answer", &state.typed,
                                   ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways, go_to_end,
                                   first ? &to_end_ : nullptr);
    }
    if (first) in_field_ = ImGui::IsItemActive();
    if (in_field_) focus_ = false;
    register_item(name.c_str(),
                  {ControlRole::field, ask.unit.empty() ? "Your answer" : "Your answer in " + ask.unit, state.typed});
    tip("A number: 81, 0.5, 1/3, 1e6");
    if (!ask.unit.empty()) {
        ImGui::SameLine();
        ImGui::TextDisabled("%s", ask.unit.c_str());
    }
    ImGui::SameLine();
    const bool open = player.open_question() == &ask;
    if (button(fmt::format("lesson/commit {}", number).c_str(), "Answer", open, !state.waiting) || entered) {
        player.commit(ask);
        focus_ = focus_ || (entered && player.open_number() == &ask);  // it was no number
    }
    ImGui::EndDisabled();
    if (!ask.hint.empty() && !state.hint) {
        ImGui::SameLine();
        if (button(fmt::format("lesson/hint {}", number).c_str(), "Hint")) state.hint = true;
    }
    ImGui::PopID();
}

void LessonColumn::options(LessonGuide& guide, const Ask& ask, int number) {
    Player& player = *guide.player();
    lessons::QuestionState& state = player.requested(ask);
    const Theme& theme = *look().theme;
    const bool by_letter = player.open_question() == &ask;
    ImGui::BeginDisabled(state.waiting);
    for (int i = 0; i < static_cast<int>(ask.options.size()); ++i) {
        const std::string name = fmt::format("lesson/option {}/{}", number, i);
        const std::string& label = ask.options[static_cast<std::size_t>(i)].label;
        const float room = ImGui::GetContentRegionAvail().x - px(34);
        const std::string lines = in_lines(label, room);
        const ImVec2 at = ImGui::GetCursorScreenPos(), text = ImGui::CalcTextSize(lines.c_str());
        const ImVec2 size{ImGui::GetContentRegionAvail().x, text.y + px(8)};
        ImGui::PushID(i);
        if (ImGui::InvisibleButton("option", size)) state.picked = i;
        const bool hovered = ImGui::IsItemHovered(), picked = state.picked == i;
        register_item(name.c_str(), {ControlRole::option, label, {}, picked});
        ImGui::PopID();
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        if (hovered || picked)
            draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, (picked ? theme.raised : theme.hovered).u32(),
                               px(4));
        if (picked) draw.AddRect(at, {at.x + size.x, at.y + size.y}, theme.accent.u32(), px(4));
        draw.AddText(look().fonts->mono_small, look().fonts->mono_small->FontSize, {at.x + px(8), at.y + px(5)},
                     (by_letter ? theme.accent : theme.text_dim).u32(),
                     std::string(1, static_cast<char>('A' + i)).c_str());
        draw.AddText({at.x + px(28), at.y + px(4)}, theme.text.u32(), lines.c_str());
    }
    if (button(fmt::format("lesson/commit {}", number).c_str(), "Answer", by_letter,
               state.picked >= 0 && !state.waiting))
        player.commit(ask);
    ImGui::EndDisabled();
    if (!ask.hint.empty() && !state.hint) {
        ImGui::SameLine();
        if (button(fmt::format("lesson/hint {}", number).c_str(), "Hint")) state.hint = true;
    }
}

void LessonColumn::verdict(Frame& frame, LessonGuide& guide, const Ask& ask, int number) {
    Player& player = *guide.player();
    const Theme& theme = *look().theme;
    const lessons::Given given = *player.given(ask);
    if (given.undecided) {
        paragraph("Your answer: " + given.answer, theme.text.u32());
        register_rect(fmt::format("lesson/verdict {}", number).c_str());
        paragraph(given.words, theme.text_dim.u32());
        return;
    }
    const ImU32 colour = (given.right ? theme.good : theme.warning).u32();
    tick_mark(given.right, colour);
    register_rect(fmt::format("lesson/verdict {}", number).c_str());
    ImGui::SameLine(0, px(6));
    const std::string unit = ask.answer && !ask.unit.empty() ? " " + ask.unit : std::string();
    ImGui::BeginGroup();
    const std::string answer = ask.answer ? given.answer + unit : fmt::format("'{}'", given.answer);
    const std::string words = given.right ? fmt::format("Right: {}{}", given.answer, unit)
                                          : fmt::format("Not quite: {} is not right", answer);
    paragraph(words, colour);
    announce(fmt::format("verdict {}", number), words);
    if (!given.words.empty()) lesson_text(words_.read(given.words, frame.registry), nullptr, theme.text.u32());
    ImGui::EndGroup();
}

}  // namespace convscope::app
