// A method's colour depends on the method alone: the same in Live, Compare, Sweep and Network, whatever it is compared
// with. Each method of the registry has a row of its own: one of seven hues, by its family where there is room, in one
// of seven shades. Those that papers and recorded sessions compare are far apart.
//   sky blue im2col        green mec        orange ecr        pink pecr, tiled
//   vermilion winograd, fused        blue ocpa, tensor        yellow csr        pale orange a user's own kernels
// The vendor's best is the neutral, dashed line; the library's other algorithms are neutral too, and differ by mark.
#pragma once

#include <string_view>

#include "visualizers/plots/plot.h"

namespace convscope::app {

/// Its number in Theme::method.
int colour_of(std::string_view method);
/// The mark of a library's algorithm; dots for every other method.
PlotSeries::Shape mark_of(std::string_view method);

}  // namespace convscope::app
