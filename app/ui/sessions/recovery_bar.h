// Offers what an instance left that did not end properly. It has a line of its own below the toolbar.
#pragma once

#include "app/ui/widgets/frame.h"

namespace convscope::app {

/// In pixels; 0 where there is nothing to offer.
float recovery_bar_height(const SessionManager&);
void draw_recovery_bar(Frame&, float top);

}  // namespace convscope::app
