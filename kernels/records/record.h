// One measurement as data: the row of the CSV (docs/records.md), failures included.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/method/method.h"

namespace convscope {

enum class Status {
    passed,
    incorrect,
    not_supported,
    invalid_config,
    out_of_memory,
    runtime_error,
    timeout,
    cancelled,
    suspicious  ///< its time cannot be right
};
const char* to_string(Status);
Status parse_status(const std::string&);
/// Incorrect or suspicious: the method did not do the work that was to be timed.
bool is_wrong(Status);

/// Fields that do not apply are empty optionals or empty strings and print as empty cells.
struct Record {
    std::string run_id, timestamp_utc, app_version;
    std::string device, device_name, compute_capability, driver_version, cuda_version, vendor_version;
    std::string method, family, dtype, layout;
    ConvShape shape;
    std::string source;
    std::uint64_t seed = 0;
    double sparsity_target = 0, sparsity_measured = 0;
    std::optional<Dim3> grid, block;  ///< of the method's main kernel
    std::string tunables;             ///< "tile=32;unroll=4", in the order of the launch space
    std::optional<std::int64_t> shared_bytes;
    std::optional<int> registers;
    std::optional<double> occupancy_pct;
    std::string timing_scope, cache_mode;
    std::int64_t samples = 0;
    std::optional<double> time_median_us, time_mean_us, time_min_us, time_q1_us, time_q3_us, noise_pct;
    std::optional<double> convert_us, multiply_us, pool_us;
    std::optional<std::int64_t> workspace_bytes;  ///< of the method's own arrays
    double flops_dense = 0;
    std::optional<double> flops_effective;  ///< 2 per multiply-add with a non-zero element of x
    std::optional<double> gflops;           ///< dense, per second of the median
    std::optional<double> gb_per_s;         ///< needed_bytes() per second of the median
    std::optional<double> sm_clock_mhz;
    std::optional<bool> throttled;
    Status status = Status::passed;
    std::string status_reason;  ///< why it failed; for a passed row, why sampling stopped
    std::optional<double> max_rel_err;
    std::string verified_against;  ///< "reference"
    std::optional<double> speedup_vs_vendor;
    std::string vendor_method;
    std::optional<std::int64_t> library_workspace_bytes;  ///< empty: counted in workspace_bytes (schema version 1)
    std::optional<double> flops_executed;                 ///< empty: not known
    std::string arithmetic;                               ///< to_string(Arithmetic); empty: not known
    /// The source of noise_pct: the samples of one run ("samples"), or several runs, each in a separate process
    /// ("runs"). Empty without a time, and in version 2.
    std::string noise_from;
    double weight_sparsity_target = 0;               ///< 0: the weights as they are, as before version 4
    std::optional<double> weight_sparsity_measured;  ///< empty: not known, as before version 4
    std::string weight_pattern = to_string(WeightPattern::uniform);

    // Not in the CSV; in the JSON.
    std::string workload;  ///< preset name or "custom"
    std::vector<double> samples_us;
    std::vector<std::pair<std::string, double>> stages_us;      ///< medians, in order
    std::optional<std::pair<double, double>> speedup_interval;  ///< 95 %
    std::optional<double> weights_us;                           ///< prepare_weights, once, outside the clock
    std::string choice;                                         ///< what a vendor's library chose
    std::vector<Quantity> quantities;                           ///< of the method's plan
    std::optional<double> tolerance;                            ///< the bound max_rel_err was held against
};

/// Record::tunables by name. Settings without a whole number are left out.
std::map<std::string, std::int64_t> tunables_of(const Record&);

/// Passed and timed: the median can be divided by.
inline bool is_timed(const Record& record) {
    return record.status == Status::passed && record.time_median_us && *record.time_median_us > 0;
}

/// Whether a vendor's library was measured, by the family: a file may name methods which this build does not have.
inline bool is_vendors(const Record& record) {
    return record.family == "vendor";
}

/// "cudnn FP32": the baseline of speedup_vs_vendor, in the row's own precision. Empty without a baseline.
std::string vendor_baseline(const std::string& vendor_method, const std::string& dtype);
inline std::string vendor_baseline(const Record& record) {
    return vendor_baseline(record.vendor_method, record.dtype);
}

/// Fills stages_us, and convert_us, multiply_us and pool_us by the stages' names: csr's 'extend' and 'compress' are
/// conversion like 'convert', fft's 'invert' is multiplication like 'multiply', and 'pool' is pooling. A stage of any
/// other name stands in stages_us alone.
void set_stages(Record&, const std::vector<std::pair<std::string, double>>& medians_us);

}  // namespace convscope
