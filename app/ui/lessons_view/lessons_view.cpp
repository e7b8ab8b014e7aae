#include "app/ui/lessons_view/lessons_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/lessons/player.h"
#include "app/ui/dialogs/kernel_question.h"
#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/lessons_view/lesson_sketch.h"
#include "app/ui/widgets/lead_line.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"

namespace convscope::app {
namespace {

using lessons::LessonProgress;
using lessons::ReadLesson;

constexpr float row_height = 68, buttons_width = 184;
constexpr float sketch_width = 64, sketch_height = 36, text_at = 88;

void open(Session& session, const std::string& id, bool from_start) {
    session.lesson.requested_lesson = id;
    session.lesson.from_start = from_start;
}

}  // namespace

void LessonsView::draw(Frame& frame, const ViewStyle&) {
    const auto& all = guide_.lessons(frame.registry);
    int finished = 0;
    for (const ReadLesson& each : all) finished += guide_.progress(each.lesson.id).finished;
    // The next one to read, now and when another is finished.
    if (std::exchange(finished_, finished) != finished) {
        chosen_ = 0;
        for (int i = static_cast<int>(all.size()); i-- > 0;)
            if (!guide_.progress(all[static_cast<std::size_t>(i)].lesson.id).finished) chosen_ = i;
    }
    keys(frame);
    if (all.empty()) {
        heading("LESSONS");
        note(
            "There are no lessons in this installation. A lesson is a Markdown file (docs/lessons.md): drop one here, "
            "or put it into " +
            std::string("~/.local/share/convscope/lessons."));
        return;
    }
    draw_lead(lead(frame), {.meaning = "Read next to the live views, answer before you look, and try it on your own "
                                       "layer."});
    ImGui::BeginChild("catalogue", {0, ImGui::GetContentRegionAvail().y - ImGui::GetFrameHeight() - px(8)});
    hovered_ = -1;
    const float width = ImGui::GetContentRegionAvail().x;
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
        const ReadLesson& each = all[static_cast<std::size_t>(i)];
        // One's own come after the course; alone they need no heading.
        const std::string before = i == 0 ? std::string() : all[static_cast<std::size_t>(i) - 1].lesson.part;
        if (const std::string& part = each.lesson.part; part != before)
            heading(part.empty() ? "More lessons" : part.c_str());
        ImGui::PushID(i);
        if (each.good())
            row(frame, i, width);
        else
            broken(each);
        ImGui::PopID();
    }
    ImGui::EndChild();
    register_item("lessons/catalogue", {ControlRole::scroll, "All lessons"});
    if (button("lessons/forget all", sure_ ? "Yes, forget all that I did" : "Start all over")) {
        if (sure_) guide_.forget_all(frame.session);
        sure_ = !sure_;
    }
    tip("Forgets your answers and progress in every lesson");
    if (sure_) {
        ImGui::SameLine();
        if (button("lessons/keep all", "No")) sure_ = false;
    }
    ImGui::SameLine(0, px(16));
    if (button("lessons/exercises", "Exercises...")) show_exercises(frame.session);
    tip("Kernels with a part left out, to fill in: in the Kernel view");
}

Lead LessonsView::lead(const Frame& frame) const {
    const auto& all = guide_.lessons(frame.registry);
    std::size_t finished = 0;
    const ReadLesson* next = nullptr;
    for (const ReadLesson& each : all) {
        const bool is_finished = guide_.progress(each.lesson.id).finished;
        finished += is_finished;
        if (!is_finished && !next && each.good()) next = &each;
    }
    if (all.empty()) return {};
    Lead lead{"", std::to_string(finished), fmt::format(" of {} finished", counted(all.size(), "lesson"))};
    if (next) lead.after += fmt::format("; next: {}, {} min", next->lesson.title, next->lesson.minutes);
    lead.share = static_cast<double>(finished) / static_cast<double>(all.size());
    lead.remains = true;
    return lead;
}

void LessonsView::row(Frame& frame, int index, float width) {
    const Theme& theme = *look().theme;
    const lessons::Lesson& lesson = guide_.lessons(frame.registry)[static_cast<std::size_t>(index)].lesson;
    const LessonProgress& progress = guide_.progress(lesson.id);
    const bool is_open = guide_.player() && guide_.player()->lesson().id == lesson.id;
    const bool started = is_open || progress.started();
    const ImVec2 at = ImGui::GetCursorScreenPos(), start = ImGui::GetCursorPos();
    const float height = px(row_height);
    const bool narrow = width < px(560);
    const float text_width = width - px(text_at + (narrow || !started ? 88 : buttons_width) + 20);
    const bool inside = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                        ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + height});
    if (inside) hovered_ = index;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (inside || index == chosen_)
        draw.AddRectFilled(at, {at.x + width, at.y + height - px(4)}, (inside ? theme.hovered : theme.raised).u32(),
                           px(6));
    if (index == chosen_) draw.AddRectFilled(at, {at.x + px(3), at.y + height - px(4)}, theme.accent.u32(), px(1.5F));

    const ImVec2 corner{at.x + px(12), at.y + (height - px(4) - px(sketch_height)) / 2};
    sketch(lesson, draw, corner, {corner.x + px(sketch_width), corner.y + px(sketch_height)});

    ImGui::SetCursorPos({start.x + px(text_at), start.y + px(6)});
    {
        WithFont font(look().fonts->strong);
        const std::string title = fmt::format("{}  {}", index + 1, lesson.title);
        capture_text(title);
        clipped_text(title.c_str(), text_width, theme.text.u32());
    }
    ImGui::SetCursorPos({start.x + px(text_at), start.y + px(26)});
    {
        WithFont font(look().fonts->small);
        capture_text(lesson.summary);
        clipped_text(lesson.summary.c_str(), text_width, theme.text.u32());
        tip(lesson.summary);
        ImGui::SetCursorPos({start.x + px(text_at), start.y + px(44)});
        const std::string facts = fmt::format("{} min   {}{}", lesson.minutes, describe(progress, lesson, is_open),
                                              lesson.paper.empty() ? "" : "   " + lesson.paper);
        capture_text(facts);
        clipped_text(facts.c_str(), text_width, theme.text_dim.u32());
        tip(facts);
    }
    const float bar_y = at.y + height - px(7);
    if (started)
        draw.AddRectFilled({at.x + px(12), bar_y},
                           {at.x + px(12) + (width - px(24)) * lessons::share_done(progress, lesson), bar_y + px(2)},
                           (progress.finished ? theme.good : theme.accent).u32(), px(1));

    const bool go_on = started && !progress.finished;
    const char* label = go_on ? "Go on" : progress.finished ? "Read again" : "Begin";
    ImGui::SetCursorPos({start.x + width - px(buttons_width + 12), start.y + px(18)});
    if (!narrow && started) {
        if (button(("lessons/over " + lesson.id).c_str(), "Start over", false, true, "Start over: " + lesson.title))
            open(frame.session, lesson.id, true);
        tip("From the first step, without the answers that you gave");
    }
    const float label_width = ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetCursorPos({start.x + width - label_width - px(12), start.y + px(18)});
    if (button(("lessons/open " + lesson.id).c_str(), label, index == chosen_, true,
               fmt::format("{}: {}", label, lesson.title)))
        open(frame.session, lesson.id, false);
    ImGui::SetCursorPos({start.x, start.y + height});
    if (scroll_ && index == chosen_) {
        ImGui::SetScrollHereY();
        scroll_ = false;
    }
}

/// A lesson that does not read is named with the line; the others work.
void LessonsView::broken(const ReadLesson& read) {
    const auto first = std::ranges::find_if(read.problems, [](const lessons::Problem& each) { return !each.warning; });
    ImGui::Indent(px(12));
    problem(
        fmt::format("{}:{}:{}: {}", read.lesson.file.filename().string(), first->line, first->column, first->sentence));
    tip("convscope lesson check " + read.lesson.file.string() + " names all that is wrong");
    ImGui::Unindent(px(12));
    ImGui::Dummy({0, px(8)});
}

void LessonsView::inspect(Frame& frame) {
    heading("LESSON");
    const auto& all = guide_.lessons(frame.registry);
    const int index = hovered_ >= 0 ? hovered_ : chosen_;
    if (index < 0 || index >= static_cast<int>(all.size())) return note("Choose a lesson.");
    const lessons::Lesson& lesson = all[static_cast<std::size_t>(index)].lesson;
    {
        WithFont font(look().fonts->strong);
        paragraph(lesson.title, look().theme->text.u32());
    }
    paragraph(lesson.summary, look().theme->text.u32());
    ImGui::Dummy({0, px(4)});
    hairline();
    heading("STEPS");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(4)});
    const LessonProgress& progress = guide_.progress(lesson.id);
    for (int i = 0; i < static_cast<int>(lesson.steps.size()); ++i) {
        const bool behind = progress.finished || i < progress.step;
        paragraph(fmt::format("{}  {}", i + 1, lesson.steps[static_cast<std::size_t>(i)].title),
                  (behind ? look().theme->text_dim : look().theme->text).u32());
    }
    ImGui::PopStyleVar();
    ImGui::Dummy({0, px(4)});
    hairline();
    if (!lesson.paper.empty()) note(lesson.paper);
    note(lesson.own_layer ? "Works with your own layer as well."
                          : "Not with a layer of your own: " + lesson.own_layer_why);
}

void LessonsView::keys(Frame& frame) {
    Session& session = frame.session;
    if (!focus_order().leaves_keys_to_view() || guide_.player()) return;
    const auto& all = guide_.lessons(frame.registry);
    const int before = chosen_, last = static_cast<int>(all.size()) - 1;
    if (pressed(Key::down, true)) chosen_ = std::min(chosen_ + 1, std::max(0, last));
    if (pressed(Key::up, true)) chosen_ = std::max(chosen_ - 1, 0);
    scroll_ = scroll_ || chosen_ != before;
    if (last >= 0 && pressed(Key::enter) && all[static_cast<std::size_t>(chosen_)].good())
        open(session, all[static_cast<std::size_t>(chosen_)].lesson.id, false);
}

std::vector<PaletteItem> LessonsView::palette_items(const Frame& frame) {
    std::vector<PaletteItem> all;
    for (const ReadLesson& each : guide_.lessons(frame.registry))
        all.push_back({"Lesson", each.lesson.title.empty() ? each.lesson.id : each.lesson.title, each.lesson.summary,
                       each.good() ? "" : each.problems.front().sentence,
                       [id = each.lesson.id](Frame& f) { open(f.session, id, false); }});
    return all;
}

Explanation LessonsView::explain(const Session&) const {
    return {"Lessons: read next to the live views, answer, and see",
            "A lesson takes the column on the right and drives the views, which stay yours to use. Questions are "
            "answered from what is on screen, never from a table; a prediction is taken first, then the app does "
            "it and compares. Tasks tick themselves when they are done. 'my layer' puts the layer that you had "
            "before into the lesson. Leaving gives your own session back as it was; what you have done is "
            "remembered. Lessons are plain Markdown files: drop one of your own on the window."};
}

}  // namespace convscope::app
