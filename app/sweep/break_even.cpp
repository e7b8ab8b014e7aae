#include "app/sweep/break_even.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/measure/timing_summary.h"

namespace convscope {
namespace {

using Verdict = BreakEven::Verdict;

class Bisection {
public:
    Bisection(const BreakEvenRange& range, const std::function<RatioPoint(double)>& ratio_at)
        : range_(range), ratio_at_(ratio_at) {}

    BreakEven run() {
        RatioPoint low = look(range_.from), high = look(range_.to);
        result_.interval = {range_.from, range_.to};
        if (!low.ratio || !high.ratio) return finish();
        const bool up = high.ratio->value > 1;
        if ((low.ratio->value > 1) == up) return end_without_change(low, high);
        while (true) {
            double middle = (low.at + high.at) / 2;
            if (range_.whole) middle = std::floor(middle);
            const bool between = middle > low.at && middle < high.at;
            if (!between || high.at - low.at <= range_.precision) break;
            const RatioPoint seen = look(middle);
            if (!seen.ratio) break;
            ((seen.ratio->value > 1) == up ? high : low) = seen;
        }
        // The zero of the logarithm of the ratio, by linear interpolation between the two.
        const double below = std::log(low.ratio->value), above = std::log(high.ratio->value);
        const double threshold = low.at + (high.at - low.at) * below / (below - above);
        if (!bracket(threshold, up)) return finish();
        result_.verdict = up ? Verdict::faster_above : Verdict::faster_below;
        result_.threshold = threshold;
        return finish();
    }

private:
    RatioPoint look(double at) {
        result_.points.push_back(ratio_at_(at));
        result_.points.back().at = at;
        return result_.points.back();
    }

    BreakEven end_without_change(const RatioPoint& low, const RatioPoint& high) {
        if (low.faster() && high.faster()) result_.verdict = Verdict::always_faster;
        if (low.slower() && high.slower()) result_.verdict = Verdict::always_slower;
        return finish();
    }

    /// The nearest certain places round the threshold. False: there is none on one of its sides.
    bool bracket(double threshold, bool up) {
        bool below = false, above = false;
        for (const RatioPoint& point : result_.points) {
            const bool certain_below = up ? point.slower() : point.faster();
            const bool certain_above = up ? point.faster() : point.slower();
            if (certain_below && point.at <= threshold) {
                result_.interval.first = std::max(result_.interval.first, point.at);
                below = true;
            }
            if (certain_above && point.at >= threshold) {
                result_.interval.second = std::min(result_.interval.second, point.at);
                above = true;
            }
        }
        return below && above;
    }

    BreakEven finish() {
        std::sort(result_.points.begin(), result_.points.end(),
                  [](const RatioPoint& a, const RatioPoint& b) { return a.at < b.at; });
        return std::move(result_);
    }

    const BreakEvenRange range_;
    const std::function<RatioPoint(double)>& ratio_at_;
    BreakEven result_;
};

}  // namespace

const char* to_string(BreakEven::Verdict verdict) {
    switch (verdict) {
        case Verdict::always_faster:
            return "always_faster";
        case Verdict::always_slower:
            return "always_slower";
        case Verdict::faster_above:
            return "faster_above";
        case Verdict::faster_below:
            return "faster_below";
        case Verdict::undecided:
            break;
    }
    return "undecided";
}

std::optional<bool> faster_at(const BreakEven& found, double at) {
    if (found.verdict == Verdict::always_faster) return true;
    if (found.verdict == Verdict::always_slower) return false;
    for (const RatioPoint& point : found.points)
        if (point.at == at && (point.faster() || point.slower())) return point.faster();
    const std::optional<RatioPoint::Ratio>& end = found.points.back().ratio;
    const auto [below, above] = found.interval;
    if (!end || (at >= below && at <= above)) return std::nullopt;
    return (at > above) == (end->value > 1);
}

RatioPoint ratio_point(double at, const Record& method, const Record& baseline) {
    const Interval interval = ratio_interval(summarize(baseline.samples_us), summarize(method.samples_us));
    if (interval) return {at, RatioPoint::Ratio{*baseline.time_median_us / *method.time_median_us, *interval}};
    RatioPoint point{at, std::nullopt};
    for (const Record* row : {&method, &baseline})
        if (!is_timed(*row) && point.why_not.empty())
            point.why_not = fmt::format("{}: {}", row->method, row->status_reason);
    return point;
}

BreakEven find_break_even(const BreakEvenRange& range, const std::function<RatioPoint(double)>& ratio_at) {
    return Bisection(range, ratio_at).run();
}

}  // namespace convscope
