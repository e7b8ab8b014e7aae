#include "app/ui/lessons_view/lesson_column.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "app/lessons/player.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"

namespace convscope::app {
namespace {

using lessons::Ask;
using lessons::Player;

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

/// After the open one, of those that read; null behind the last.
const lessons::Lesson* next_lesson(const Frame& frame, LessonGuide& guide) {
    const auto& list = guide.lessons(frame.registry);
    const std::string& id = guide.player()->lesson().id;
    auto next = std::ranges::find_if(list, [&](const auto& each) { return each.lesson.id == id; });
    if (next != list.end()) next = std::find_if(next + 1, list.end(), [](const auto& each) { return each.good(); });
    return next == list.end() ? nullptr : &next->lesson;
}

constexpr int letters_in_all = 26;

bool something_in_front(const Session& session) {
    return overlay_open(session) || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

}  // namespace

void LessonColumn::draw(Frame& frame, LessonGuide& guide, const std::string& sentence) {
    keys(frame, guide);
    focus_ = guide.take_field_request() || focus_;
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
    register_item("lesson/body", {ControlRole::scroll, "The step's text"});
    foot(frame, guide, sentence);
}

/// Another step begins at its top; what comes into view in a step is gone to when there is something to do.
void LessonColumn::follow_place(const LessonGuide& guide) {
    // In a column of another width the same text has other lines. Who was at the top stays there.
    const float width = ImGui::GetWindowWidth();
    to_open_ = to_open_ || (width_ > 0 && width != width_ && ImGui::GetScrollY() > 0);
    width_ = width;
    const bool same_step = step_ == guide.player()->step();
    if (place_ == guide.place() && same_step) return;
    place_ = guide.place();
    step_ = guide.player()->step();
    has_keyboard_ = true;
    to_open_ = same_step;
    if (!same_step) ImGui::SetScrollY(0);
}

void LessonColumn::head(Frame& frame, LessonGuide& guide) {
    const Player& player = *guide.player();
    const lessons::Lesson& lesson = player.lesson();
    heading("LESSON");
    ImGui::SameLine(0, px(8));
    {
        WithFont font(look().fonts->small);
        capture_text(lesson.title);
        clipped_text(lesson.title.c_str(), ImGui::GetContentRegionAvail().x - px(28), look().theme->text.u32());
    }
    if (!lesson.paper.empty()) tip(lesson.paper);
    steps_line(player);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(6), px(1)});
    WithFont font(look().fonts->small);
    bool own = frame.session.lesson.own_layer;
    if (lesson.own_layer) {
        if (check_box("lesson/own layer", "my layer", own)) guide.use_own_layer(frame.session, own);
        tip("Go on with the layer that you had before this lesson: the questions of this step begin again, by its "
            "figures");
    } else {
        ImGui::Dummy({0, ImGui::GetFrameHeight()});
    }
    const char* again = "Show it again";
    const float again_width = ImGui::CalcTextSize(again).x + px(12);
    const float leave_width = ImGui::CalcTextSize("Leave").x + px(12);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - leave_width - px(8) - again_width);
    if (button("lesson/show again", again, guide.navigated_away(frame.session), !player.at_end()))
        frame.session.lesson.requested = LessonMove::show_again;
    tip("Back to this step's own view, layer and settings. Your answers stay.");
    ImGui::SameLine(ImGui::GetContentRegionMax().x - leave_width);
    if (button("lesson/leave", "Leave")) frame.session.lesson.requested = LessonMove::leave;
    tip("Back to your own session, as it was. What you have done here is remembered.");
    ImGui::PopStyleVar();
    const bool told = !lesson.own_layer && player.step() == 0 && !frame.session.desktop_state.presenting;
    if (told) note("Not with a layer of your own: " + lesson.own_layer_why);
    hairline();
}

void LessonColumn::body(Frame& frame, LessonGuide& guide) {
    Player& player = *guide.player();
    const lessons::Step& step = player.present();
    {
        WithFont font(look().fonts->strong);
        paragraph(step.title, look().theme->text.u32());
        register_rect("lesson/title");
        announce("step", step.title);
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
    if (visible < step.blocks.size()) note("Answer, and the step goes on.");
}

void LessonColumn::task(Frame&, LessonGuide& guide, const lessons::Task& task, int number) {
    Player& player = *guide.player();
    const Theme& theme = *look().theme;
    const bool done = player.done(task);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::Indent(px(12));
    {
        WithFont font(look().fonts->small);
        capture_text("TO DO");
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(theme.text_dim.u32()), "TO DO");
    }
    lesson_text(task.task, &guide.facts(), theme.text.u32());
    if (done) {
        tick_mark(true, theme.good.u32());
        register_rect(fmt::format("lesson/done {}", number).c_str());
        ImGui::SameLine(0, px(6));
        paragraph("Done", theme.good.u32());
        announce(fmt::format("done {}", number), "Done");
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
    card_edge(start.x, start.y, (done ? theme.good : theme.accent).u32());
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
    heading("MORAL");
    paragraph(player.lesson().moral, theme.text.u32());
    register_rect("lesson/moral");
    announce("moral", player.lesson().moral);
    ImGui::Dummy({0, px(4)});
    if (all > 0) {
        tick_mark(right == all, (right == all ? theme.good : theme.warning).u32());
        register_rect("lesson/result");
        ImGui::SameLine(0, px(6));
        paragraph(fmt::format("{} of {} questions of the check right at the first try.", right, all), theme.text.u32());
    }
    const int all_open = left_open(player.progress(), player.lesson());
    if (all_open > 0) note(fmt::format("{} left open: the lesson is finished when nothing is.", all_open));
    std::map<int, int> missed;  // questions by step
    for (const auto& [step, ask] : player.missed()) missed[step] += player.given(*ask) != nullptr;
    for (int step = 0; step < player.steps(); ++step) {
        const lessons::Step& of = player.lesson().steps[static_cast<std::size_t>(step)];
        const int open = left_open(player.progress(), of), wrong = missed[step];
        if (open + wrong == 0) continue;
        ImGui::AlignTextToFramePadding();
        const std::string text =
            fmt::format("{}: {}{}{}", of.title, wrong > 0 ? fmt::format("{} missed", wrong) : "",
                        wrong > 0 && open > 0 ? ", " : "", open > 0 ? fmt::format("{} left open", open) : "");
        clipped_text(text.c_str(), ImGui::GetContentRegionAvail().x - px(96), theme.text_dim.u32());
        ImGui::SameLine();
        if (button(fmt::format("lesson/back to {}", step).c_str(), "Go there")) {
            player.go_to(step);
            break;
        }
    }
    ImGui::Dummy({0, px(8)});
    if (const lessons::Lesson* next = next_lesson(frame, guide)) {
        note("Next: " + next->title);
        if (button("lesson/next lesson", "Next lesson", true)) frame.session.lesson.requested_lesson = next->id;
        ImGui::SameLine();
    }
    if (button("lesson/start over", "Start over")) {
        frame.session.lesson.requested_lesson = player.lesson().id;
        frame.session.lesson.from_start = true;
    }
    tip("Forgets the answers that you gave in this lesson");
    found(frame, guide);
}

/// The learner's own answers, each under its question, with what was measured or counted when it was given.
void LessonColumn::found(Frame& frame, LessonGuide& guide) {
    const Player& player = *guide.player();
    const Theme& theme = *look().theme;
    const auto findings = lesson_findings(player.progress(), player.lesson());
    const auto [done, tasks] = tasks_done(player.progress(), player.lesson());
    if (findings.empty() && done == 0) return;
    ImGui::Dummy({0, px(8)});
    heading("WHAT YOU FOUND");
    std::string step;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const lessons::LessonFinding& each = findings[i];
        if (each.step != step) note(each.step);
        step = each.step;
        if (!each.question.empty()) {
            lesson_text(words_.read(each.question, frame.registry), nullptr, theme.text.u32());
            register_rect(fmt::format("lesson/asked {}", i).c_str());
        }
        if (!each.undecided) {
            tick_mark(each.right, (each.right ? theme.good : theme.warning).u32());
            ImGui::SameLine(0, px(6));
        }
        ImGui::BeginGroup();
        const std::string answer = "Your answer: " + each.answer;
        paragraph(answer, theme.text.u32());
        register_rect(fmt::format("lesson/found {}", i).c_str());
        announce(fmt::format("found {}", i), answer);
        if (!each.words.empty()) lesson_text(words_.read(each.words, frame.registry), nullptr, theme.text_dim.u32());
        ImGui::EndGroup();
        ImGui::Dummy({0, px(2)});
    }
    if (tasks > 0) note(fmt::format("{} of {} done.", done, counted(static_cast<std::size_t>(tasks), "task")));
}

void LessonColumn::foot(Frame& frame, LessonGuide& guide, const std::string& sentence) {
    Player& player = *guide.player();
    ImGui::Dummy({0, px(2)});
    hairline();
    ImGui::Dummy({0, px(2)});
    if (button("lesson/back", "Back", false, player.step() > 0)) frame.session.lesson.requested = LessonMove::back;
    tip("The step before (Page Up)");
    ImGui::SameLine();
    const std::string where = player.at_end() ? "the end" : fmt::format("{} of {}", player.step() + 1, player.steps());
    const float right = ImGui::GetContentRegionMax().x;
    const char* label = player.at_end() ? "All lessons" : player.step() + 1 == player.steps() ? "To the end" : "Next";
    const float width = ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::AlignTextToFramePadding();
    capture_text("Step", where);
    ImGui::TextDisabled("%s", where.c_str());
    ImGui::SameLine(right - width);
    const bool ready = !player.at_end() && !player.open_question() && !player.open_task();
    // One button is the main one: at the end that of the next lesson.
    if (button("lesson/next", label, ready || (player.at_end() && !next_lesson(frame, guide))))
        frame.session.lesson.requested = player.at_end() ? LessonMove::leave : LessonMove::next;
    tip(player.at_end() ? "Leave the lesson; your own session comes back"
                        : "On to the next step (Page Down). Questions can be left open.");
    // The inspector's sentence about the element that is pointed at.
    WithFont font(look().fonts->small);
    if (sentence.empty()) {
        note(player.at_end() ? "Enter leaves the lesson, and your own session comes back; Page Up goes back."
                             : "Enter answers or goes on; A to H choose; Ctrl+H gives a hint.");
    } else {
        announce("links", sentence);
        const std::string lines = in_lines(sentence, ImGui::GetContentRegionAvail().x);
        ImGui::PushStyleColor(ImGuiCol_Text, look().theme->text_dim.u32());
        ImGui::PushClipRect(ImGui::GetCursorScreenPos(), {1e6F, 1e6F}, true);
        ImGui::TextUnformatted(lines.c_str());
        ImGui::PopClipRect();
        ImGui::PopStyleColor();
    }
}

/// Typing outside a field: letters choose an option. The characters of a number go to the field that waits for one, and
/// so do letters until the user turns to a view.
void LessonColumn::letters(Player& player) {
    ImGuiIO& io = ImGui::GetIO();
    const Ask *ask = player.open_question(), *number = player.open_number();
    if (io.KeyCtrl) return;
    for (const ImWchar letter : io.InputQueueCharacters) {
        const int place = (letter | 0x20) - 'a';
        if (ask && !ask->answer && place >= 0 && place < static_cast<int>(ask->options.size()))
            player.requested(*ask).picked = place;
        const bool spells = place >= 0 && place < letters_in_all && has_keyboard_ && ask == number;
        if (number && letter < 0x80 && (spells || std::strchr("0123456789.,-%/", static_cast<char>(letter)))) {
            player.requested(*number).typed += static_cast<char>(letter);
            to_end_ = true;
        }
    }
    if (!to_end_) return;
    io.InputQueueCharacters.resize(0);  // the field may become active in this frame, and is not to take them twice
    focus_ = true;
}

void LessonColumn::keys(Frame& frame, LessonGuide& guide) {
    Player* player = guide.player();
    if (!player || !player->open_number()) {
        in_field_ = focus_ = to_end_ = false;
    }
    if (ImGui::IsMouseClicked(0)) has_keyboard_ = ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows);
    if (has_keyboard_ && player && player->open_number() && player->open_number() == player->open_question())
        frame.session.lesson.options = letters_in_all;
    if (!player || something_in_front(frame.session)) return;
    if (ImGui::GetIO().WantTextInput && !in_field_) return;
    if (!in_field_) letters(*player);
    const float page = px(320);
    if (pressed(Key::page_down)) {
        if (at_bottom_)
            frame.session.lesson.requested = LessonMove::next;
        else
            page_ = page;
    }
    if (pressed(Key::page_up)) {
        if (at_top_)
            frame.session.lesson.requested = LessonMove::back;
        else
            page_ = -page;
    }
}

}  // namespace convscope::app
