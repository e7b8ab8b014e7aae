// Offers what an instance left that did not end properly. It stands below the toolbar and holds nothing up.
#pragma once

#include "app/ui/widgets/frame.h"

namespace convscope::app {

void draw_recovery_bar(Frame&, float top);

}  // namespace convscope::app
