// One map alone, as large as it fits.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/format_units.h"
#include "visualizers/layouts/layout_pages.h"

namespace convscope {

LayoutPage map_page(const LayoutScene& scene, ArrayId id) {
    const ConvShape& s = scene.slice().shape();
    const bool input = id == ArrayId::x;
    const ArraySpec& spec = scene.find(id)->spec;
    auto compose = [&scene, &spec, id, input](FigureBoard& board, std::int64_t) {
        Figure figure =
            whole_array(scene, id, input ? "Input x" : "Output y", fmt::format("{} \u00d7 {}", spec.rows, spec.cols));
        figure.indices = true;
        board.add(std::move(figure));
    };
    auto text = [&scene, &s, &spec, input](std::int64_t) {
        PageText words;
        if (!input) {
            words.summary = fmt::format("{} outputs, {} multiplications behind each",
                                        format_count(spec.rows * spec.cols), format_count(s.window()));
            return words;
        }
        const auto& values = scene.slice().x_values();
        const auto zeros = std::count(values.begin(), values.end(), 0.0f);
        words.summary = fmt::format("{} of {} elements are zero: {}", format_count(zeros),
                                    format_count(static_cast<std::int64_t>(values.size())),
                                    format_percent(static_cast<double>(zeros) / static_cast<double>(values.size())));
        return words;
    };
    return {compose, {Arrangement::of(0)}, text, false, nullptr, 1};
}

}  // namespace convscope
