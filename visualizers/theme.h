// The colours of the app, dark and light, and what each means. The same meaning everywhere.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/core/value_range.h"
#include "visualizers/color.h"
#include "visualizers/color_map.h"

struct ImFont;
struct ImGuiStyle;

namespace convscope {

struct Theme {
    bool dark = true;
    Rgba background;  ///< behind everything
    Rgba panel;       ///< panels and views
    Rgba raised;      ///< fields, buttons, tooltips
    Rgba hovered;     ///< a field or button under the pointer
    Rgba hairline;    ///< the only kind of border
    Rgba text;
    Rgba text_dim;  ///< labels and notes; at least 4.5:1 on panel too
    Rgba accent;    ///< the linked set, the chosen tab, the focus
    Rgba good, warning, bad;
    Rgba vendor;       ///< the rival, always dashed
    Rgba zero, hatch;  ///< a cell that holds zero
    Rgba not_a_number;

    static constexpr std::size_t steps = color_map_steps;
    std::array<Rgba, steps> sequential;  ///< for data without a sign: viridis unless another map was chosen
    std::array<Rgba, steps> diverging;   ///< negative to positive, the middle is near zero
    std::array<Rgba, 7> categorical;     ///< Okabe-Ito: threads, warps, block rows, methods
    std::array<Rgba, 7> muted;           ///< greyish: parts of a whole

    /// Colour of thread, block row or method number i; repeats.
    const Rgba& category(long long i) const { return categorical[static_cast<std::size_t>(i) % categorical.size()]; }
    static constexpr std::size_t hues = 7;
    /// Colour of a method, by app/compare/method_colours.h: hue number % 7, then its lighter and its darker shade. Also
    /// of lines that are numbered in one plot.
    Rgba method(int number) const;
    /// Colours that no method and no thread has, for the stages of a run and other parts of a whole; repeats.
    const Rgba& part(int number) const { return muted[static_cast<std::size_t>(number) % muted.size()]; }
    /// Colour of one value that is not zero. Maps are symmetric about zero when the range has negative values.
    Rgba value(float value, const ValueRange&) const;
};

const Theme& dark_theme();
const Theme& light_theme();
/// Either of them with another map for values without a sign.
const Theme& theme_with(bool dark, ColorMap);

/// Colours, spacing and rounding for ImGui, from a theme, at a UI scale. Starts from ImGui's own defaults.
void apply_theme(const Theme&, float scale, ImGuiStyle&);

/// What every view needs to draw: handed down by the app each frame.
struct ViewStyle {
    const Theme* theme = nullptr;
    ImFont* text = nullptr;  ///< proportional, the size of running text (15 px at scale 1)
    ImFont* mono = nullptr;  ///< tabular figures
    float scale = 1;
    ImFont* small = nullptr;  ///< proportional, for notes, labels and axes (13 px at scale 1)
    ImFont* code = nullptr;   ///< tabular, for source text (12 px at scale 1)

    // Always drawn at their own size: glyphs that are scaled have uneven gaps.
    ImFont* body() const;     ///< 'text', or whatever there is instead
    ImFont* caption() const;  ///< 'small', or whatever there is instead
    ImFont* source() const;   ///< 'code', or whatever there is instead

    float px(float at_scale_1) const { return at_scale_1 * scale; }
};

}  // namespace convscope
