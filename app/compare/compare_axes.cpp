#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "app/compare/compare_pages.h"
#include "kernels/records/row_query.h"

namespace convscope::app {
namespace {

/// The name, unit and scale of every column that needs more than its own name, and of the axes.
struct ColumnWords {
    const char *column, *name, *unit = "";
    bool log = false, whole = false;
};
constexpr ColumnWords column_words[] = {{"sparsity_target", "zeros", "%", false},
                                        {"n", "batch n", "", true, true},
                                        {"c", "input channels c", "", true, true},
                                        {"h", "map height h", "", true, true},
                                        {"k", "filters k", "", true, true},
                                        {"r", "filter height r", "", false, true},
                                        {"stride_h", "stride", "", false, true},
                                        {"dilation_h", "dilation", "", false, true},
                                        {"groups", "groups", "", true, true},
                                        {"block_size_x", "block x", "threads", true, true},
                                        {"block_size_y", "block y", "threads", true, true},
                                        {"block_size_z", "block z", "threads", true, true},
                                        {"grid_size_x", "grid x", "blocks", true, true},
                                        {"occupancy_pct", "occupancy", "%", false},
                                        {"time_median_us", "time", "us", true},
                                        {"speedup_vs_vendor", "speed-up over the vendor", "x", true},
                                        {"gflops", "dense rate", "GFLOP/s", true},
                                        {"gb_per_s", "rate of x, w and y", "GB/s", true},
                                        {"workspace_bytes", "workspace", "B", true},
                                        {"library_workspace_bytes", "a library's workspace", "B", true},
                                        {"convert_us", "conversion", "us", true},
                                        {"multiply_us", "multiplication", "us", true},
                                        {"noise_pct", "noise", "%", false},
                                        {"max_rel_err", "error", "", true},
                                        {"flops_dense", "dense work", "FLOP", true},
                                        {"schema_version", "version of the columns"},
                                        {"run_id", "run"},
                                        {"timestamp_utc", "finished at, UTC"},
                                        {"app_version", "version of convscope"},
                                        {"device_name", "name of the device"},
                                        {"compute_capability", "compute capability"},
                                        {"driver_version", "version of the driver"},
                                        {"cuda_version", "version of CUDA"},
                                        {"vendor_version", "version of the vendor's library"},
                                        {"dtype", "precision"},
                                        {"w", "map width w"},
                                        {"s", "filter width s"},
                                        {"p", "output height p"},
                                        {"q", "output width q"},
                                        {"pad_h", "padding"},
                                        {"pad_w", "padding across"},
                                        {"pad_extra_h", "more padding below"},
                                        {"pad_extra_w", "more padding on the right"},
                                        {"stride_w", "stride across"},
                                        {"pool_h", "pooling height"},
                                        {"pool_w", "pooling width"},
                                        {"pool_stride", "pooling stride"},
                                        {"dilation_w", "dilation across"},
                                        {"source", "pattern of the zeros"},
                                        {"sparsity_measured", "zeros, measured", "%"},
                                        {"grid_size_y", "grid y", "blocks"},
                                        {"grid_size_z", "grid z", "blocks"},
                                        {"shared_bytes", "shared memory of a block", "B"},
                                        {"registers", "registers of a thread"},
                                        {"timing_scope", "what is timed"},
                                        {"cache_mode", "cache"},
                                        {"time_mean_us", "mean time", "us"},
                                        {"time_min_us", "least time", "us"},
                                        {"time_q1_us", "lower quartile of the time", "us"},
                                        {"time_q3_us", "upper quartile of the time", "us"},
                                        {"pool_us", "pooling", "us"},
                                        {"flops_effective", "work on non-zeros of x", "FLOP"},
                                        {"flops_executed", "work executed", "FLOP"},
                                        {"sm_clock_mhz", "SM clock", "MHz"},
                                        {"status_reason", "reason of the status"},
                                        {"verified_against", "checked against"},
                                        {"vendor_method", "vendor baseline"},
                                        {"noise_from", "noise between"},
                                        {"weight_sparsity_target", "zeros in w", "%", false},
                                        {"weight_sparsity_measured", "zeros in w, measured", "%"},
                                        {"weight_pattern", "pattern of the zeros in w"}};

PlotScale scale_of(const std::string& column) {
    for (const ColumnWords& one : column_words)
        if (column == one.column) return {one.name, one.unit, one.log, false, {}, {}, one.whole, 0, false};
    return {column};
}

std::set<std::string> cells_of_layer(const ComparePageInput& in, const RowSet& shown, const std::string& column) {
    const std::vector<std::string> cells = distinct_cells(in.data.table, shown, table_column(column));
    return {cells.begin(), cells.end()};
}

}  // namespace

bool tells_layers_apart(const std::string& column) {
    return column == "layer" || column == "h" || column == "c" || column == "k" || column == "r" ||
           column == "stride_h" || column == "dilation_h" || column == "groups" || column == "flops_dense";
}

std::vector<std::string> axis_columns(const ComparePageInput& in) {
    // A column that varies within the busiest layer was swept over; columns that vary between layers come after.
    std::vector<std::size_t> count(in.data.layer_names.size());
    in.shown.each([&](std::size_t row) { ++count[in.data.layer[row]]; });
    const auto busiest = static_cast<std::uint32_t>(std::ranges::max_element(count) - count.begin());
    RowSet of_layer(in.data.table.rows());
    in.shown.each([&](std::size_t row) {
        if (in.data.layer[row] == busiest) of_layer.insert(row);
    });
    std::vector<std::string> swept, other;
    for (const char* column : {"sparsity_target",
                               "weight_sparsity_target",
                               "weight_pattern",
                               "n",
                               "block_size_x",
                               "block_size_y",
                               "block_size_z",
                               "grid_size_x",
                               "tunables",
                               "timing_scope",
                               "h",
                               "c",
                               "k",
                               "r",
                               "stride_h",
                               "dilation_h",
                               "groups",
                               "occupancy_pct",
                               "flops_dense",
                               "workspace_bytes",
                               "method"}) {
        const bool launch = std::string_view(column).starts_with("block") || std::string_view(column) == "tunables" ||
                            std::string_view(column).starts_with("grid") || std::string_view(column) == "occupancy_pct";
        // Methods differ in their blocks anyway: a sweep has more blocks than methods.
        const std::size_t least = launch ? cells_of_layer(in, of_layer, "method").size() + 2 : 2;
        if (std::string_view(column) != "method" && std::string_view(column) != "workspace_bytes" &&
            std::string_view(column) != "timing_scope" && cells_of_layer(in, of_layer, column).size() >= least)
            swept.emplace_back(column);
        else if (cells_of_layer(in, in.shown, column).size() >= 2)
            other.emplace_back(column);
    }
    std::ranges::stable_sort(swept, {}, [](const std::string& column) { return column == "occupancy_pct" ? 1 : 0; });
    if (swept.empty() || count.size() > 1) swept.insert(swept.empty() ? swept.begin() : swept.begin() + 1, "layer");
    swept.insert(swept.end(), other.begin(), other.end());
    return swept;
}

CompareAxis make_compare_axis(const ComparePageInput& in, const RowSet& rows, const std::string& column,
                              bool as_names) {
    CompareAxis axis;
    if (column == "layer") {
        axis.scale.name = "layer";
        std::vector<std::string> names = layers_in(in, rows);
        std::vector<double> place(in.data.layer_names.size());
        for (std::size_t i = 0; i < in.data.layer_names.size(); ++i)
            place[i] = static_cast<double>(std::ranges::find(names, in.data.layer_names[i]) - names.begin());
        axis.scale.names = short_names(names);
        axis.value = [&in, place = std::move(place)](std::size_t row) { return place[in.data.layer[row]]; };
        return axis;
    }
    axis.scale = scale_of(column);
    const std::size_t number = table_column(column);
    const RecordTable& table = in.data.table;
    if (table.is_text(number) || as_names) {
        axis.scale.names = distinct_cells(table, rows, number);
        std::map<std::string, double> place;
        for (std::size_t i = 0; i < axis.scale.names.size(); ++i) place[axis.scale.names[i]] = static_cast<double>(i);
        // 0.1 + 0.2 is read as 0.3.
        if (table_columns()[number].kind == CellKind::real)
            for (std::string& name : axis.scale.names)
                if (!name.empty()) name = fmt::format("{:.6g}", axis_factor(column) * std::stod(name));
        axis.value = [&table, number, place = std::move(place)](std::size_t row) {
            const auto at = place.find(table.cell(row, number));
            return at == place.end() ? std::nan("") : at->second;
        };
        return axis;
    }
    axis.value = [&table, number, factor = axis_factor(column)](std::size_t row) {
        return factor * table.numbers(number)[row];
    };
    std::vector<double> values;
    rows.each([&](std::size_t row) { values.push_back(axis.value(row)); });
    axis.scale.powers_of_two = axis.scale.log && are_powers_of_two(values);
    return axis;
}

std::string axis_name(const std::string& column) {
    return scale_of(column).name;
}

std::string axis_unit(const std::string& column) {
    return scale_of(column).unit;
}

double axis_factor(const std::string& column) {
    return column.find("sparsity_") != std::string::npos ? 100 : 1;
}

std::vector<std::string> short_names(const std::vector<std::string>& names) {
    if (names.empty()) return names;
    std::string shared = names[0];
    for (const std::string& name : names)
        shared.resize(static_cast<std::size_t>(std::ranges::mismatch(shared, name).in1 - shared.begin()));
    // A single name is cut only at '/', not at '-'.
    const std::size_t end = shared.find_last_of(names.size() > 1 ? "/-" : "/") + 1;
    std::vector<std::string> list;
    for (const std::string& name : names) list.push_back(name.substr(end));
    return list;
}

}  // namespace convscope::app
