// The Lessons view: every lesson with what it teaches, how long it takes and how far one has come in it.
#pragma once

#include <string>

#include "app/lesson_guide.h"
#include "app/panels/frame.h"

namespace convscope::app {

class LessonsView {
public:
    void draw(Frame&, LessonGuide&);
    /// The column on the right while no lesson is open: the steps of the one that is pointed at or chosen.
    void inspect(Frame&, LessonGuide&);

private:
    void row(Frame&, LessonGuide&, int index, float width);
    void broken(const lessons::ReadLesson&);
    void keys(Frame&, LessonGuide&);

    int chosen_ = -1;  ///< by the arrows; -1: the first that is not finished
    int hovered_ = -1;
    bool sure_ = false;  ///< 'forget all' was clicked once
    bool scroll_ = false;
};

}  // namespace convscope::app
