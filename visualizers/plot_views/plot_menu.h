// What every plot's right-click menu ends with: its picture, its data and its command line.
#pragma once

#include "visualizers/plots/plot_request.h"

namespace convscope {

/// Inside an open menu. Without a command line its item is there, and grey.
PlotRequest plot_menu_items(bool has_command);

}  // namespace convscope
