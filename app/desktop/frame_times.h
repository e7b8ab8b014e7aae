// How long the latest frames took. One that builds what later ones use again, as the first does, says nothing of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace convscope::app {

class FrameTimes {
public:
    void add(double ms) {
        latest_.push_back(ms);
        if (latest_.size() > kept) latest_.erase(latest_.begin());
    }
    /// In milliseconds; 0 while there are too few.
    double median() const {
        if (latest_.size() < fewest) return 0;
        std::vector<double> sorted = latest_;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        return *middle;
    }

private:
    static constexpr std::size_t kept = 15, fewest = 3;
    std::vector<double> latest_;
};

}  // namespace convscope::app
