// The records that the Compare view shows: a table with what is derived from its rows once, when it is opened.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "app/compare/strongest_baselines.h"
#include "kernels/records/read_table.h"
#include "kernels/records/row_set.h"

namespace convscope::app {

/// Columns that every page asks for, looked up once.
struct CompareColumns {
    std::size_t method, family, dtype, scope, status, reason, file, time, q1, q3, noise, speedup, vendor, workspace,
        flops_dense, flops_effective, gflops, gb_per_s, convert, multiply, pool, sparsity, device_name,
        library_workspace, flops_executed, arithmetic, device, samples, noise_from;
};
const CompareColumns& compare_columns();

struct CompareData {
    RecordTable table;
    std::vector<std::uint32_t> layer;      ///< by row: index of layer_names
    std::vector<std::string> layer_names;  ///< a preset's name, by its shape and zeros; or the shape in words
    std::string title;                     ///< "xu2022-scopes"
    std::string
        provenance;  ///< "recorded on NVIDIA H100 80GB HBM3, 21 Nov 2026, CUDA 13.0, cuDNN 9.14.0, convscope 0.1.0"
    bool recorded = false;  ///< from presets/recorded
    TableProblems problems;
    std::set<std::string, std::less<>> vendor_methods;
    RowSet latest;  ///< of each point on each device the row that was finished last
    StrongestBaselines strongest;

    double number(std::size_t row, std::size_t column) const { return table.numbers(column)[row]; }  ///< NaN: empty
    std::optional<double> known(std::size_t row, std::size_t column) const {
        const double value = number(row, column);
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
    std::string_view text(std::size_t row, std::size_t column) const { return table.text(column)[row]; }
    /// Equal where cells of a column are: their number or code, for a million rows are as many texts otherwise.
    std::uint64_t cell_key(std::size_t row, std::size_t column) const;
    bool passed(std::size_t row) const;  ///< right, and timed
    bool vendor(std::size_t row) const;
    /// Whether 'next', further down, counts instead of 'there', both of one point (record_key.h).
    bool supersedes(std::size_t next, std::size_t there) const;
};

struct CompareSource {
    std::vector<std::filesystem::path> files;  ///< .csv or .json
    bool recorded = false;
    unsigned opening = 0;  ///< which it is: a file that has grown is read again
    bool operator==(const CompareSource&) const = default;
};

/// Reads the files one after the other. A file that cannot be read becomes a line of problems. Null when stopped.
/// 'progress' is told the share of all files' bytes, where their sizes are known.
std::shared_ptr<CompareData> open_compare_data(const CompareSource&, const std::stop_token&,
                                               const ReadProgress& progress = {});
/// The same of records in memory.
std::shared_ptr<CompareData> make_compare_data(const std::vector<Record>&, const std::string& title);

/// The recorded sessions of this installation, by name: presets/recorded/*.csv.
std::vector<std::filesystem::path> recorded_sessions();

}  // namespace convscope::app
