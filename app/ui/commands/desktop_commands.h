// Commands that are about the app itself: its panels, its size and colours, the way of the keyboard, copying.
#pragma once

#include <vector>

#include "app/ui/commands/commands.h"

namespace convscope::app {

/// Each with its group.
std::vector<Command> preference_commands();

}  // namespace convscope::app
