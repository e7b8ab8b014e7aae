// A small picture of what a lesson is mostly about: the view that its steps show.
#pragma once

#include <imgui.h>

#include <string>

#include "app/lessons/lesson.h"

namespace convscope::app {

/// "Xu 2019": the first of the papers that a lesson names; it is listed under it.
std::string first_paper(const lessons::Lesson&);

void sketch(const lessons::Lesson&, ImDrawList&, ImVec2 from, ImVec2 to);

}  // namespace convscope::app
