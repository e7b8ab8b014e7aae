#include "app/compare/method_colours.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "visualizers/theme/theme.h"

namespace convscope::app {
namespace {

enum Hue { orange, sky_blue, green, pink, vermilion, blue, yellow };
enum Shade { plain, lighter, darker };

struct Colour {
    std::string_view method;
    Hue hue;
    Shade shade = plain;
    int number() const { return hue + shade * static_cast<int>(Theme::hues); }
};

// Members whose shade does not follow from their number.
constexpr std::array members{Colour{"reference", sky_blue, darker},
                             Colour{"mec1", green, lighter},
                             Colour{"mec2", green},
                             Colour{"mec2a", green, darker},
                             Colour{"mec2b", yellow, darker},
                             Colour{"mec3", yellow, lighter},
                             Colour{"tensor1", blue, lighter},
                             Colour{"tensor2", sky_blue, lighter},
                             Colour{"winograd1", vermilion},
                             Colour{"fft1", pink, darker},
                             Colour{"csr1", yellow},
                             Colour{"ocpa2", sky_blue, lighter},
                             Colour{"tensor3", blue, darker},
                             Colour{"tiled-single", pink, darker},
                             Colour{"tiled-single2", pink, lighter},
                             Colour{"tiled-multi2", pink, lighter},
                             Colour{"unfused0", yellow, darker},
                             Colour{"fused0", vermilion, darker},
                             Colour{"fused1", vermilion, lighter},
                             Colour{"fused2", vermilion},
                             Colour{"fused3", orange},
                             Colour{"fused4", orange, lighter},
                             Colour{"fused5", green},
                             Colour{"fused6", green, lighter}};

constexpr std::array families{Colour{"im2col", sky_blue}, Colour{"mec", green},   Colour{"pecr", pink},
                              Colour{"ecr", orange},      Colour{"csr", yellow},  Colour{"winograd", vermilion},
                              Colour{"fft", pink},        Colour{"ocpa", blue},   Colour{"tiled", pink},
                              Colour{"fused", vermilion}, Colour{"tensor", blue}, Colour{"direct", blue}};

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

/// "ecr5" is the fifth: plain, lighter and darker in turn, so that neighbours differ.
Shade shade_of(std::string_view method) {
    const auto digit = std::ranges::find_if(method, [](unsigned char c) { return std::isdigit(c) != 0; });
    return digit == method.end() ? plain : static_cast<Shade>((*digit - '0') % 3);
}

}  // namespace

int colour_of(std::string_view method) {
    if (const auto at = std::ranges::find(members, method, &Colour::method); at != members.end()) return at->number();
    for (Colour family : families) {
        if (!method.starts_with(family.method)) continue;
        family.shade = shade_of(method.substr(family.method.size()));
        return family.number();
    }
    return Colour{{}, blue, lighter}.number();
}

PlotSeries::Shape mark_of(std::string_view method) {
    if (!method.starts_with("cudnn-") && !method.starts_with("onednn-")) return Shape::dot;
    for (const Mark& mark : marks)
        if (method.ends_with(mark.ending)) return mark.shape;
    return Shape::ring;
}

}  // namespace convscope::app
