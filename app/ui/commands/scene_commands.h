// Slides and the scenes that they go through.
#pragma once

#include <vector>

#include "app/ui/commands/commands.h"

namespace convscope::app {

std::vector<Command> scene_commands();
/// PgDn and PgUp go from scene to scene where the session has any: true where one of them was pressed.
bool page_through_scenes(Session&);

}  // namespace convscope::app
