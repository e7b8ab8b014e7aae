#include "app/ui/widgets/method_picture.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace convscope::app {
namespace {

using Rows = std::vector<std::string>;

constexpr std::array<std::string_view, 4> map{"#..#.", "..#..", ".#..#", "#...."};
constexpr std::size_t side = 3, windows_down = 2, windows_across = 3;

Rows dense() {
    return {map.begin(), map.end()};
}

/// im2col: a row for each window.
Rows windows() {
    Rows rows;
    for (std::size_t i = 0; i < windows_down; ++i)
        for (std::size_t j = 0; j < windows_across; ++j) {
            rows.emplace_back();
            for (std::size_t r = 0; r < side; ++r) rows.back() += map[i + r].substr(j, side);
        }
    return rows;
}

/// MEC: a row for each strip as wide as the filter.
Rows strips() {
    Rows rows(windows_across);
    for (std::size_t j = 0; j < windows_across; ++j)
        for (const std::string_view row : map) rows[j] += row.substr(j, side);
    return rows;
}

std::size_t values_in(const std::string& row) {
    return static_cast<std::size_t>(std::ranges::count(row, '#'));
}

/// ECR: what is not zero moves to the front of its window's slots. ELL: the slots are as many as the fullest window
/// has.
Rows packed(bool slots_of_fullest) {
    Rows rows = windows();
    std::size_t slots = slots_of_fullest ? 0 : side * side;
    if (slots_of_fullest)
        for (const std::string& row : rows) slots = std::max(slots, values_in(row));
    for (std::string& row : rows) row = std::string(values_in(row), '#').append(slots - values_in(row), '_');
    return rows;
}

/// PECR: a row for each result of the pooling, with the values of its 2 x 2 windows one after the other.
Rows pooled() {
    const Rows all = windows();
    Rows rows;
    for (std::size_t j = 0; j + 1 < windows_across; ++j) {
        std::size_t values = 0;
        for (const std::size_t window : {j, j + 1, windows_across + j, windows_across + j + 1})
            values += values_in(all[window]);
        rows.push_back(std::string(values, '#').append(4 * side * side - values, '_'));
    }
    return rows;
}

/// All values that are not zero in a row, above 'indices' rows of as many numbers; CSR's last row has the windows'
/// ends.
Rows listed(std::size_t indices, bool ends) {
    std::size_t values = 0;
    const Rows all = windows();
    for (const std::string& row : all) values += values_in(row);
    Rows rows{std::string(values, '#')};
    rows.resize(1 + indices, std::string(values, 'o'));
    if (ends) rows.emplace_back(all.size() + 1, 'o');
    return rows;
}

}  // namespace

std::vector<std::string> method_picture(const MethodInfo& info) {
    const auto is = [&info](std::initializer_list<const char*> families) {
        return std::ranges::find(families, info.family) != families.end();
    };
    if (is({"reference", "tiled", "fused", "tensor", "vendor"})) return dense();
    if (is({"im2col"})) return windows();
    if (is({"mec"})) return strips();
    if (is({"ecr", "ocpa"})) return packed(false);
    if (is({"pecr"})) return pooled();
    if (is({"csr"}) || info.id.starts_with("csr")) return listed(1, true);
    if (info.id.starts_with("coo")) return listed(2, false);
    if (info.id.starts_with("ell")) return packed(true);
    return {};
}

}  // namespace convscope::app
