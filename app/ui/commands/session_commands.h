// What keys and the palette can do with session files.
#pragma once

#include <vector>

#include "app/ui/commands/commands.h"

namespace convscope::app {

std::vector<Command> session_commands();

}  // namespace convscope::app
