// One map alone, as large as it fits; and the output with what it comes from.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "visualizers/layouts/layout_pages.h"
#include "visualizers/layouts/page_parts.h"

namespace convscope {

namespace {

Lead lead_of(const LayoutScene& scene, ArrayId id) {
    const ConvShape& s = scene.map_values().shape();
    const ArraySpec& spec = scene.find(id)->spec;
    const std::int64_t elements = spec.rows * spec.cols;
    if (id == ArrayId::x) {
        const auto& values = scene.map_values().x_values();
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
    return {compose, {0}, text, false, nullptr, 1};
}

LayoutPage output_page(const LayoutScene& scene, const ViewStyle& style) {
    const bool pools = scene.format() == Format::pecr;
    const ArraySpec& spec = scene.find(ArrayId::y)->spec;
    auto compose = [&scene, &spec, pools, notation = style.notation](FigureBoard& board, std::int64_t) {
        const ConvShape& s = scene.map_values().shape();
        const auto add = [&](ArrayId id, const char* title, std::string note) {
            Figure figure = whole_array(scene, id, title, std::move(note));
            figure.indices = id != ArrayId::w;
            board.add(std::move(figure));
        };
        add(ArrayId::x, "Input x", input_size(s, notation));
        add(ArrayId::w, "Filter w", filter_size(s, notation));
        if (pools) add(ArrayId::conv, "Convolution", output_size(s, notation));
        add(ArrayId::y, "Output y", fmt::format("{} \u00d7 {}", spec.rows, spec.cols));
    };
    auto text = [&scene](std::int64_t) { return PageText{lead_of(scene, ArrayId::y), {}}; };
    using A = Arrangement;
    std::vector<A> ways;
    if (pools)
        ways = {A::row({0, 1, 2, 3}), A::row({A::column({0, 1}), A::column({2, 3})}),
                A::column({A::row({0, 1}), A::row({2, 3})}), A::row({A::column({0, A::row({1, 3})}), 2})};
    else
        ways = {A::row({0, 1, 2}), A::row({A::column({0, 1}), 2}), A::row({0, A::column({1, 2})}),
                A::column({A::row({0, 1}), 2})};
    return {compose, std::move(ways), text, false, nullptr, pools ? 4 : 3};
}

}  // namespace convscope
