// The colours of the app, dark and light, and what each means. The same meaning everywhere.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/core/value_range.h"
#include "visualizers/theme/color.h"
#include "visualizers/theme/color_map.h"

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
    Rgba vendor;       ///< the baseline, always dashed
    Rgba zero, hatch;  ///< a cell that holds zero
    Rgba not_a_number;

    static constexpr std::size_t steps = color_map_steps;
    std::array<Rgba, steps> sequential;  ///< for data without a sign: viridis unless another map was chosen
    std::array<Rgba, steps> diverging;   ///< negative to positive, the middle is near zero
    std::array<Rgba, 7> categorical;     ///< Okabe-Ito: threads, warps, block rows
    std::array<Rgba, 7> muted;           ///< greyish: parts of a whole
    static constexpr std::size_t hues = 7, shades = 8;
    std::array<Rgba, hues * shades> methods;  ///< Okabe-Ito's hues in each shade, all at least 3:1 on panels

    /// Colour of thread, block row or method number i; repeats.
    const Rgba& category(long long i) const { return categorical[static_cast<std::size_t>(i) % categorical.size()]; }
    /// Colour of a method, by app/compare/method_colours.h: hue number % 7 in shade number / 7. A number beyond the
    /// shades gives a colour of its own, unlike its neighbours' and at least 3:1 on panels.
    Rgba method(int number) const;
    /// Colour of a line that stands for a value, such as a block's size: from the lowest, 0, to the highest, 1; at
    /// least 3:1 on panels.
    Rgba ordered(double share) const;
    /// Colours that no method and no thread has, for the stages of a run and other parts of a whole; repeats.
    const Rgba& part(int number) const { return muted[static_cast<std::size_t>(number) % muted.size()]; }
    /// Colour of one value that is not zero. Maps are symmetric about zero when the range has negative values.
    Rgba value(float value, const ValueRange&) const;
};

const Theme& dark_theme();
const Theme& light_theme();
/// Either of them with another map for values without a sign.
const Theme& theme_with(bool dark, ColorMap);

}  // namespace convscope
