// Requests to the open lesson from a key, a button or the palette, and the open lesson itself, as plain data.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace convscope::app {

enum class LessonMove {
    next,        ///< on to the next step, or to the end
    back,        ///< to the step before
    act,         ///< answer the open question, or go on
    hint,        ///< of the open question or task
    show_me,     ///< shows what the open task is about
    show_again,  ///< the step's own view and state, as it began
    leave,       ///< gives the user's own session back
};

struct LessonChoice {
    std::string open;              ///< id of the lesson; empty: none is
    int begun = 0;                 ///< grows when a step begins from the state that every lesson begins in
    bool own_layer = false;        ///< the user's own workload stays in every step
    std::string requested_lesson;  ///< by the catalogue, a file or the tour; taken in the next frame
    bool from_start = false;       ///< open the requested lesson without its earlier answers
    std::optional<LessonMove> requested;
    bool number_requested = false;    ///< a question waits for a number: digits are its
    int options = 0;                  ///< so many letters are the open question's: all where a number has the keyboard
    std::vector<std::string> hidden;  ///< names hidden in the present step

    bool hides(const std::string& name) const { return std::ranges::find(hidden, name) != hidden.end(); }
};

}  // namespace convscope::app
