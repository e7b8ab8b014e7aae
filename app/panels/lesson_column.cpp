#include "app/panels/lesson_column.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "app/item_log.h"
#include "app/keys.h"
#include "app/lessons/player.h"
#include "app/widgets.h"

namespace convscope::app {
namespace {

using lessons::Ask;
using lessons::Player;

/// A card's left edge, from 'top' to the cursor, in a colour that says what it is.
void edge(float x, float top, ImU32 colour) {
    const float bottom = ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y;
    ImGui::GetWindowDrawList()->AddRectFilled({x, top}, {x + px(3), bottom}, colour, px(1.5F));
}

/// A dot for each step; those behind are filled, the present one is long.
void steps_line(const Player& player) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const Theme& theme = *look().theme;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, gap = px(4);
    const float each = (width - gap * static_cast<float>(player.steps())) / static_cast<float>(player.steps() + 1);
    for (int i = 0; i <= player.steps(); ++i) {
        const float x = at.x + static_cast<float>(i) * (each + gap);
        const Rgba& colour = i == player.step() ? theme.accent : i < player.step() ? theme.text_dim : theme.raised;
        draw.AddRectFilled({x, at.y}, {x + each, at.y + px(3)}, colour.u32(), px(1.5F));
    }
    ImGui::Dummy({width, px(4)});
}

/// Puts what was typed before the field could take it behind what is there.
int take_early(ImGuiInputTextCallbackData* data) {
    auto* early = static_cast<std::string*>(data->UserData);
    if (!early || early->empty()) return 0;
    data->InsertChars(data->BufTextLen, early->c_str());
    data->CursorPos = data->BufTextLen;
    data->ClearSelection();
    early->clear();
    return 0;
}

bool something_in_front(const Session& session) {
    return overlay_open(session) || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

}  // namespace

void LessonColumn::draw(Frame& frame, LessonGuide& guide, const std::string& sentence) {
    keys(frame, guide);
    focus_ = guide.take_wish_for_field() || focus_;
    head(frame, guide);
    const float foot_height = ImGui::GetFrameHeight() + px(16) + 3 * look().fonts->small->FontSize + px(16);
    const float room = std::max(px(80), ImGui::GetContentRegionAvail().y - foot_height);
    ImGui::BeginChild("lesson body", {0, room});
    follow_place(guide);
    if (page_ != 0) ImGui::SetScrollY(ImGui::GetScrollY() + std::exchange(page_, 0.0F));
    at_top_ = ImGui::GetScrollY() <= 0;
    at_bottom_ = ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - px(2);
    if (guide.player()->at_end())
        end_page(frame, guide);
    else
        body(frame, guide);
    ImGui::EndChild();
    log_item("lesson/body");
    foot(frame, guide, sentence);
}

/// Another step begins at its top; what comes into view in a step is gone to when there is something to do.
void LessonColumn::follow_place(const LessonGuide& guide) {
    if (place_ == guide.place()) return;
    place_ = guide.place();
    const bool same_step = step_ == guide.player()->step();
    step_ = guide.player()->step();
    to_open_ = same_step;
    if (!same_step) ImGui::SetScrollY(0);
    ask_for_field(*guide.player());
}

/// A question for a number is typed at without a click, unless something else is being pressed or typed in.
void LessonColumn::ask_for_field(const Player& player) {
    const Ask* open = player.at_end() ? nullptr : player.open_question();
    focus_ = focus_ || (open && open->answer && (in_field_ || !ImGui::IsAnyItemActive()));
}

void LessonColumn::head(Frame& frame, LessonGuide& guide) {
    const Player& player = *guide.player();
    const lessons::Lesson& lesson = player.lesson();
    heading("LESSON");
    ImGui::SameLine(0, px(8));
    {
        WithFont font(look().fonts->small);
        clipped_text(lesson.title.c_str(), ImGui::GetContentRegionAvail().x - px(28), look().theme->text.u32());
    }
    if (!lesson.paper.empty()) tip(lesson.paper);
    steps_line(player);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(6), px(1)});
    WithFont font(look().fonts->small);
    bool own = frame.session.lesson.own_layer;
    if (lesson.own_layer) {
        if (check_box("lesson/own layer", "my layer", own)) guide.use_own_layer(frame.session, own);
        tip("Go through this lesson with the layer that you had before it: every answer is reckoned anew");
    } else {
        ImGui::Dummy({0, ImGui::GetFrameHeight()});
    }
    const char* again = "Show it again";
    const float again_width = ImGui::CalcTextSize(again).x + px(12);
    const float leave_width = ImGui::CalcTextSize("Leave").x + px(12);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - leave_width - px(8) - again_width);
    if (button("lesson/show again", again, guide.wandered(frame.session), !player.at_end()))
        frame.session.lesson.asked = LessonMove::show_again;
    tip("Back to this step's own view, layer and settings. Your answers stay.");
    ImGui::SameLine(ImGui::GetContentRegionMax().x - leave_width);
    if (button("lesson/leave", "Leave")) frame.session.lesson.asked = LessonMove::leave;
    tip("Back to your own session, as it was. What you have done here is remembered.");
    ImGui::PopStyleVar();
    if (!lesson.own_layer) note("Not with a layer of your own: " + lesson.own_layer_why);
    hairline();
}

void LessonColumn::body(Frame& frame, LessonGuide& guide) {
    Player& player = *guide.player();
    const lessons::Step& step = player.present();
    {
        WithFont font(look().fonts->strong);
        paragraph(step.title, look().theme->text.u32());
    }
    const std::size_t visible = player.visible();
    for (std::size_t i = 0; i < visible; ++i) {
        const lessons::Block& block = step.blocks[i];
        ImGui::PushID(static_cast<int>(i));
        if (const lessons::Text* text = std::get_if<lessons::Text>(&block)) {
            lesson_text(*text, &guide.facts(), look().theme->text.u32());
            ImGui::Dummy({0, px(2)});
        }
        if (const Ask* ask = std::get_if<Ask>(&block)) question(frame, guide, *ask, static_cast<int>(i));
        if (const lessons::Task* todo = std::get_if<lessons::Task>(&block))
            task(frame, guide, *todo, static_cast<int>(i));
        ImGui::PopID();
    }
    if (visible < step.blocks.size()) note("The step goes on with your answer.");
}

void LessonColumn::question(Frame& frame, LessonGuide& guide, const Ask& ask, int number) {
    Player& player = *guide.player();
    const Theme& theme = *look().theme;
    const lessons::Given* given = player.given(ask);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::Indent(px(12));
    if (ask.predict || ask.final) {
        WithFont font(look().fonts->small);
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(theme.text_dim.u32()), "%s",
                           ask.final ? "CHECK" : "PREDICT, THEN SEE");
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
    lessons::Asked& state = player.asked(ask);
    if (!given && !state.refusal.empty()) paragraph("Not quite: " + state.refusal, theme.warning.u32());
    if (!given && state.hint && !ask.hint.empty()) lesson_text(ask.hint, &guide.facts(), theme.text_dim.u32());
    if (!given && !state.note.empty()) {
        const bool measuring = state.waiting && frame.live.wanted();
        note(measuring ? fmt::format("Measuring: {}", frame.live.figures().phase) : state.note);
    }
    if (!given && !state.refused.empty() && !state.waiting) {
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
    edge(start.x, start.y, (!given ? theme.accent : given->right ? theme.good : theme.warning).u32());
    ImGui::Dummy({0, px(6)});
}

void LessonColumn::answer_field(Frame&, LessonGuide& guide, const Ask& ask, int number) {
    Player& player = *guide.player();
    lessons::Asked& state = player.asked(ask);
    const std::string name = fmt::format("lesson/answer {}", number);
    ImGui::PushID(number);
    ImGui::BeginDisabled(state.waiting);
    const bool first = player.open_number() == &ask;
    if (first && std::exchange(focus_, false)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(px(104));
    bool entered = false;
    {
        WithFont font(look().fonts->mono);
        entered = ImGui::InputText("##answer", &state.typed,
                                   ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways,
                                   take_early, first ? &early_ : nullptr);
    }
    if (first) in_field_ = ImGui::IsItemActive();
    log_item(name.c_str());
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
    lessons::Asked& state = player.asked(ask);
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
        log_item(name.c_str());
        ImGui::PopID();
        const bool hovered = ImGui::IsItemHovered(), picked = state.picked == i;
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
    const ImU32 colour = (given.right ? theme.good : theme.warning).u32();
    tick_mark(given.right, colour);
    log_item(fmt::format("lesson/verdict {}", number).c_str());
    ImGui::SameLine(0, px(6));
    const std::string unit = ask.answer && !ask.unit.empty() ? " " + ask.unit : std::string();
    ImGui::BeginGroup();
    paragraph(fmt::format("{}: {}{}", given.right ? "Right" : "Not quite", given.answer, unit), colour);
    if (!given.words.empty()) lesson_text(words_.read(given.words, frame.registry), nullptr, theme.text.u32());
    ImGui::EndGroup();
}

void LessonColumn::task(Frame&, LessonGuide& guide, const lessons::Task& task, int number) {
    Player& player = *guide.player();
    const Theme& theme = *look().theme;
    const bool done = player.done(task);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::Indent(px(12));
    {
        WithFont font(look().fonts->small);
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(theme.text_dim.u32()), "TO DO");
    }
    lesson_text(task.task, &guide.facts(), theme.text.u32());
    if (done) {
        tick_mark(true, theme.good.u32());
        log_item(fmt::format("lesson/done {}", number).c_str());
        ImGui::SameLine(0, px(6));
        paragraph("Done", theme.good.u32());
    } else {
        bool& hint = player.task_hint(task);
        bool any = false;
        if (!task.hint.empty() && !hint) {
            if (button(fmt::format("lesson/hint {}", number).c_str(), "Hint")) hint = true;
            any = true;
        }
        if (task.solve) {
            if (any) ImGui::SameLine();
            if (button(fmt::format("lesson/show me {}", number).c_str(), "Show me")) player.solve(task);
            tip("The app does it for you");
        }
        if (hint) lesson_text(task.hint, &guide.facts(), theme.text_dim.u32());
    }
    ImGui::Unindent(px(12));
    edge(start.x, start.y, (done ? theme.good : theme.accent).u32());
    ImGui::Dummy({0, px(6)});
}

void LessonColumn::end_page(Frame& frame, LessonGuide& guide) {
    Player& player = *guide.player();
    const Theme& theme = *look().theme;
    const auto [right, all] = player.result();
    {
        WithFont font(look().fonts->strong);
        paragraph("The end of the lesson", theme.text.u32());
    }
    if (all > 0) {
        tick_mark(right == all, (right == all ? theme.good : theme.warning).u32());
        log_item("lesson/result");
        ImGui::SameLine(0, px(6));
        paragraph(fmt::format("{} of {} questions of the check right at the first try.", right, all), theme.text.u32());
    }
    std::map<int, int> missed;  // questions by step
    for (const auto& [step, ask] : player.missed()) ++missed[step];
    for (const auto& [step, count] : missed) {
        ImGui::AlignTextToFramePadding();
        const std::string& title = player.lesson().steps[static_cast<std::size_t>(step)].title;
        const std::string text = fmt::format("{}: {} missed", title, count);
        clipped_text(text.c_str(), ImGui::GetContentRegionAvail().x - px(96), theme.text_dim.u32());
        ImGui::SameLine();
        if (button(fmt::format("lesson/back to {}", step).c_str(), "Go there")) {
            player.go_to(step);
            break;
        }
    }
    ImGui::Dummy({0, px(8)});
    const auto& list = guide.lessons(frame.registry);
    auto next = std::ranges::find_if(list, [&](const auto& each) { return each.lesson.id == player.lesson().id; });
    if (next != list.end()) ++next;
    while (next != list.end() && !next->good()) ++next;
    if (next != list.end()) {
        note("Next: " + next->lesson.title);
        if (button("lesson/next lesson", "Go on with it", true)) frame.session.lesson.asked_to_open = next->lesson.id;
        ImGui::SameLine();
    }
    if (button("lesson/start over", "Start over")) {
        frame.session.lesson.asked_to_open = player.lesson().id;
        frame.session.lesson.from_start = true;
    }
    tip("Forgets the answers that you gave in this lesson");
}

void LessonColumn::foot(Frame& frame, LessonGuide& guide, const std::string& sentence) {
    Player& player = *guide.player();
    ImGui::Dummy({0, px(2)});
    hairline();
    ImGui::Dummy({0, px(2)});
    if (button("lesson/back", "Back", false, player.step() > 0)) frame.session.lesson.asked = LessonMove::back;
    tip("The step before (Page Up)");
    ImGui::SameLine();
    const std::string where = player.at_end() ? "the end" : fmt::format("{} of {}", player.step() + 1, player.steps());
    const float right = ImGui::GetContentRegionMax().x;
    const char* label = player.at_end() ? "All lessons" : player.step() + 1 == player.steps() ? "To the end" : "Next";
    const float width = ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", where.c_str());
    ImGui::SameLine(right - width);
    const bool ready = !player.at_end() && !player.open_question() && !player.open_task();
    if (button("lesson/next", label, ready || player.at_end()))
        frame.session.lesson.asked = player.at_end() ? LessonMove::leave : LessonMove::next;
    tip(player.at_end() ? "Leave the lesson; your own session comes back"
                        : "On to the next step (Page Down). Questions can be left open.");
    // What the inspector would say of what is pointed at.
    WithFont font(look().fonts->small);
    if (sentence.empty()) {
        note("Enter answers or goes on; A to H choose; Ctrl+H gives a hint.");
    } else {
        const std::string lines = in_lines(sentence, ImGui::GetContentRegionAvail().x);
        ImGui::PushStyleColor(ImGuiCol_Text, look().theme->text_dim.u32());
        ImGui::PushClipRect(ImGui::GetCursorScreenPos(), {1e6F, 1e6F}, true);
        ImGui::TextUnformatted(lines.c_str());
        ImGui::PopClipRect();
        ImGui::PopStyleColor();
    }
}

/// What is typed without a field: letters choose, what a number is written with goes to the field that asks for one.
void LessonColumn::letters(Player& player) {
    ImGuiIO& io = ImGui::GetIO();
    const Ask *ask = player.open_question(), *number = player.open_number();
    if (io.KeyCtrl) return;
    for (const ImWchar letter : io.InputQueueCharacters) {
        const int place = (letter | 0x20) - 'a';
        if (ask && !ask->answer && place >= 0 && place < static_cast<int>(ask->options.size()))
            player.asked(*ask).picked = place;
        if (number && letter < 0x80 && std::strchr("0123456789.,-%/", static_cast<char>(letter)))
            early_ += static_cast<char>(letter);
    }
    if (early_.empty()) return;
    io.InputQueueCharacters.resize(0);  // the field may become active in this frame, and is not to take them twice
    focus_ = true;
}

void LessonColumn::keys(Frame& frame, LessonGuide& guide) {
    Player* player = guide.player();
    if (!player || !player->open_number()) {
        in_field_ = focus_ = false;
        early_.clear();
    }
    if (!player || something_in_front(frame.session)) return;
    if (ImGui::GetIO().WantTextInput && !in_field_) return;
    if (!in_field_) letters(*player);
    const float page = px(320);
    if (pressed(Key::page_down)) {
        if (at_bottom_)
            frame.session.lesson.asked = LessonMove::next;
        else
            page_ = page;
    }
    if (pressed(Key::page_up)) {
        if (at_top_)
            frame.session.lesson.asked = LessonMove::back;
        else
            page_ = -page;
    }
}

}  // namespace convscope::app
