// A method's colour depends on the method alone: the same in Live, Compare, Sweep and Network, whatever it is compared
// with. Seven hues have to do for some fifty methods: a family has a hue, its members are plain, lighter or darker.
// The members that the papers and the recorded sessions compare differ; where a family has more than three, or families
// more than there are hues, two that are seldom in one plot share a colour. The newest of a family has another hue, so
// that it stands out from the published one.
//   sky blue im2col, ocpa2        green mec        orange ecr     pink pecr, tiled, fft
//   vermilion winograd, fused     blue ocpa        yellow csr
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
