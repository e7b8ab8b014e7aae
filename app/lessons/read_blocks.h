// The directives of a lesson file, from TOML. For .cpp files only: toml++ is a heavy header.
#pragma once

#include <toml++/toml.h>

#include "app/lessons/lesson.h"

namespace convscope::lessons {

/// Each complains about every key that is unknown, of the wrong type or impossible.
void read_front(const toml::table&, int line, const TextReader&, Lesson&);
/// The table [let] of the front matter; complains about names that are none or are taken, and about each expression.
Lets read_lets(const toml::table& front, const TextReader&);
Show read_show(const toml::table&, int line, const Registry&, Problems&);
std::optional<Ask> read_ask(const toml::table&, int line, const TextReader&);
std::optional<Task> read_task(const toml::table&, int line, const TextReader&);

}  // namespace convscope::lessons
