// What is wrong with a lesson, for its author.
#pragma once

#include <string>
#include <vector>

namespace convscope::lessons {

struct Problem {
    int line = 0;  ///< from 1
    std::string sentence;
    bool warning = false;  ///< the lesson opens all the same
};

using Problems = std::vector<Problem>;

}  // namespace convscope::lessons
