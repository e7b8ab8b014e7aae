// Session files by keys and by the palette.
#pragma once

#include <vector>

#include "app/ui/commands/commands.h"

namespace convscope::app {

std::vector<Command> session_commands();

}  // namespace convscope::app
