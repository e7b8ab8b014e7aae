// One open lesson: at which step a learner is, what of it is in view, what has been answered and done. Drives nothing
// itself: it hands out the 'show' blocks that are to be carried out, and checks in the live state it is shown.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/facts.h"
#include "app/lessons/lesson.h"
#include "app/lessons/progress.h"

namespace convscope::lessons {

/// Text as Markdown with its live values written out; "?" where one is not known.
std::string written_out(const Text&, const FactSource&);

/// A number as people type it: "81", "0.5", "1/3", "63 %", "1 000", with the unit behind it or not. Unset: none.
std::optional<double> typed_number(const std::string&, const std::string& unit);

/// A question in view.
struct QuestionState {
    std::string typed;      ///< in the number field
    int picked = -1;        ///< of the options
    bool hint = false;      ///< shown
    bool waiting = false;   ///< committed; the answer is not known yet
    std::string note;       ///< what it waits for, or why what was typed is not an answer
    std::string rejected;   ///< the wrong answer that was given; empty: none yet
    std::string rejection;  ///< what is said of it
    bool given_up = false;  ///< the solution is requested
    std::string question;   ///< its words with the values that stood in them while it was open
};

class Player {
public:
    Player(Lesson, LessonProgress&);

    const Lesson& lesson() const { return lesson_; }
    const LessonProgress& progress() const { return progress_; }
    int step() const { return progress_.step; }
    int steps() const { return static_cast<int>(lesson_.steps.size()); }
    bool at_end() const { return step() >= steps(); }
    const Step& present() const { return lesson_.steps[static_cast<std::size_t>(step())]; }
    /// Blocks of the present step that are in view: up to the first prediction that is open.
    std::size_t visible() const;

    /// To a step from 0, or to the end: steps(). Each begins as its author wrote it: with what all steps before it
    /// show, from the first; but a next step that shows nothing goes on with what is there.
    void go_to(int step);
    /// Shows the present step's views once more, from the first; its questions and tasks stay as they are.
    void show_again() { go_to(progress_.step); }
    /// From the present step's beginning, its questions and tasks again. Of a final question the first answer counts
    /// all the same.
    void repeat_step();
    /// The first question or task in view that is open; null at none.
    const Ask* open_question() const;
    /// The first in view that waits for a number; null at none.
    const Ask* open_number() const;
    const Task* open_task() const;
    /// The present step has something to do, done or not.
    bool has_tasks() const;

    /// The parts that are hidden now: those of the latest 'hide' in view, while a question of the step is unanswered.
    std::vector<std::string> hidden() const;

    QuestionState& requested(const Ask&);
    const Given* given(const Ask&) const;  ///< null while it is open
    bool done(const Task& task) const { return progress_.tasks.contains(task.key); }
    bool& task_hint(const Task& task) { return task_hints_[task.key]; }

    /// Commits what is typed or picked. Checked by update() once the answer is known: a first wrong answer leaves the
    /// question open, with a hint; a second one, or the only one to a prediction, brings the solution.
    void commit(const Ask&);
    /// The solution instead of a second try.
    void give_up(const Ask&);
    /// Does what 'show me' shows.
    void solve(const Task&);

    /// Once a frame: checks what was committed and ticks tasks, when the live state has settled. True when something
    /// changed that is to be remembered.
    bool update(const FactSource&, bool settled);
    /// The blocks to carry out now, in order, once each; 'again': from the state that every lesson begins in.
    struct Shows {
        bool again = false;
        std::deque<Show> list;
    };
    Shows take_shows();
    /// A question waits for a measurement.
    bool wants_measurement() const { return wants_measurement_; }

    /// How many of the final questions were right at the first try, and how many there are.
    std::pair<int, int> result() const;
    /// The final questions that were not, with their steps.
    std::vector<std::pair<int, const Ask*>> missed() const;

private:
    bool is_open(const Ask& ask) const { return !given(ask) && !is_waiting(ask); }
    bool is_waiting(const Ask&) const;
    void show_visible();
    bool check(const Ask&, const FactSource&);
    void settle_answer(const Ask&, const std::string& answer, bool right, const FactSource&);
    void reject(const Ask&, const std::string& answer, const std::string& why);
    void leave_undecided(const Ask&, const std::string& answer, const std::string& why);
    bool is_done(const Task&, const FactSource&) const;

    Lesson lesson_;
    LessonProgress& progress_;
    std::map<std::string, QuestionState> requested_;
    std::map<std::string, bool> task_hints_;
    Shows shows_;
    bool hides_ = false;     ///< the step, as long as one is in it: a question was open when one came to it
    std::size_t shown_ = 0;  ///< blocks of the step whose shows were handed out
    bool wants_measurement_ = false;
};

}  // namespace convscope::lessons
