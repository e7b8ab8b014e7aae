// The lessons in the app: which there are, which one is open, and what it makes of the session. The user's own
// session is put aside while a lesson is open, and comes back as it was.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/progress.h"
#include "app/session/session.h"
#include "app/ui/lessons_view/lesson_drive.h"

namespace convscope::lessons {
class Player;
}

namespace convscope::app {

class LessonGuide {
public:
    LessonGuide();
    ~LessonGuide();
    /// From now on progress is read from and written to this file. What of it does not read becomes notices.
    void keep_progress_in(const std::filesystem::path&, Session&);

    /// Once a frame, before anything is drawn: opens, leaves, moves, carries out, checks.
    void update(Frame&, const StepView&);

    /// All lessons, read when they are first requested; broken ones too.
    const std::vector<lessons::ReadLesson>& lessons(const Registry&);
    const lessons::LessonProgress& progress(const std::string& id) const;
    /// As if this had been done in it.
    void put_progress(const std::string& id, lessons::LessonProgress progress) { book_[id] = std::move(progress); }
    /// Forgets what was done in a lesson, or in all.
    void forget(Session&, const std::string& id);
    void forget_all(Session&);
    /// A lesson file from anywhere joins the list and is asked to be opened. Throws Error(file) for one that does not
    /// read.
    void add(Session&, const Registry&, const std::filesystem::path&);

    /// The open lesson; null when none is.
    lessons::Player* player() { return player_.get(); }
    const lessons::Player* player() const { return player_.get(); }
    /// The session that comes back at the end of the lesson; null while none is open.
    const SessionState* own() const { return own_ ? &*own_ : nullptr; }
    const lessons::Facts& facts() const { return facts_; }
    const Registry* registry() const { return registry_; }
    /// A layer that does not suit the lesson is rejected with a notice that says which would.
    void use_own_layer(Session&, bool);
    /// Grows when another step, or more of one, comes into view.
    int place() const { return place_; }
    /// Once after Enter was pressed at a question whose field is empty: it is to be typed in.
    bool take_field_request() { return std::exchange(wants_field_, false); }
    /// The user looks at another view than the step's own, though nothing there is to be done.
    bool navigated_away(const Session&) const;
    /// Something is requested or waited for that comes without an event.
    bool busy(const Session&) const;
    /// The open lesson's file is looked at now and then: it may be saved.
    bool watches_a_file() const;

private:
    void open(Frame&, const std::string& id, bool from_start);
    void leave(Frame&);
    void move(Frame&, LessonMove);
    void act(Frame&);
    void remember(Session&);
    void follow_file(Frame&);

    const Registry* registry_ = nullptr;
    std::vector<lessons::ReadLesson> lessons_;
    bool read_ = false, save_failed_ = false, wants_field_ = false;
    lessons::ProgressBook book_;
    std::filesystem::path file_;
    std::unique_ptr<lessons::Player> player_;
    std::optional<SessionState> own_;
    std::string kernel_of_step_;  ///< file of the exercise that a step opened last
    lessons::Facts facts_;
    SeenRecords records_;
    std::optional<lessons::PointTarget> point_;  ///< to be pinned once its array is there
    ViewId view_ = "layout";                     ///< that the step showed last
    int place_ = 0;
    std::filesystem::path watched_;  ///< a lesson that was opened by its file
    std::optional<std::filesystem::file_time_type> written_;
    std::string rejected_;   ///< what was wrong with it as it was last written
    double look_again_ = 0;  ///< ImGui's time
};

}  // namespace convscope::app
