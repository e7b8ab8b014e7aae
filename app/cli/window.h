// The window, where this build has one.
#pragma once

#include "app/desktop/app.h"

namespace convscope::cli {

/// app.h's run_app and run_tour, or an Error(failed) that says that this build has no window.
int open_app(const AppOptions&);
int take_tour(const TourOptions&);

}  // namespace convscope::cli
