#include "visualizers/explain/link_copies.h"

#include <fmt/format.h>

#include "kernels/core/format_units.h"
#include "kernels/layers/covering_windows.h"
#include "visualizers/explain/link_products.h"

namespace convscope {
Copies copies_of(const MapValues& map_values, const Cell& cell) {
    const ConvShape& s = map_values.shape();
    const std::vector<Covering> rows = windows_over_row(s, cell.row), cols = windows_over_col(s, cell.col);
    Copies copies;
    copies.L = static_cast<std::int64_t>(cols.size());
    copies.im2col = copies.L * static_cast<std::int64_t>(rows.size());
    if (map_values.x(cell.row, cell.col) == 0) return copies;
    copies.F_data = copies.im2col;
    if (!s.pooled()) return copies;
    for (const Covering& row : rows)
        for (const Covering& col : cols)
            for_each_pool(s, row.window, col.window, [&](std::int64_t, std::int64_t) { ++copies.Data; });
    return copies;
}

std::string describe_copies(const MapValues& map_values, const Cell& cell) {
    const Copies c = copies_of(map_values, cell);
    std::string words = fmt::format("{} {} in im2col, {} in L, {} in F_data", format_count(c.im2col),
                                    c.im2col == 1 ? "copy" : "copies", format_count(c.L), format_count(c.F_data));
    if (map_values.shape().pooled()) words += fmt::format(", {} in Data", format_count(c.Data));
    return words;
}

}  // namespace convscope
