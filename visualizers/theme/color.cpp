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

struct Lab {
    double l, a, b;
};

/// CIELAB with the white point D65.
Lab lab_of(const Rgba& color) {
    const double r = linear(color.r), g = linear(color.g), b = linear(color.b);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const double y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
    const double z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
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

double colour_difference(const Rgba& one, const Rgba& other) {
    const Lab a = lab_of(one), b = lab_of(other);
    return std::hypot(a.l - b.l, a.a - b.a, a.b - b.b);
}

Rgba readable_on(const Rgba& background) {
    // One of the two has at least 4.58:1 on any colour.
    constexpr Rgba black = Rgba::hex(0x000000), white = Rgba::hex(0xffffff);
    return contrast_ratio(black, background) >= contrast_ratio(white, background) ? black : white;
}

}  // namespace convscope
