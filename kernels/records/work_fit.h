// Fits the time of a method that skips zeros as a line over the remaining work,
//     t = t0 + multiply-adds / rate,
// and finds where that line crosses the times of the methods that compute every product.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/records/record.h"

namespace convscope {

/// The line of one method through its times at three or more amounts of work, by least squares.
struct WorkLine {
    std::string method, arithmetic;
    std::size_t points = 0;  ///< amounts of work; of several times at one, the shortest counts
    double t0_us = 0;        ///< with nothing left to multiply
    double rate = 0;         ///< multiply-adds a microsecond; not above 0 where the time does not grow with the work
    double off_us = 0;       ///< the largest distance of a time from the line
    double fastest_us = 0, slowest_us = 0;
    double work_without_zeros = 0;  ///< multiply-adds at 0 % zeros, of a line through work over zeros
    double max_zeros = 0;           ///< the largest share of zeros with a time: above it the line is extrapolated

    /// Whether the times follow it: four or more points, all within 2 % of the times' range.
    bool holds() const { return doubt().empty(); }
    /// Why they do not, in words; empty where they do.
    std::string doubt() const;
    /// The share of zeros from which on the method takes no longer than 'us'; 0: at any. Empty: at none, 'us' is too
    /// near to t0 for the line to tell (off_us), or the time does not grow with the work.
    std::optional<double> zeros_for(double us) const;
};

/// A method that multiplies by zeros, too: a vendor's, or one that executed the same at two or more shares of zeros.
/// The median of its times over the shares.
struct DenseTime {
    std::string method, arithmetic;
    double us = 0;
};

/// The fits under one set of conditions: layer, data, zeros in w, device, scope and cache.
struct LayerFit {
    Record conditions;               ///< one of the rows: shape, source, weight_pattern and weight_sparsity_target,
                                     ///< device_name, timing_scope, cache_mode
    std::vector<WorkLine> lines;     ///< by method
    std::vector<DenseTime> fastest;  ///< of each precision the fastest, from the slowest to the fastest of these
};

/// Fits the rows with a time, in the order in which their conditions come first. A method skips zeros where its
/// executed work (flops_executed) differs with them. Conditions in which none does are left out.
std::vector<LayerFit> fit_work(const std::vector<Record>&);

/// "6.51 TMAC/s", "2.53 GMAC/s" (multiply-adds, also called multiply-accumulates), of multiply-adds a microsecond.
std::string format_rate(double);

/// "faster than im2col (FP32, 40.0 us) above 55 % zeros"; where that is so, that the share lies beyond what was
/// measured
std::string crossing_text(const WorkLine&, const DenseTime&);

/// Multiply-adds a microsecond if each reads one 4-byte operand from shared memory, 32 banks an SM: the ceiling of the
/// rate of kernels that do. Empty where the device's model is not known, and of a fully connected layer, whose kernels
/// wait for weights from global memory.
std::optional<double> shared_operand_rate(const Record&);

}  // namespace convscope
