// The scenes of the tour whose pictures are the same every time: those that measure show frozen figures instead, or
// are left out. A new scene of the tour is pictured without a line here.
#pragma once

#include "app/tour/scenes.h"

namespace convscope::app {

std::vector<Scene> still_scenes(const Registry&);

/// Widgets, by their names in the item registry, that print what differs between machines: they are painted over.
const std::vector<std::string>& machine_dependent_items();

}  // namespace convscope::app
