// Totals of a network: the sum of the layers' times, and the speed-up over the vendor's library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/records/record.h"

namespace convscope {

/// The rows of one layer, ordered as the methods are.
struct LayerRows {
    std::int64_t times = 1;  ///< how often the network has the layer
    std::vector<Record> rows;
};

struct MethodTotal {
    std::string method;
    std::size_t layers = 0;  ///< that it has a time for
    double time_us = 0;      ///< of these, each as often as the network has it

    // Against the vendor, over the layers that both have a time with an interval for: sums over different layers say
    // nothing.
    std::string vendor;        ///< the baseline; empty when there is none, or it is the baseline itself
    std::string baseline;      ///< "cudnn FP32": that, and its precision
    std::size_t compared = 0;  ///< layers
    double compared_us = 0, vendor_us = 0;
    double slowest = 0, fastest = 0;  ///< of the layers' speed-ups
    double speedup() const { return vendor_us / compared_us; }
};

/// The row's speed-up over its baseline in the layer. Empty for the baseline itself, and where one of the two times has
/// no interval.
std::optional<double> speedup_of(const Record& row, const std::vector<Record>& layer);
/// Why a row of the layer that has a time has no speed-up: "onednn too busy", "onednn has too few samples". Empty where
/// it has one, and where there is no baseline.
std::string why_no_speedup(const Record& row, const std::vector<Record>& layer);
/// "too busy", "not supported": why a row has no time, in brief.
std::string brief_reason(const Record&);

/// Returns a total for each method of the rows, in their order.
std::vector<MethodTotal> network_totals(const std::vector<LayerRows>&);

/// "ocpa 1.83x over onednn FP32 on 16 of 16 layers (0.71x to 2.40x)", or that there is nothing to compare.
std::string describe(const MethodTotal&, std::size_t layers);

}  // namespace convscope
