// Runs of the same measurement, each in a process of its own: what differs between them is what a single run cannot
// know.
#pragma once

#include <random>

#include "kernels/measure/isolated/isolated_measurer.h"

namespace convscope {

/// Measures the point once, in a process started for it, its candidates taking turns in an order drawn from 'random':
/// addresses and who goes first are different ones each time. Rows in the candidates' order; not handed to the sink.
std::vector<Record> measure_apart(IsolatedMeasurer&, const PointRequest&, PointSinks, std::stop_token,
                                  std::mt19937_64& random);

/// options.runs times, each with its share of the timeout: a row for each candidate that has the samples of all runs,
/// and intervals that span what they differ by. A candidate that fails in a run has that run's row.
std::vector<Record> measure_in_runs(IsolatedMeasurer&, const PointRequest&, const PointSinks&, std::stop_token);

}  // namespace convscope
