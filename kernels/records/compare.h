// Compares two files of records point by point.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/records/compared_records.h"
#include "kernels/records/ratio_estimate.h"

namespace convscope {

enum class Verdict {
    improved,  ///< faster than the base: all of the interval is above 1, and the ratio beyond what counts as tied
    worse,     ///< slower, likewise
    tied,      ///< certainly differs by less than counts, or the ratio does and the interval leaves 1 out
    unclear,   ///< the interval holds 1 and more than counts as tied, or there is none
    lost,      ///< the base has a time, the other has none
    gained,    ///< the other has a time, the base has none
    untimed    ///< neither has
};
const char* to_string(Verdict);

/// improved, worse, tied or unclear; 'tied_pct' is how far from 1 a ratio may lie and still be tied.
Verdict verdict_of(const RatioEstimate&, double tied_pct);
inline constexpr double default_tie_pct = 1;

struct CompareOptions {
    double tied_pct = default_tie_pct;       ///< how far from 1 a ratio may lie and still be tied
    std::optional<double> between_pct = {};  ///< spread between separate records; else the one known for their devices
};

struct ComparedRow {
    std::uint32_t base, other;  ///< rows of the records
    std::optional<RatioEstimate> speedup;
    Verdict verdict = Verdict::untimed;
};

struct ComparisonSummary {
    std::map<Verdict, std::size_t> rows;
    std::size_t timed = 0;  ///< rows that both have a time for
    /// Geometric mean of the speed-ups of these, and its 99 % interval from the rows' own, where all have one: as wide
    /// as they are on average, because the differences between two runs (clocks, neighbours) may be the same in all
    /// rows.
    std::optional<double> geometric_mean;
    std::optional<std::pair<double, double>> interval;
};

struct Comparison {
    std::vector<ComparedRow> rows;                           ///< in the base's order
    std::vector<std::uint32_t> only_in_base, only_in_other;  ///< rows of the records
    std::vector<std::string> differences;                    ///< "driver_version: 580 and 590", of the files as a whole
};

/// The rows of a file: from 'first' up to 'last', which is not one.
struct RowsOfFile {
    std::uint32_t first, last;
};

/// Rows match when they measured the same point (point_key), on whichever device of that kind; where a file has
/// several devices of one kind, the device's name must match, too. Of rows of one point in a file the latest counts. A
/// row that stands in both files, of one moment and with one median and spread, is tied with itself.
Comparison compare_records(const ComparedRecords&, RowsOfFile base, RowsOfFile other, const CompareOptions& = {});

ComparisonSummary summarise(const std::vector<ComparedRow>&);
/// The same for each method, in the order of their first rows.
std::vector<std::pair<std::string, ComparisonSummary>> summarise_methods(const ComparedRecords&,
                                                                         const std::vector<ComparedRow>&);

}  // namespace convscope
