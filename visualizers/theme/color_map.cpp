#include "visualizers/theme/color_map.h"

#include <cstddef>

namespace convscope {
namespace {

using Steps = std::array<Rgba, color_map_steps>;

constexpr Steps hex(const std::array<std::uint32_t, color_map_steps>& colors) {
    Steps steps;
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = Rgba::hex(colors[i]);
    return steps;
}

// Viridis and magma: S. van der Walt, N. Smith (CC0). Cividis: J. Nunez, C. Anderton, R. Renslow, 2018.
constexpr Steps viridis =
    hex({0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725});
constexpr Steps cividis =
    hex({0x00224e, 0x1f3b6d, 0x454e6b, 0x62666f, 0x7c7b78, 0x98906f, 0xb6a866, 0xdac655, 0xfee838});
constexpr Steps magma = hex({0x000004, 0x1d1147, 0x51127c, 0x832681, 0xb73779, 0xe75263, 0xfc8961, 0xfec488, 0xfcfdbf});
constexpr Steps grey = hex({0x1c1c1c, 0x363636, 0x515151, 0x6c6c6c, 0x888888, 0xa3a3a3, 0xbfbfbf, 0xdadada, 0xf5f5f5});

}  // namespace

const char* to_string(ColorMap map) {
    switch (map) {
        case ColorMap::viridis:
            return "viridis";
        case ColorMap::cividis:
            return "cividis";
        case ColorMap::magma:
            return "magma";
        case ColorMap::grey:
            return "grey";
    }
    return "viridis";
}

const char* meaning_of(ColorMap map) {
    switch (map) {
        case ColorMap::viridis:
            return "violet to yellow; reads the same with any colour blindness";
        case ColorMap::cividis:
            return "blue to yellow; made to look the same with and without red-green blindness";
        case ColorMap::magma:
            return "black to pale yellow; the widest range of lightness";
        case ColorMap::grey:
            return "dark to light; for print, and for no colours at all";
    }
    return "";
}

const Steps& colors_of(ColorMap map) {
    switch (map) {
        case ColorMap::viridis:
            return viridis;
        case ColorMap::cividis:
            return cividis;
        case ColorMap::magma:
            return magma;
        case ColorMap::grey:
            return grey;
    }
    return viridis;
}

}  // namespace convscope
