#include "visualizers/plots/chart.h"

#include <algorithm>
#include <array>

namespace convscope {
namespace {

// Okabe and Ito's colours as the app has them (visualizers/theme/theme.cpp), yellow darkened and a grey
// added: charts are drawn on white.
constexpr std::array<Rgba, 8> colors = {Rgba::hex(0x0072b2), Rgba::hex(0xd55e00), Rgba::hex(0x009e73),
                                        Rgba::hex(0xcc79a7), Rgba::hex(0xe69f00), Rgba::hex(0x56b4e9),
                                        Rgba::hex(0xb8a800), Rgba::hex(0x3b3f46)};
constexpr int min_width = 760, max_width = 2400;
constexpr int bar_width = 9;

}  // namespace

Rgba chart_color(std::size_t series) {
    return colors[series % colors.size()];
}

Rgba chart_vendor_color() {
    return Rgba::hex(0x7a828f);
}

int chart_width(const Chart& chart) {
    const auto points = static_cast<int>(chart.points.size()), series = static_cast<int>(chart.series.size());
    const int step = chart.kind == Chart::Kind::bars ? series * bar_width + 12 : 28;
    return std::clamp(120 + points * step, min_width, max_width);
}

}  // namespace convscope
