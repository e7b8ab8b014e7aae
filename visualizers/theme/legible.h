// Text in a colour that names something, on whatever is behind it.
#pragma once

#include "visualizers/theme/theme.h"

namespace convscope {

/// The colour itself where its contrast with this background suffices (text reads at 4.5:1, lines at 3:1), else as
/// little as needed towards black or white.
Rgba legible(const Rgba& colour, const Rgba& background, double least = 4.5);

/// Behind a field whose value cannot be; its text is Theme::bad.
inline Rgba behind_rejected(const Theme& theme) {
    return mix(theme.panel, theme.bad, 0.12F);
}

}  // namespace convscope
