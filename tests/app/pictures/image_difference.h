// How different two pictures look, and where.
#pragma once

#include <filesystem>
#include <string>

#include "visualizers/gl/image.h"

namespace convscope::app {

using gl::Image;

/// Each pixel the mean of a factor x factor square; what is left over at the right and the bottom is dropped.
Image shrunk(const Image&, int factor);
/// As references are kept: 'factor' times smaller, and in steps of 1/15 in each colour, which PNG packs well.
Image for_keeping(const Image&, int factor);

struct ImageDifference {
    double share = 0;                              ///< of the pixels look different, 0..1
    int left = 0, top = 0, right = 0, bottom = 0;  ///< the rectangle that holds them, right and bottom excluded
    Image marked;                                  ///< the second picture, pale, with what differs in red
};

/// Pixels are compared by their distance in YIQ, as the eye weighs brightness and hue (Kotsarenko & Ramos 2010), 0 for
/// the same and 1 for black against white. They look different above 'threshold'. Of the same size, or all differs.
ImageDifference difference(const Image& expected, const Image& actual, double threshold);

/// Throw Error(file).
Image read_png(const std::filesystem::path&);
void write_small_png(const std::filesystem::path&, const Image&);  ///< packed as well as PNG can; opaque

}  // namespace convscope::app
