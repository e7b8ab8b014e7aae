// Which lessons there are.
#pragma once

#include <filesystem>
#include <vector>

#include "app/lessons/lesson.h"

namespace convscope::lessons {

/// The lessons that came with the program (presets/lessons), then the user's own ($XDG_DATA_HOME/convscope/lessons),
/// each in the order of their names.
std::vector<std::filesystem::path> lesson_files();

/// Every one of them, read, broken ones with their problems. A file that cannot be read at all is a problem of line 1.
std::vector<ReadLesson> read_lessons(const Registry&);

/// Where a user's own lessons are: $XDG_DATA_HOME/convscope/lessons, or under ~/.local/share. Empty without a home.
std::filesystem::path own_lesson_folder();

}  // namespace convscope::lessons
