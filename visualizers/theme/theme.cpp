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
    return t;
}

Rgba ramp(const std::array<Rgba, Theme::steps>& colors, float t) {
    const float at = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(colors.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), colors.size() - 2);
    return mix(colors[low], colors[low + 1], at - static_cast<float>(low));
}

}  // namespace

Rgba Theme::method(int number) const {
    const auto shades = static_cast<int>(hues);
    const Rgba& hue = category(number % shades);
    // Okabe-Ito's yellow and sky blue are faint on white.
    const Rgba plain = dark ? hue : mix(hue, text, 0.25f);
    constexpr Rgba white = Rgba::hex(0xffffff), black = Rgba::hex(0x000000);
    const int shade = number / shades % 3;
    const Rgba color = shade == 1   ? mix(plain, white, dark ? 0.55f : 0.45f)
                       : shade == 2 ? mix(plain, black, dark ? 0.3f : 0.4f)
                                    : plain;
    return legible(color, panel, 3);
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
