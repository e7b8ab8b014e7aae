#include "app/cli/model_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/core/format_units.h"

namespace convscope::cli {
namespace {

using TableRow = std::array<std::string, 8>;

std::string share_text(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

TableRow sums_row(std::int64_t weights, std::int64_t multiply_adds, std::int64_t nonzero) {
    return {"all",
            "",
            format_count(weights),
            "",
            "",
            format_count(multiply_adds),
            format_count(nonzero),
            share_text(static_cast<double>(nonzero) / static_cast<double>(multiply_adds))};
}

/// The first two columns are text, the others numbers.
std::string aligned(const std::vector<TableRow>& rows) {
    std::array<std::size_t, std::tuple_size_v<TableRow>> widths{};
    for (const TableRow& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const TableRow& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += i < 2 ? fmt::format("{:<{}}  ", row[i], widths[i]) : fmt::format("{:>{}}  ", row[i], widths[i]);
        text.erase(text.find_last_not_of(' ') + 1);
        text += "\n";
    }
    return text;
}

/// "output 'scores', 1x10, the largest: [3] 12.1, [8] 3.25".
std::string output_text(const ModelOutput& output) {
    constexpr std::ptrdiff_t shown = 5;
    const std::vector<float>& values = output.array.data;
    std::vector<std::size_t> places(values.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto end = places.begin() + std::min(shown, std::ssize(places));
    // NaN last: an order needs every value to have its place.
    const auto larger = [&](std::size_t a, std::size_t b) {
        if (std::isnan(values[a]) || std::isnan(values[b])) return !std::isnan(values[a]) && std::isnan(values[b]);
        return values[a] > values[b] || (values[a] == values[b] && a < b);
    };
    std::ranges::partial_sort(places, end, larger);
    std::string text;
    for (auto place = places.begin(); place != end; ++place)
        text += fmt::format("{}[{}] {}", text.empty() ? "" : ", ", *place,
                            format_number(static_cast<double>(values[*place])));
    return fmt::format("output '{}', {}, the largest: {}\n", output.name, describe(output.array.shape), text);
}

}  // namespace

std::string model_table(const ModelNetwork& model, const Network& part) {
    std::vector<TableRow> rows{
        {"layer", "shape", "weights", "zeros in x", "zeros in w", "multiply-adds", "without a zero", "share"}};
    std::int64_t weights = 0, multiply_adds = 0, nonzero = 0;
    for (const Preset& preset : part.layers) {
        const ModelLayer& layer = model.layer(preset);
        weights += layer.shape.w_elements();
        multiply_adds += layer.multiply_adds;
        nonzero += layer.nonzero_multiply_adds;
        rows.push_back(
            {layer.name, layer_text(layer.shape), format_count(layer.shape.w_elements()), share_text(layer.x_zeros),
             share_text(layer.w_zeros), format_count(layer.multiply_adds), format_count(layer.nonzero_multiply_adds),
             share_text(static_cast<double>(layer.nonzero_multiply_adds) / static_cast<double>(layer.multiply_adds))});
    }
    rows.push_back(sums_row(weights, multiply_adds, nonzero));
    std::string text =
        fmt::format("{}: {}, batch {}, run with the reference\n\n{}\n", part.head.title,
                    counted(part.layers.size(), "layer"), part.layers.front().spec.shape.n, aligned(rows));
    for (const ModelOutput& output : model.outputs) text += output_text(output);
    return text + "\n";
}

}  // namespace convscope::cli
