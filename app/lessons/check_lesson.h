// Checks a lesson for its author: what does not read, what cannot be shown, which answers cannot be known.
#pragma once

#include <filesystem>
#include <optional>

#include "app/lessons/lesson.h"

namespace convscope::lessons {

/// The value of an expression on the lesson's own examples.
struct CheckedValue {
    int line = 0;  ///< of its directive or step
    std::string expression;
    double value = 0;
};

struct CheckedLesson {
    ReadLesson read;      ///< with the problems of the check as well
    int expressions = 0;  ///< that were evaluated
    int measured = 0;     ///< that need the live measurement, which a check does not run
    std::vector<CheckedValue> values = {};
};

/// Walks a lesson's steps with their own 'show' blocks. Throws Error(file) when the file cannot be read.
/// With 'own_layer' as with a learner's own: what does not suit it (Need) is then the only problem.
CheckedLesson check_lesson(const std::filesystem::path& file, const Registry&,
                           const std::optional<WorkloadSpec>& own_layer = {});

}  // namespace convscope::lessons
