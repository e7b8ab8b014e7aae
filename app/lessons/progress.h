// A learner's progress in each lesson, kept between runs of the app.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/lesson.h"

namespace convscope::lessons {

/// How a question was answered.
struct Given {
    std::string answer;  ///< as typed, or the option's label
    bool right = false;
    bool first_right = false;   ///< at the first try, which is what a check counts
    std::string words;          ///< what was said of it, with the values of that moment; Markdown without live values
    bool undecided = false;     ///< too close to tell: neither right nor wrong
    std::string question = {};  ///< as it stood when it was answered, as 'words'; empty in what older versions kept
    bool operator==(const Given&) const = default;
};

struct LessonProgress {
    int step = 0;                          ///< where the learner is, from 0; the number of steps: at the end
    bool finished = false;                 ///< has been at the end, with nothing left open
    std::map<std::string, Given> answers;  ///< by the question's words
    std::set<std::string> tasks;           ///< done, by their words
    std::set<std::string> missed;          ///< questions whose first answer was wrong, by their words
    bool operator==(const LessonProgress&) const = default;
    bool started() const { return step > 0 || finished || !answers.empty() || !tasks.empty() || !missed.empty(); }
};

/// Questions without an answer and tasks that are not done.
int left_open(const LessonProgress&, const Step&);
int left_open(const LessonProgress&, const Lesson&);

/// The share of the steps that are behind, with nothing left open in them: 0..1.
float share_done(const LessonProgress&, const Lesson&);

/// "step 3 of 8", "5 left open", "finished, check 4 of 4". Of one that is 'open', never "not begun".
std::string describe(const LessonProgress&, const Lesson&, bool open = false);

/// An answer of the learner, as it is told at the end of the lesson.
struct LessonFinding {
    std::string step;      ///< its title
    std::string question;  ///< as Given::question
    std::string answer;    ///< "81 %", "'larger'"
    bool right = false, undecided = false;
    std::string words;  ///< what was said of it, with the measured and counted values of that moment
    bool operator==(const LessonFinding&) const = default;
};
/// The questions that were answered, in the order of the lesson.
std::vector<LessonFinding> lesson_findings(const LessonProgress&, const Lesson&);
/// Tasks of the lesson that are done, and all.
std::pair<int, int> tasks_done(const LessonProgress&, const Lesson&);

/// By the lesson's id. Lessons that this installation does not have stay in the book.
using ProgressBook = std::map<std::string, LessonProgress>;

/// $XDG_STATE_HOME/convscope/lessons.toml, or under ~/.local/state; empty without a home.
std::filesystem::path progress_file();

struct LoadedProgress {
    ProgressBook book;
    std::vector<std::string> notices;  ///< one sentence for each thing that did not read
};

/// A missing file is an empty book. A broken one is named with line and column and read as far as it goes; one's own is
/// kept next to it as '.broken', for it will be written again.
LoadedProgress load_progress(const std::filesystem::path&, bool own = true);
/// Replaces the file in one step. Throws Error(file).
void save_progress(const std::filesystem::path&, const ProgressBook&);

}  // namespace convscope::lessons
