// Which of oneDNN's variants is the fastest for a shape: the rival is the best that the library has.
#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>

#include "kernels/vendor/onednn_execution.h"

namespace convscope::onednn {
namespace {

/// Microseconds of the fastest of a few runs, after one to warm up.
double fastest_run(const ConvShape& shape, Variant variant) {
    using Clock = std::chrono::steady_clock;
    constexpr int most_runs = 10;
    constexpr double enough_us = 50e3;
    OnednnExecution execution(shape, variant);
    execution.setup();
    execution.allocate();
    execution.fill_inputs_with_ones();
    execution.run(nullptr);
    double best = std::numeric_limits<double>::infinity(), total = 0;
    for (int i = 0; i < most_runs && total < enough_us; ++i) {
        const auto start = Clock::now();
        execution.run(nullptr);
        const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
        best = std::min(best, us);
        total += us;
    }
    return best;
}

Variant measure_all(const ConvShape& shape) {
    Variant best = Variant::direct_nchw;
    double best_us = std::numeric_limits<double>::infinity();
    for (Variant variant : variants) {
        if (!offers(shape, variant)) continue;
        const double us = fastest_run(shape, variant);
        if (us < best_us) {
            best_us = us;
            best = variant;
        }
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
