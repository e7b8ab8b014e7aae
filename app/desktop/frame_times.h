// How long the latest frames took. One that builds what later ones use again, as the first does, says nothing of them.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/core/median.h"

namespace convscope::app {

class FrameTimes {
public:
    void add(double ms) {
        latest_.push_back(ms);
        if (latest_.size() > kept) latest_.erase(latest_.begin());
    }
    /// In milliseconds; 0 while there are too few.
    double median() const { return latest_.size() < fewest ? 0 : median_of(latest_); }

private:
    static constexpr std::size_t kept = 15, fewest = 3;
    std::vector<double> latest_;
};

}  // namespace convscope::app
