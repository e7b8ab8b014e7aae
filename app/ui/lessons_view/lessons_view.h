// The Lessons view: every lesson with what it teaches, how long it takes and how far one has come in it.
#pragma once

#include <string>
#include <vector>

#include "app/ui/lessons_view/lesson_guide.h"
#include "app/ui/widgets/view.h"

namespace convscope::app {

class LessonsView : public View {
public:
    explicit LessonsView(LessonGuide& guide) : guide_(guide) {}

    void draw(Frame&, const ViewStyle&) override;
    /// How many are finished, and the first that is not.
    Lead lead(const Frame&) const override;
    /// While no lesson is open: the steps of the one that is pointed at or chosen.
    void inspect(Frame&) override;
    bool uses_layer() const override { return false; }
    Explanation explain(const Session&) const override;
    std::vector<PaletteItem> palette_items(const Frame&) override;
    bool status_shows_live() const override { return true; }  // lessons measure with it

private:
    void row(Frame&, int index, float width);
    void broken(const lessons::ReadLesson&);
    void keys(Frame&);

    LessonGuide& guide_;
    int chosen_ = -1;    ///< by the arrows; at first the first that is not finished
    int finished_ = -1;  ///< how many are
    int hovered_ = -1;
    bool sure_ = false;  ///< 'forget all' was clicked once
    bool scroll_ = false;
};

}  // namespace convscope::app
