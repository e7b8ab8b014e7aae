// A method's colour depends on its id alone: the same in Live, Compare, Sweep and Network, whatever it is compared
// with. A table gives the methods that papers and recorded sessions compare one of seven hues, in one of eight shades,
// so that they are far apart. Every other method's colour follows from its id, so that a new one needs no row.
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
