// One map alone, as large as it fits.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "visualizers/layouts/layout_pages.h"

namespace convscope {

namespace {

Lead lead_of(const LayoutScene& scene, ArrayId id) {
    const ConvShape& s = scene.slice().shape();
    const ArraySpec& spec = scene.find(id)->spec;
    const std::int64_t elements = spec.rows * spec.cols;
    if (id == ArrayId::x) {
        const auto& values = scene.slice().x_values();
        const auto zeros = std::count(values.begin(), values.end(), 0.0f);
        const double share = static_cast<double>(zeros) / static_cast<double>(elements);
        return {"", format_percent(share),
                fmt::format(" of x is zero: {} of {} elements", format_count(zeros), format_count(elements)), share};
    }
    if (id == ArrayId::im2col)
        return {"im2col makes ", format_count(elements), fmt::format(" elements of {}", format_count(s.h * s.w))};
    const std::string sums = fmt::format("of {} products", format_count(s.window()));
    if (scene.format() != Format::pecr) return {"", format_count(elements), " outputs, each the sum " + sums};
    return {"", format_count(elements),
            fmt::format(" outputs, each the largest of {} sums {}, or 0", s.pool_h * s.pool_w, sums)};
}

}  // namespace

LayoutPage map_page(const LayoutScene& scene, ArrayId id) {
    const ArraySpec& spec = scene.find(id)->spec;
    auto compose = [&scene, &spec, id](FigureBoard& board, std::int64_t) {
        const char* const title = id == ArrayId::x ? "Input x" : id == ArrayId::im2col ? "im2col matrix" : "Output y";
        Figure figure = whole_array(scene, id, title, fmt::format("{} \u00d7 {}", spec.rows, spec.cols));
        figure.indices = true;
        board.add(std::move(figure));
    };
    auto text = [&scene, id](std::int64_t) { return PageText{lead_of(scene, id), {}}; };
    return {compose, {Arrangement::of(0)}, text, false, nullptr, 1};
}

}  // namespace convscope
