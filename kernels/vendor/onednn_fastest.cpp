// Which of oneDNN's variants is the fastest for a shape: the baseline is the best that the library has.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "kernels/vendor/onednn_execution.h"

namespace convscope::onednn {
namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// Microseconds of the fastest of some runs, after one to warm up.
double fastest_run(const ConvShape& shape, Variant variant) {
    constexpr double enough_us = 1e3;
    OnednnExecution execution(shape, variant);
    execution.setup();
    execution.allocate();
    execution.fill_inputs_with_ones();
    execution.run(nullptr);
    double best = std::numeric_limits<double>::infinity();
    for (const auto begin = Clock::now(); us_since(begin) < enough_us || !std::isfinite(best);) {
        const auto start = Clock::now();
        execution.run(nullptr);
        best = std::min(best, us_since(start));
    }
    return best;
}

/// The variants take turns: what else the CPU does for some milliseconds must not decide against one of them.
Variant measure_all(const ConvShape& shape) {
    constexpr int max_rounds = 8;
    constexpr double enough_us = 500e3;
    Variant best = Variant::direct_nchw;
    double best_us = std::numeric_limits<double>::infinity();
    const auto begin = Clock::now();
    for (int round = 0; round < max_rounds && us_since(begin) < enough_us; ++round)
        for (Variant variant : variants) {
            if (!offers(shape, variant)) continue;
            const double us = fastest_run(shape, variant);
            if (us >= best_us) continue;
            best_us = us;
            best = variant;
        }
    return best;
}

}  // namespace

Variant fastest_variant(const ConvShape& shape) {
    static std::mutex mutex;
    static std::map<std::string, Variant> known;
    std::scoped_lock lock(mutex);
    const std::string key = to_string(shape);
    auto found = known.find(key);
    if (found == known.end()) found = known.emplace(key, measure_all(shape)).first;
    return found->second;
}

}  // namespace convscope::onednn
