// A small picture of what a lesson is mostly about: the view that its steps show.
#pragma once

#include <imgui.h>

#include "app/lessons/lesson.h"

namespace convscope::app {

void sketch(const lessons::Lesson&, ImDrawList&, ImVec2 from, ImVec2 to);

}  // namespace convscope::app
