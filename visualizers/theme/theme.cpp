#include "visualizers/theme/theme.h"

#include <algorithm>
#include <cmath>

#include "visualizers/theme/legible.h"

namespace convscope {
namespace {

// M. Okabe and K. Ito, 'Color Universal Design', without black.
constexpr std::array<Rgba, 7> okabe_ito = {Rgba::hex(0xe69f00), Rgba::hex(0x56b4e9), Rgba::hex(0x009e73),
                                           Rgba::hex(0xcc79a7), Rgba::hex(0xd55e00), Rgba::hex(0x0072b2),
                                           Rgba::hex(0xf0e442)};

constexpr std::array<Rgba, 7> on_dark = {Rgba::hex(0x6f7fb0), Rgba::hex(0xb9a88a), Rgba::hex(0x7fa08f),
                                         Rgba::hex(0xa98fa3), Rgba::hex(0x566a80), Rgba::hex(0x94745f),
                                         Rgba::hex(0xc3c7b4)};
constexpr std::array<Rgba, 7> on_light = {Rgba::hex(0x7d8fb8), Rgba::hex(0xb59a5e), Rgba::hex(0x6f9a83),
                                          Rgba::hex(0xa67c9b), Rgba::hex(0x9fb6c6), Rgba::hex(0x7a5542),
                                          Rgba::hex(0xc2c7a8)};

// A row for each shade. On white yellow and sky blue are faint: there the hues begin darker, and blue is more violet.
constexpr std::array<std::uint32_t, Theme::hues* Theme::shades> methods_on_dark = {
    0xe69f00, 0x56b4e9, 0x009e73, 0xcc79a7, 0xd55e00, 0x0072b2, 0xf0e442, 0xf4d48c, 0xb3ddf5, 0x8cd3c0,
    0xe8c3d7, 0xecb78c, 0x8cc0dc, 0xf8f3aa, 0xa16f00, 0x3c7ea3, 0x10785b, 0x8f5575, 0xa25920, 0x307195,
    0xa8a02e, 0xd3bb86, 0xa2c2d4, 0x77ac9d, 0xc1a5b4, 0xba9272, 0x6a91a6, 0xede9b2, 0xfaeccc, 0xddf0fb,
    0xccece3, 0xf5e4ed, 0xf7dfcc, 0xcce3f0, 0xfcfad9, 0xecb73f, 0x80c7ee, 0x3fb696, 0xd99abd, 0xdf863f,
    0x3f95c5, 0xf4eb71, 0xc48700, 0x4999c6, 0x088b67, 0xae678e, 0xbc5c10, 0x1872a4, 0xccc238, 0x807633,
    0x0075ff, 0x00ff8c, 0xff005f, 0xff4300, 0x4098ff, 0xe3ff00};

constexpr std::array<std::uint32_t, Theme::hues* Theme::shades> methods_on_light = {
    0xc47a00, 0x1f8fc9, 0x008560, 0xb8558f, 0xd04a00, 0x4a4fd6, 0x7d8500, 0x915900, 0x156c99, 0x3ca285,
    0xc778a6, 0xdb763e, 0x8589e3, 0x646b00, 0x633b00, 0x0b4868, 0x004e37, 0x6b2f52, 0x7b2800, 0x33379a,
    0x434800, 0x9d8151, 0x5e8ba2, 0x608e81, 0x9e7b8f, 0xa97b61, 0x8082ab, 0x858856, 0x3f2400, 0x042d43,
    0x003121, 0x451b34, 0x501700, 0x1e2165, 0x292c00, 0x6a542f, 0x395c6e, 0x306053, 0x6f4d61, 0x7c4c31,
    0x50528b, 0x585a2f, 0xaa6900, 0x1a7db1, 0x1e9472, 0xc0669a, 0xd5601f, 0x686cdc, 0x707800, 0x403933,
    0x0d81ff, 0x009953, 0xff0dc6, 0xff2d00, 0x0e00ff, 0x998e3d};

std::array<Rgba, Theme::hues * Theme::shades> from_hex(
    const std::array<std::uint32_t, Theme::hues * Theme::shades>& all) {
    std::array<Rgba, Theme::hues * Theme::shades> colours;
    std::ranges::transform(all, colours.begin(), [](std::uint32_t rgb) { return Rgba::hex(rgb); });
    return colours;
}

Theme make_dark() {
    Theme t;
    t.dark = true;
    t.background = Rgba::hex(0x121418);
    t.panel = Rgba::hex(0x191c22);
    t.raised = Rgba::hex(0x252a33);
    t.hovered = Rgba::hex(0x323844);
    t.hairline = Rgba::hex(0x343a46);
    t.text = Rgba::hex(0xe8eaee);
    t.text_dim = Rgba::hex(0xa6adba);
    t.accent = Rgba::hex(0xff5fa2);
    t.good = Rgba::hex(0x4cc38a);
    t.warning = Rgba::hex(0xf5b83d);
    t.bad = Rgba::hex(0xff7a6b);
    t.vendor = Rgba::hex(0xb4bac6);
    t.zero = Rgba::hex(0x20242b);
    t.hatch = Rgba::hex(0x2e343e);
    t.not_a_number = Rgba::hex(0xff3b30);
    t.sequential = colors_of(ColorMap::viridis);
    t.diverging = {Rgba::hex(0xffdcae), Rgba::hex(0xf6b366), Rgba::hex(0xd9832f),
                   Rgba::hex(0x8a5426), Rgba::hex(0x3a3d45), Rgba::hex(0x2b5f8c),
                   Rgba::hex(0x3d8fcf), Rgba::hex(0x78bdf2), Rgba::hex(0xc9e6ff)};
    t.categorical = okabe_ito;
    t.muted = on_dark;
    t.methods = from_hex(methods_on_dark);
    return t;
}

Theme make_light() {
    Theme t;
    t.dark = false;
    t.background = Rgba::hex(0xeef0f3);
    t.panel = Rgba::hex(0xfbfcfd);
    t.raised = Rgba::hex(0xeaedf1);
    t.hovered = Rgba::hex(0xdde2e9);
    t.hairline = Rgba::hex(0xcdd3dc);
    t.text = Rgba::hex(0x191c22);
    t.text_dim = Rgba::hex(0x565e6b);
    t.accent = Rgba::hex(0xc2185b);
    t.good = Rgba::hex(0x1a7446);
    t.warning = Rgba::hex(0x8a5a00);
    t.bad = Rgba::hex(0xc02818);
    t.vendor = Rgba::hex(0x5a6270);
    t.zero = Rgba::hex(0xeceff3);
    t.hatch = Rgba::hex(0xd8dde4);
    t.not_a_number = Rgba::hex(0xd9261c);
    t.sequential = colors_of(ColorMap::viridis);
    t.diverging = {Rgba::hex(0x7a3900), Rgba::hex(0xb4600c), Rgba::hex(0xdf9040),
                   Rgba::hex(0xf3c998), Rgba::hex(0xe6e6e6), Rgba::hex(0xa9cfee),
                   Rgba::hex(0x5a9fd6), Rgba::hex(0x2470b3), Rgba::hex(0x0b4079)};
    t.categorical = okabe_ito;
    t.muted = on_light;
    t.methods = from_hex(methods_on_light);
    return t;
}

Rgba ramp(const std::array<Rgba, Theme::steps>& colors, float t) {
    const float at = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(colors.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), colors.size() - 2);
    return mix(colors[low], colors[low + 1], at - static_cast<float>(low));
}

}  // namespace

Rgba Theme::ordered(double share) const {
    // The end of the map that is like the panel is left out.
    const auto t = static_cast<float>(std::clamp(share, 0.0, 1.0));
    return legible(ramp(sequential, dark ? 0.3f + 0.7f * t : 0.75f * t), panel, 3);
}

Rgba Theme::method(int number) const {
    const auto n = static_cast<std::size_t>(number);
    if (n < methods.size()) return methods[n];
    // Multiples of the golden ratio and of the plastic number's powers fill the hues, strengths and tints evenly.
    const auto part = [n](double ratio) { return static_cast<float>(std::fmod(static_cast<double>(n) * ratio, 1)); };
    const float hue = 6 * part(0.6180340);
    const Rgba pure{std::clamp(std::abs(hue - 3) - 1, 0.0f, 1.0f), std::clamp(2 - std::abs(hue - 2), 0.0f, 1.0f),
                    std::clamp(2 - std::abs(hue - 4), 0.0f, 1.0f)};
    const Rgba strong = mix(Rgba::hex(0x808080), pure, 0.6f + 0.4f * part(0.7548777));
    return legible(mix(strong, text, 0.4f * part(0.5698403)), panel, 3);
}

Rgba Theme::value(float value, const ValueRange& range) const {
    const bool is_signed = range.low < 0;
    const float most = std::max(std::abs(range.low), std::abs(range.high));
    const float t = most > 0 ? std::clamp(value / most, -1.0f, 1.0f) : 0.0f;
    // The smallest values keep clear of the colour of zero.
    return is_signed ? ramp(diverging, 0.5f + 0.42f * t + (t < 0 ? -0.08f : 0.08f))
                     : ramp(sequential, 0.15f + 0.85f * t);
}

const Theme& dark_theme() {
    static const Theme theme = make_dark();
    return theme;
}

const Theme& light_theme() {
    static const Theme theme = make_light();
    return theme;
}

const Theme& theme_with(bool dark, ColorMap map) {
    static const auto themes = [] {
        std::array<std::array<Theme, color_map_count>, 2> all;
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t m = 0; m < all[i].size(); ++m) {
                all[i][m] = i == 1 ? dark_theme() : light_theme();
                all[i][m].sequential = colors_of(static_cast<ColorMap>(m));
            }
        return all;
    }();
    return themes[dark ? 1 : 0][static_cast<std::size_t>(map)];
}

}  // namespace convscope
