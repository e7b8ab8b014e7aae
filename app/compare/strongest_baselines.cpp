#include "app/compare/strongest_baselines.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "app/compare/compare_data.h"

namespace convscope::app {

RowConditions conditions_of(const CompareData& data, std::size_t row) {
    static const std::size_t n = table_column("n"), seed = table_column("seed"), source = table_column("source"),
                             cache = table_column("cache_mode"),
                             weight_sparsity = table_column("weight_sparsity_target"),
                             weight_pattern = table_column("weight_pattern");
    const CompareColumns& c = compare_columns();
    const auto number = [&](std::size_t column) {
        const double value = data.number(row, column);
        return std::isnan(value) ? -1 : value;
    };
    const auto text = [&](std::size_t column) { return static_cast<double>(data.table.text(column).code(row)); };
    return {static_cast<double>(data.layer[row]),
            number(n),
            number(c.sparsity),
            number(weight_sparsity),
            text(weight_pattern),
            text(seed),
            text(source),
            text(c.scope),
            text(cache),
            text(c.device_name)};
}

void StrongestBaselines::find(const CompareData& data) {
    for (std::size_t row = 0; row < data.table.rows(); ++row) {
        if (!data.vendor(row) || !data.passed(row)) continue;
        const auto [at, fresh] = rows_.try_emplace(conditions_of(data, row), static_cast<std::uint32_t>(row));
        const std::size_t time = compare_columns().time;
        if (!fresh && data.number(row, time) < data.number(at->second, time))
            at->second = static_cast<std::uint32_t>(row);
    }
}

std::optional<std::size_t> StrongestBaselines::of(const CompareData& data, std::size_t row) const {
    const auto found = rows_.find(conditions_of(data, row));
    return found == rows_.end() ? std::nullopt : std::optional<std::size_t>(found->second);
}

bool is_own_baseline(const CompareData& data, std::size_t row) {
    const std::string_view vendor = data.text(row, compare_columns().vendor);
    return !vendor.empty() && vendor == data.text(row, compare_columns().method);
}

std::string ratio_words(const CompareData& data, std::size_t row) {
    const CompareColumns& c = compare_columns();
    const double speedup = data.number(row, c.speedup);
    if (std::isnan(speedup)) return {};
    const std::string_view vendor = data.text(row, c.vendor);
    std::string words = is_own_baseline(data, row) ? "the baseline" : fmt::format("{:.2f}x {}", speedup, vendor);
    const std::optional<std::size_t> strongest = data.strongest.of(data, row);
    const std::string_view name = strongest ? data.text(*strongest, c.method) : vendor;
    if (name == vendor || *strongest == row) return words;
    return words + fmt::format(", {:.2f}x {}", data.number(*strongest, c.time) / data.number(row, c.time), name);
}

}  // namespace convscope::app
