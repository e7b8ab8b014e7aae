// Exercises: kernels with a part left out, that a student fills in. One .cu file holds the task, the solution and what
// a student begins with (docs/lessons.md, 'Exercises').
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/user_kernel/prepared_kernel.h"

namespace convscope::app {

struct Exercise {
    /// A condition on the counts of a launch, and what is said where it does not hold.
    struct Check {
        std::string condition, sentence;
    };
    std::string id;  ///< "01-vector-add"
    std::filesystem::path file;
    std::string title, task;
    std::vector<std::string> hints;
    std::vector<Check> checks;
    std::string start;     ///< what a student begins with
    std::string solution;  ///< the same with nothing left out
};

/// Reads the exercises of the presets' folder, ordered by name. Throws Error(file) for one that does not read.
std::vector<Exercise> all_exercises();
Exercise read_exercise(const std::filesystem::path&);
/// The one that a student's source says it is of ("// exercise: 01-vector-add"). Throws Error(usage) where there is
/// none of this name.
std::optional<Exercise> exercise_of(const std::string& source);
/// Writes what a student begins with. Throws Error(usage) where there is such a file already; Error(file).
void start_exercise(const Exercise&, const std::filesystem::path&);

/// The user's own file of an exercise: begun where there is none; or, next to it, the solution, written again. Throws
/// Error(usage) where there is no such exercise; Error(file).
std::filesystem::path own_exercise(const std::string& id, bool solution = false);

/// Whether the user's own file of it is there.
bool is_begun(const Exercise&);

/// Says what is not right yet with a run of a student's kernel, with its counts; empty: it is solved. Runs the
/// solution, too.
std::string check_exercise(const Exercise&, const PreparedKernel&, const ptx::LaunchResult&,
                           const std::stop_token& = {});

}  // namespace convscope::app
