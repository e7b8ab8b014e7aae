// A problem in a lesson, for its author.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace convscope::lessons {

/// In a file, counted from 1.
struct Place {
    int line = 1, column = 1;
    Place(int its_line, int its_column = 1) : line(its_line), column(its_column) {}
};

struct Problem {
    Problem(Place place, std::string words, bool only_warns = false)
        : line(place.line), column(place.column), sentence(std::move(words)), warning(only_warns) {}
    int line, column;
    std::string sentence;
    bool warning;  ///< the lesson opens all the same
};

using Problems = std::vector<Problem>;

}  // namespace convscope::lessons
