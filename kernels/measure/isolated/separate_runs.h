// Repeats a measurement in separate processes. A single run cannot know how much its time differs from the next run's.
#pragma once

#include <random>

#include "kernels/measure/isolated/isolated_measurer.h"

namespace convscope {

/// Measures the point once, in a process started for it, its candidates taking turns in an order drawn from 'random':
/// addresses and who goes first are different ones each time. Rows in the candidates' order; not handed to the sink.
std::vector<Record> measure_apart(IsolatedMeasurer&, const PointRequest&, PointSinks, std::stop_token,
                                  std::mt19937_64& random);

/// Measures options.runs times, each with its share of the timeout. Each candidate gets one row with the samples of all
/// runs, and intervals that span the differences between them. A candidate that fails in a run has that run's row.
std::vector<Record> measure_in_runs(IsolatedMeasurer&, const PointRequest&, const PointSinks&, std::stop_token);

}  // namespace convscope
