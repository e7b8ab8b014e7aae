// The pages of the Compare view, each made into plots and sentences. Internal to app/compare.
#pragma once

#include <cmath>
#include <functional>
#include <set>

#include "app/compare/compare_result.h"

namespace convscope::app {

/// The input of every page.
struct ComparePageInput {
    const CompareData& data;
    const CompareChoice& set;  ///< no string is empty that has something to be set to
    const RowSet& shown;

    /// A series in its method's colour.
    PlotSeries series(const std::string& method) const;
    RowSet passed() const;  ///< right, and timed
    /// Passed rows of the chosen scope.
    RowSet timed() const;
    /// The layer that is looked at closely, as data.layer has it.
    std::uint32_t chosen_layer() const;
    /// "cudnn", and its other forms: "cudnn-gemm", "cudnn-tf32".
    bool is_vendors(const std::string& method) const { return data.vendor_methods.contains(method); }
    /// "cudnn": what a library calls its best in FP32 has the library's name.
    bool is_baseline(const std::string& method) const { return is_vendors(method) && method.find('-') == method.npos; }
    /// "speed-up over the vendor, FP32": the precision of all methods that are not the vendor's; else that it is the
    /// same.
    std::string speedup_name() const;
    std::string method_of(std::size_t row) const { return std::string(data.text(row, compare_columns().method)); }
};

/// The fastest row of each method on each layer.
using FastestRows = std::map<std::uint32_t, std::map<std::string, std::size_t>>;
FastestRows fastest_rows(const ComparePageInput&, const RowSet&);

/// The rows at one value of each column that is none of the plot's axes, so that what it shows depends on these alone:
/// at the chosen value, else at the most frequent one. Where layers stand side by side and each has one value of
/// its own, that one stays. Without the axis 'layer' the chosen layer's rows alone. With show_all, only what was chosen
/// by a click is fixed.
struct FixedRows {
    RowSet rows;
    std::vector<FixedColumn> columns;
};
enum class Otherwise { fix, show_all };
FixedRows fix_columns(const ComparePageInput&, const RowSet&, const std::set<std::string>& axes,
                      Otherwise = Otherwise::fix);
/// "zeros 95 %, scope kernel": for files, which have no chips.
std::string describe_fixed(const std::vector<FixedColumn>&);

/// Methods among the rows: ours in the order of their names, then the vendor's.
std::vector<std::string> methods_in(const ComparePageInput&, const RowSet&);
/// Layers among the rows in the order of the file, without what all names begin with.
std::vector<std::string> layers_in(const ComparePageInput&, const RowSet&);
/// The names without what all of them begin with, up to its last '/' or '-': "vgg19/", "xu2022/vgg19-".
std::vector<std::string> short_names(const std::vector<std::string>&);
/// "map height h" for the column h: what a column is called wherever it is named, and what its numbers count.
std::string axis_name(const std::string& column);
std::string axis_unit(const std::string& column);
/// By which a file's number is multiplied: shares of zeros are from 0 to 1 there, and in percent in every view.
double axis_factor(const std::string& column);
/// Spearman's rank correlation, -1 to 1; NaN of fewer than three pairs or where one side does not vary.
double rank_correlation(const std::vector<double>& x, const std::vector<double>& y);

/// The speed-up of a row over the vendor with its interval: recorded where method and baseline were timed together,
/// else against the fastest vendor row of the same layer, batch, zeros and scope. NaN where there is none.
struct Speedup {
    double value, low, high;
    bool baseline = false;  ///< of the baseline itself: no speed-up, though it is 1
    bool known() const { return !std::isnan(value) && !baseline; }
};
class Speedups {
public:
    explicit Speedups(const ComparePageInput&);
    Speedup of(std::size_t row) const;

private:
    std::string key(std::size_t row) const;
    const ComparePageInput& in_;
    std::map<std::string, std::pair<double, double>> baselines_;  ///< time and noise in percent
};

/// Adds a row's speed-up with its interval to a line or a cloud.
void add_speedup(PlotSeries&, double x, const Speedup&, std::size_t row);

/// The layer on which a method's speed-up differs most between the first and the last scope; empty where none does.
std::string most_changed_layer(const ComparePageInput&, const std::vector<std::string>& scopes);

/// Whether layers differ on this axis, so that all of them have a place on it.
bool tells_layers_apart(const std::string& column);
/// Columns that can be an axis, those first that the records were made over.
std::vector<std::string> axis_columns(const ComparePageInput&);
/// A row's place on an axis: a number, or the index of its name in scale.names. 'layer' is an axis too.
struct CompareAxis {
    PlotScale scale;
    std::function<double(std::size_t row)> value;
};
CompareAxis make_compare_axis(const ComparePageInput&, const RowSet&, const std::string& column, bool as_names = false);

/// The command lines that measure these rows again, one for each layer.
std::string command_for(const CompareData&, const RowSet&);

}  // namespace convscope::app
