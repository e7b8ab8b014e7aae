#include "visualizers/theme/color.h"

#include <algorithm>
#include <cmath>

namespace convscope {
namespace {

std::uint32_t byte(float channel) {
    return static_cast<std::uint32_t>(std::lround(255 * std::clamp(channel, 0.0f, 1.0f)));
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

}  // namespace

std::uint32_t Rgba::u32() const {
    return byte(r) | byte(g) << 8 | byte(b) << 16 | byte(a) << 24;
}

Rgba mix(const Rgba& a, const Rgba& b, float t) {
    return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b), a.a + t * (b.a - a.a)};
}

double relative_luminance(const Rgba& color) {
    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

double contrast_ratio(const Rgba& a, const Rgba& b) {
    const auto [low, high] = std::minmax({relative_luminance(a), relative_luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

Rgba readable_on(const Rgba& background) {
    // One of the two has at least 4.58:1 on any colour.
    constexpr Rgba black = Rgba::hex(0x000000), white = Rgba::hex(0xffffff);
    return contrast_ratio(black, background) >= contrast_ratio(white, background) ? black : white;
}

}  // namespace convscope
