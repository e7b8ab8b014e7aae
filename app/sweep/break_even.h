// Finds where one method overtakes another along an axis: the sparsity above which a sparse method beats the vendor.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/records/record.h"

namespace convscope {

/// How two methods compare at one place of the axis.
struct RatioPoint {
    struct Ratio {
        double value = 0;  ///< the baseline's median over the method's: above 1 the method is faster
        std::pair<double, double> interval{};  ///< 95 %
    };
    double at = 0;
    std::optional<Ratio> ratio;  ///< nothing where too few samples count for an interval
    std::string why_not = {};    ///< then, where a row says so: "mec2: Too busy: 5 of 5 samples waited for a core"

    bool faster() const { return ratio && ratio->interval.first > 1; }
    bool slower() const { return ratio && ratio->interval.second < 1; }
};

struct BreakEvenRange {
    double from = 0, to = 1;
    double precision = 0.01;  ///< how far apart the last two places may be
    bool whole = false;       ///< only whole numbers are places
};

struct BreakEven {
    enum class Verdict {
        always_faster,
        always_slower,
        faster_above,  ///< slower below the threshold
        faster_below,
        undecided,  ///< an end has no ratio, or no interval that is clear of 1 is there to decide it
    };
    Verdict verdict = Verdict::undecided;
    std::optional<double> threshold;  ///< where the ratio passes 1, between the two nearest places; if decided
    /// The nearest places on both sides where the comparison is certain; an end of the range where there is none.
    std::pair<double, double> interval{};
    std::vector<RatioPoint> points;  ///< in ascending order of their place
};
const char* to_string(BreakEven::Verdict);  ///< "faster_above"

/// Whether the method is faster there, or slower, taking it that the sign changes once; empty where that is not
/// certain. Where no threshold is decided it may be certain on one side.
std::optional<bool> faster_at(const BreakEven&, double at);

/// The ratio of two rows that passed, or were too busy for a time.
RatioPoint ratio_point(double at, const Record& method, const Record& baseline);

/// Bisects, taking it that the sign changes once, as far as places have ratios. 'ratio_at' may throw, which ends it.
BreakEven find_break_even(const BreakEvenRange&, const std::function<RatioPoint(double)>& ratio_at);

}  // namespace convscope
