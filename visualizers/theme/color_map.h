// The colour maps for values without a sign that a user can choose from. All rise evenly in lightness, so they
// read the same with any kind of colour blindness, and in print.
#pragma once

#include <array>

#include "visualizers/theme/color.h"

namespace convscope {

enum class ColorMap { viridis, cividis, magma, grey };
inline constexpr int color_map_count = 4;
const char* to_string(ColorMap);   ///< "viridis", as settings keep it
const char* meaning_of(ColorMap);  ///< in a few words

inline constexpr std::size_t color_map_steps = 9;
/// From the lowest value to the highest, in even steps.
const std::array<Rgba, color_map_steps>& colors_of(ColorMap);

}  // namespace convscope
