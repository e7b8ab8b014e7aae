// The open lesson, in the column on the right: its present step with text, questions and tasks, and the way through it.
#pragma once

#include <string>

#include "app/ui/lessons_view/lesson_guide.h"
#include "app/ui/lessons_view/lesson_text.h"
#include "app/ui/widgets/frame.h"

namespace convscope::app {

class LessonColumn {
public:
    /// Fills the present window. 'sentence' is what the inspector says of what is pointed at, kept at the foot.
    void draw(Frame&, LessonGuide&, const std::string& sentence);

private:
    void follow_place(const LessonGuide&);
    void ask_for_field(const lessons::Player&);
    void head(Frame&, LessonGuide&);
    void body(Frame&, LessonGuide&);
    void end_page(Frame&, LessonGuide&);
    void found(Frame&, LessonGuide&);
    void foot(Frame&, LessonGuide&, const std::string& sentence);
    void question(Frame&, LessonGuide&, const lessons::Ask&, int number);
    void answer_field(Frame&, LessonGuide&, const lessons::Ask&, int number);
    void letters(lessons::Player&);
    void options(LessonGuide&, const lessons::Ask&, int number);
    void verdict(Frame&, LessonGuide&, const lessons::Ask&, int number);
    void task(Frame&, LessonGuide&, const lessons::Task&, int number);
    void keys(Frame&, LessonGuide&);

    WrittenWords words_;
    int place_ = -1, step_ = -1;  ///< that were scrolled to
    float width_ = 0;             ///< of the text
    bool to_open_ = false;        ///< the open question is to be scrolled to
    bool focus_ = false;          ///< the field of open_number() is to be typed in
    bool in_field_ = false;       ///< it is being typed in
    bool has_keyboard_ = false;   ///< letters are its: nothing else has been clicked into since the step began
    bool to_end_ = false;         ///< it goes on behind what was typed before it could take it
    float page_ = 0;              ///< to scroll by, requested by a key
    bool at_top_ = true, at_bottom_ = true;  ///< nothing is left to scroll to
};

}  // namespace convscope::app
