// Calls the caller's hooks before and after a sample, also when the sample fails.
#pragma once

#include "kernels/measure/measure.h"

namespace convscope {

class Quiet {
public:
    explicit Quiet(const MeasureSinks& sinks) : sinks_(sinks) {
        if (sinks_.before_sample) sinks_.before_sample();
    }
    ~Quiet() {
        if (sinks_.after_sample) sinks_.after_sample();
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

private:
    const MeasureSinks& sinks_;
};

}  // namespace convscope
