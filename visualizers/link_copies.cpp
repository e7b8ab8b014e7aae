#include "visualizers/link_copies.h"

#include <fmt/format.h>

#include <vector>

#include "kernels/core/format_units.h"
#include "visualizers/link_products.h"

namespace convscope {
namespace {

/// The windows that cover a place along one axis, by their number.
std::vector<std::int64_t> windows_over(std::int64_t at, std::int64_t size, std::int64_t stride, std::int64_t count) {
    std::vector<std::int64_t> windows;
    for (std::int64_t i = 0; i < size; ++i)
        if (const std::int64_t from = at - i; from >= 0 && from % stride == 0 && from / stride < count)
            windows.push_back(from / stride);
    return windows;
}

}  // namespace

Copies copies_of(const Slice& slice, const Cell& cell) {
    const ConvShape& s = slice.shape();
    const auto rows = windows_over(cell.row + s.pad_h, s.r, s.stride_h, s.p());
    const auto cols = windows_over(cell.col + s.pad_w, s.s, s.stride_w, s.q());
    Copies copies;
    copies.L = static_cast<std::int64_t>(cols.size());
    copies.im2col = copies.L * static_cast<std::int64_t>(rows.size());
    if (slice.x(cell.row, cell.col) == 0) return copies;
    copies.F_data = copies.im2col;
    if (!s.pooled()) return copies;
    for (const std::int64_t oy : rows)
        for (const std::int64_t ox : cols) for_each_pool(s, oy, ox, [&](std::int64_t, std::int64_t) { ++copies.Data; });
    return copies;
}

std::string copies_in_words(const Slice& slice, const Cell& cell) {
    const Copies c = copies_of(slice, cell);
    std::string words = fmt::format("{} {} in im2col, {} in L, {} in F_data", format_count(c.im2col),
                                    c.im2col == 1 ? "copy" : "copies", format_count(c.L), format_count(c.F_data));
    if (slice.shape().pooled()) words += fmt::format(", {} in Data", format_count(c.Data));
    return words;
}

}  // namespace convscope
