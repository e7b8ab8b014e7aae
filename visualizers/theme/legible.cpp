#include "visualizers/theme/legible.h"

namespace convscope {

Rgba legible(const Rgba& colour, const Rgba& background, double least) {
    constexpr int steps = 16;
    Rgba result = colour;
    for (int i = 1; i <= steps && contrast_ratio(result, background) < least; ++i)
        result = mix(colour, readable_on(background), static_cast<float>(i) / steps).with_alpha(colour.a);
    return result;
}

}  // namespace convscope
