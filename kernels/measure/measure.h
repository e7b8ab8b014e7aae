// Measures candidates: verifies them, warms up, samples in turn until the noise is low enough, and returns records.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/measure/verify.h"
#include "kernels/method/registry.h"
#include "kernels/records/record.h"
#include "kernels/reference/reference_result.h"

namespace convscope {

/// Fewer runs than this have no 95 % interval: the medians of 6 all lie on one side of the true one once in 32 times.
inline constexpr int min_runs = 6;

struct MeasureOptions {
    TimingScope scope = TimingScope::kernel;
    CacheMode cache = CacheMode::hot;
    int min_samples = 20;
    int max_samples = 10000;
    double max_noise_pct = 1.0;   ///< half the 95 % confidence interval of the median, in percent of it
    double timeout_s = 5.0;       ///< per method, sampling only
    double min_time_s = 0.1;      ///< of all methods' sampling, before low noise ends it: a machine's state drifts
    int runs = 1;                 ///< 1, or min_runs and more: each in a process of its own, with its share of the time
    double recheck_share = 0.05;  ///< of the sampling time, for the checks at random moments; 0: none
    bool stages = true;           ///< also take the median time of each stage, in a pass of its own
    std::string run_id;           ///< of the records; empty: one is made
};

struct Candidate {
    std::string method;  ///< id
    LaunchConfig launch;
};

/// A snapshot of a measurement under way, for a plot. Cheap to copy.
struct Progress {
    std::string method;
    std::size_t candidate = 0;  ///< its place among the candidates
    std::int64_t samples = 0;   ///< that count
    std::int64_t waited = 0;    ///< others, whose threads had to wait for a core
    double last_us = 0, median_us = 0, q1_us = 0, q3_us = 0, noise_pct = 0;
    double fraction = 0;  ///< of the whole call, 0..1, an estimate
    std::string phase;    ///< "verifying", "warming up", "sampling", "counting"
};

struct MeasureSinks {
    std::function<void(const Record&)> record;      ///< each row, in the candidates' order, when the call ends
    std::function<void(const Progress&)> progress;  ///< after every sample; may be empty
    std::function<void()> before_sample;            ///< round each timed sample; may be empty
    std::function<void()> after_sample;
    /// Called before a candidate, given by its place, is put to work, and when it has failed. A watching process then
    /// knows which one to blame. May be empty.
    std::function<void(std::size_t candidate)> working;
    std::function<void(std::size_t candidate)> failed;
};

/// The columns of a candidate's row that are known before measuring: sweep --resume searches for them, and every record
/// starts from them. Needs no memory on the device.
Record planned_record(const Device&, const Method&, const WorkloadSpec&, const LaunchConfig&, const MeasureOptions&);

/// Returns the row of a point whose shape is invalid, without calling the method.
Record rejected_record(const Device&, const Method&, const WorkloadSpec&, const LaunchConfig&, const MeasureOptions&,
                       const std::string& reason);

/// Throws OutOfMemory, before anything is allocated, when the host cannot hold the arrays of this shape together with
/// the reference's.
void require_room_to_check(const ConvShape&);

/// One set of candidates on one workload: prepared (allocated, verified, warmed up) once, then sampled in any number of
/// rounds. Device and workload outlive it.
class Measurement {
public:
    Measurement(Registry&, Device&, const Workload&, const std::vector<Candidate>&, MeasureOptions);
    ~Measurement();

    /// Never throws for a candidate that fails: its record says what happened. The reference outlives the measurement:
    /// samples chosen at random are checked against it.
    void prepare(const ReferenceResult&, const MeasureSinks&, std::stop_token);

    /// One round of sampling, interleaved (A B C A B C ...). A stop request ends it: candidates with enough samples
    /// for a median keep them (status passed), the others are recorded as cancelled. The baseline for speedup_vs_vendor
    /// is what baseline.h chooses among the passed vendor methods of the same dtype. Records are in the
    /// candidates' order.
    std::vector<Record> sample(const MeasureSinks&, std::stop_token);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Prepares and samples once, as bench and sweep do. The second form computes the reference itself.
std::vector<Record> measure(Registry&, Device&, const Workload&, const ReferenceResult&, const std::vector<Candidate>&,
                            const MeasureOptions&, const MeasureSinks&, std::stop_token);
std::vector<Record> measure(Registry&, Device&, const Workload&, const std::vector<Candidate>&, const MeasureOptions&,
                            const MeasureSinks&, std::stop_token);

}  // namespace convscope
