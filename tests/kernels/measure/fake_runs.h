// Requests for tests that measure with fakes: a small layer, a few samples.
#pragma once

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "kernels/measure/measure.h"
#include "tests/kernels/measure/fakes.h"
#include "tests/support/random_shapes.h"

namespace convscope::testing {

inline Workload workload() {
    ConvShape shape;
    shape.h = shape.w = 6;
    shape.r = shape.s = 3;
    return random_workload(shape, 0.5, 1);
}

inline MeasureOptions quick() {
    MeasureOptions options;
    options.min_samples = 8;
    options.max_samples = 40;
    options.min_time_s = 0;
    options.recheck_share = 0;
    return options;
}

inline std::vector<Record> run(FakeLab& lab, const std::vector<std::string>& ids,
                               const MeasureOptions& options = quick(), MeasureSinks sinks = {},
                               std::stop_token stop = {}) {
    std::vector<Candidate> candidates;
    for (const std::string& id : ids) candidates.push_back({id, {}});
    return measure(*lab.registry, *lab.device, workload(), candidates, options, sinks, std::move(stop));
}

inline Script scripted(const std::string& id, std::vector<double> times_us = {10}) {
    Script s;
    s.id = id;
    s.times_us = std::move(times_us);
    return s;
}

}  // namespace convscope::testing
