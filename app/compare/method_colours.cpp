#include "app/compare/method_colours.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "visualizers/theme/theme.h"

namespace convscope::app {
namespace {

enum Hue { orange, sky_blue, green, pink, vermilion, blue, yellow };
enum Shade { plain, light, dark, grey, pale, soft, deep, vivid };  ///< as they are on a dark panel

struct Colour {
    std::string_view method;
    Hue hue;
    Shade shade = plain;
    int number() const { return hue + shade * static_cast<int>(Theme::hues); }
};

constexpr std::array members{Colour{"ecr3", orange},
                             Colour{"ecr1", orange, grey},
                             Colour{"ecr2", orange, dark},
                             Colour{"ecr4", orange, light},
                             Colour{"ecr5", orange, soft},
                             Colour{"im2col", sky_blue},
                             Colour{"ocpa2", sky_blue, light},
                             Colour{"ocpa4", blue, deep},
                             Colour{"ocpa4-tf32", sky_blue, vivid},
                             Colour{"ocpa4-nhwc", vermilion, vivid},
                             Colour{"ocpa4-nhwc-tf32", yellow, vivid},
                             Colour{"reference", sky_blue, dark},
                             Colour{"fft1", sky_blue, grey},
                             Colour{"fused6", sky_blue, pale},
                             Colour{"tensor2", sky_blue, soft},
                             Colour{"mec2", green},
                             Colour{"mec1", green, light},
                             Colour{"mec2a", green, dark},
                             Colour{"union1", green, grey},
                             Colour{"pixel1", green, vivid},
                             Colour{"pixel2", blue, vivid},
                             Colour{"mec5", green, pale},
                             Colour{"mec6", green, soft},
                             Colour{"pecr3", pink},
                             Colour{"pecr1", pink, light},
                             Colour{"pecr2", pink, dark},
                             Colour{"tiled-single", pink, grey},
                             Colour{"pecr4", pink, pale},
                             Colour{"tiled-multi", pink, soft},
                             Colour{"winograd1", vermilion},
                             Colour{"fused1", vermilion, light},
                             Colour{"fused0", vermilion, dark},
                             Colour{"fused2", vermilion, grey},
                             Colour{"fused4", vermilion, pale},
                             Colour{"fused3", vermilion, soft},
                             Colour{"ocpa", blue},
                             Colour{"tensor1", blue, light},
                             Colour{"tensor3", blue, dark},
                             Colour{"mec7", blue, grey},
                             Colour{"mec4", blue, pale},
                             Colour{"fused5", blue, soft},
                             Colour{"csr1", yellow},
                             Colour{"mec3", yellow, light},
                             Colour{"mec2b", yellow, dark},
                             Colour{"unfused0", yellow, grey},
                             Colour{"tiled-multi2", yellow, pale},
                             Colour{"tiled-single2", yellow, soft},
                             Colour{"csr2", yellow, deep},
                             Colour{"csr3", orange, deep},
                             Colour{"ell1", sky_blue, deep},
                             Colour{"bitmap1", green, deep},
                             Colour{"bsr1", vermilion, deep},
                             Colour{"coo1", pink, deep},
                             Colour{"wcsr1", pink, vivid},
                             Colour{"nm1", orange, vivid}};

struct Mark {
    std::string_view ending;
    PlotSeries::Shape shape;
};
using Shape = PlotSeries::Shape;
// Longer endings first: "implicit-precomp-gemm" ends in "gemm" too.
constexpr std::array marks{Mark{"implicit-precomp-gemm", Shape::triangle},
                           Mark{"implicit-gemm", Shape::diamond},
                           Mark{"gemm", Shape::square},
                           Mark{"fft-tiling", Shape::cross},
                           Mark{"fft", Shape::plus},
                           Mark{"winograd-nonfused", Shape::triangle},
                           Mark{"winograd", Shape::cross},
                           Mark{"fused", Shape::hollow_square},
                           Mark{"fused-tf32", Shape::plus},
                           Mark{"tf32", Shape::ring},
                           Mark{"fp16", Shape::triangle},
                           Mark{"nchw", Shape::square},
                           Mark{"nhwc", Shape::diamond},
                           Mark{"blocked", Shape::triangle}};

}  // namespace

int colour_of(std::string_view method) {
    if (method.starts_with("own/")) return Colour{{}, orange, pale}.number();
    if (const auto at = std::ranges::find(members, method, &Colour::method); at != members.end()) return at->number();
    std::uint32_t hash = 2166136261;  // FNV-1a
    for (const char letter : method) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619;
    return static_cast<int>(Theme::hues * Theme::shades + hash % 65536);
}

PlotSeries::Shape mark_of(std::string_view method) {
    if (!method.starts_with("cudnn-") && !method.starts_with("onednn-")) return Shape::dot;
    for (const Mark& mark : marks)
        if (method.ends_with(mark.ending)) return mark.shape;
    return Shape::ring;
}

}  // namespace convscope::app
