// Colours as numbers: parsing, mixing, contrast. No ImGui here.
#pragma once

#include <cstdint>

namespace convscope {

/// sRGB, each channel 0..1, alpha not premultiplied.
struct Rgba {
    float r = 0, g = 0, b = 0, a = 1;
    bool operator==(const Rgba&) const = default;

    /// From 0xRRGGBB.
    static constexpr Rgba hex(std::uint32_t rgb, float alpha = 1) {
        return {static_cast<float>(rgb >> 16 & 255) / 255, static_cast<float>(rgb >> 8 & 255) / 255,
                static_cast<float>(rgb & 255) / 255, alpha};
    }
    constexpr Rgba with_alpha(float alpha) const { return {r, g, b, alpha}; }
    /// As ImDrawList takes it (ImU32, red in the lowest byte).
    std::uint32_t u32() const;
};

Rgba mix(const Rgba& a, const Rgba& b, float t);  ///< t = 0 gives a
double relative_luminance(const Rgba&);           ///< WCAG 2.1, alpha ignored
double contrast_ratio(const Rgba&, const Rgba&);  ///< WCAG 2.1, 1..21
/// How different two colours look: the distance in CIE L*a*b* (Delta E 1976); 2 is just seen, 100 is black on white.
double colour_difference(const Rgba&, const Rgba&);
/// Black or white, whichever reads better on this colour.
Rgba readable_on(const Rgba& background);

}  // namespace convscope
