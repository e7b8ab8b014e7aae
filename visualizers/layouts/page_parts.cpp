#include "visualizers/layouts/page_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/format_units.h"

namespace convscope {

std::string symbol_size(const std::string& symbols, std::int64_t rows, std::int64_t cols) {
    return fmt::format("${} = {} \\times {}$", symbols, rows, cols);
}

std::string input_size(const ConvShape& s, Notation notation) {
    return symbol_size(tex_symbols(notation, " \\times ", LayerSize::map_h, LayerSize::map_w), s.h, s.w);
}

std::string filter_size(const ConvShape& s, Notation notation) {
    return symbol_size(tex_symbols(notation, " \\times ", LayerSize::filter_h, LayerSize::filter_w), s.r, s.s);
}

std::string output_size(const ConvShape& s, Notation notation) {
    return symbol_size(tex_symbols(notation, " \\times ", LayerSize::out_h, LayerSize::out_w), s.p(), s.q());
}

std::string padded_height(const ConvShape& s, Notation notation) {
    const std::string height = tex_symbol(LayerSize::map_h, notation);
    if (notation == Notation::paper || s.padded_h() == s.h) return height;
    return "(" + height +
           (s.pad_extra_h == 0 ? " + 2 \\cdot \\text{pad}_h)"
                               : " + \\text{pad}_{\\text{top}} + \\text{pad}_{\\text{bottom}})");
}

Lead lead_of_block(std::int64_t block, std::int64_t needed, std::int64_t dense) {
    const std::string name = fmt::format("B{} skips ", block + 1);
    if (needed == dense)
        return {name, "nothing", fmt::format(": none of its {} multiplications has a zero input", format_count(dense))};
    const double share = 1 - static_cast<double>(needed) / static_cast<double>(dense);
    return {name, format_percent(share),
            fmt::format(" of its multiplications: {} of {} are needed", format_count(needed), format_count(dense)),
            share};
}

std::vector<Bracket> block_brackets(const Theme& theme, std::int64_t blocks, std::int64_t shown, std::int64_t step,
                                    std::int64_t height, std::int64_t pad, std::int64_t map_rows) {
    constexpr std::int64_t max_blocks = 8, max_lanes = 4;
    const std::int64_t lanes = (height + step - 1) / step;
    const bool all = blocks <= max_blocks && lanes <= max_lanes;
    std::vector<Bracket> brackets;
    for (std::int64_t b = all ? 0 : shown; b < (all ? blocks : shown + 1); ++b) {
        const std::int64_t first = std::max<std::int64_t>(0, b * step - pad);
        const std::int64_t end = std::min(map_rows, b * step - pad + height);
        brackets.push_back({first, std::max<std::int64_t>(0, end - first), fmt::format("B{}", b + 1), theme.category(b),
                            all ? static_cast<int>(b % lanes) : 0, LinkGroup{LinkGroup::Kind::block_row, b, 0}});
    }
    return brackets;
}

void name_block_rows(Figure& figure, const Theme& theme) {
    constexpr std::int64_t max_names = 14;
    if (figure.source.rows > max_names) return;
    figure.row_label = [](std::int64_t row) { return fmt::format("B{}", row + 1); };
    figure.row_color = [&theme](std::int64_t row) { return theme.category(row); };
    figure.row_group = [](std::int64_t row) { return LinkGroup{LinkGroup::Kind::block_row, row, 0}; };
}

void name_threads(Figure& figure, const Theme& theme, ThreadColors colors, std::int64_t block) {
    figure.decor.tint_rows = colors.per_color();
    figure.row_label = [colors](std::int64_t row) { return fmt::format("T{}", row % colors.threads + 1); };
    figure.row_color = [colors, &theme](std::int64_t row) { return theme.category(colors.category(row)); };
    figure.row_group = [colors, block](std::int64_t row) {
        return LinkGroup{LinkGroup::Kind::thread, row % colors.threads, block};
    };
}

std::int64_t nearest_block(double row, std::int64_t blocks, std::int64_t step, std::int64_t height, std::int64_t pad) {
    const double middle_of_first = static_cast<double>(height) / 2 - static_cast<double>(pad);
    const auto nearest = static_cast<std::int64_t>(std::lround((row - middle_of_first) / static_cast<double>(step)));
    return std::clamp<std::int64_t>(nearest, 0, blocks - 1);
}

}  // namespace convscope
