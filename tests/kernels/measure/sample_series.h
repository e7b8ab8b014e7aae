// Series of times as a clock sees them on machines that do other things as well. All are about 100 us.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace convscope::testing {

class Series {
public:
    explicit Series(unsigned seed) : random_(seed) {}

    /// Each deviation is 'memory' times the one before it, and something new: normal, with this spread. A sample
    /// resembles those within about 1 / (1 - memory) of it.
    std::vector<double> remembering(std::size_t count, double memory, double spread_us = 2) {
        std::vector<double> times;
        for (double deviation = normal_(random_); times.size() < count;) {
            deviation = memory * deviation + std::sqrt(1 - memory * memory) * normal_(random_);
            times.push_back(100 + spread_us * deviation);
        }
        return times;
    }
    /// Independent, and far from symmetric.
    std::vector<double> skewed(std::size_t count) {
        std::vector<double> times;
        while (times.size() < count) times.push_back(100 * std::exp(0.1 * normal_(random_)));
        return times;
    }
    /// 110 us for three tenths of the time: a step up or down each 'length' samples or so.
    std::vector<double> stepping(std::size_t count, double length) {
        std::vector<double> times;
        for (bool slow = even_(random_) < 0.3; times.size() < count;) {
            if (even_(random_) < (slow ? 0.7 : 0.3) / length) slow = !slow;
            times.push_back((slow ? 110 : 100) + 0.5 * normal_(random_));
        }
        return times;
    }
    /// One sample in ten takes up to twice as long.
    std::vector<double> with_outliers(std::size_t count) {
        std::vector<double> times = remembering(count, 0.5);
        for (double& time : times)
            if (even_(random_) < 0.1) time += 100 * even_(random_);
        return times;
    }
    /// Faster by a twentieth at the end than at the beginning.
    std::vector<double> drifting(std::size_t count) {
        std::vector<double> times = remembering(count, 0, 0.5);
        for (std::size_t i = 0; i < count; ++i)
            times[i] += 2.5 - 5 * static_cast<double>(i) / static_cast<double>(count);
        return times;
    }

private:
    std::mt19937 random_;
    std::normal_distribution<double> normal_{0, 1};
    std::uniform_real_distribution<double> even_{0, 1};
};

}  // namespace convscope::testing
