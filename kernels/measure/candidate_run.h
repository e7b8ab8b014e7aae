// One candidate's way through a measurement. Nothing here throws for a candidate's failure: that ends its run and is
// written into its record.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/measure/measure.h"
#include "kernels/measure/recheck.h"
#include "kernels/measure/sampling_round.h"

namespace convscope {

class CandidateRun {
public:
    CandidateRun(Registry&, Device&, const Workload&, const Candidate&, const MeasureOptions&);

    /// Allocates, uploads, runs once on a poisoned output and checks the result against the reference.
    void verify_against(const ReferenceResult&, const std::stop_token&);
    /// On the simulated GPU, which has no clock, counts the cost of a run instead of all that follows. The record says
    /// why where it cannot be counted.
    void count(const std::stop_token&);
    /// Makes the sampler and runs it until caches and clocks have settled; checks the result of the timed path, too.
    /// The reference outlives the run: samples are checked against it.
    void warm_up(const ReferenceResult&);
    void time_stages();

    void begin_round();
    void take_sample(const MeasureSinks&);
    /// Returns the row as it stands now. 'stopped': sampling ended before the stopping rule was met.
    Record finish(bool stopped) const;

    bool alive() const { return alive_; }  ///< verified, and nothing has failed since
    bool has_clock() const { return sampler_ != nullptr; }
    bool sampling() const { return has_clock() && !round_.over(); }  ///< takes its turn in the next pass
    bool satisfied() const { return !has_clock() || round_.satisfied(); }
    std::size_t taken() const { return round_.taken(); }                     ///< samples of this round
    double spent_s() const { return round_.spent_s() + looked_s_; }          ///< on them, and on looks in between
    void discard_from(std::size_t first, const std::string& why);            ///< SamplingRound's
    double fraction() const { return satisfied() ? 1 : round_.fraction(); }  ///< of its sampling, an estimate

    const MethodInfo& info() const { return method_.info(); }
    Progress progress() const;
    void cancel();

private:
    void attempt(const char* doing, const std::function<void()>& action);
    void fail(Status, std::string reason);
    void reject_if_too_large();
    void bring_up(const std::stop_token&);
    std::optional<std::string> difference_from(const ReferenceResult&, const Tensor& y);
    void check_result(const ReferenceResult&);
    void note_launch();

    Device& device_;
    const Workload& workload_;
    const Method& method_;
    LaunchConfig launch_;
    const MeasureOptions& options_;
    Record record_;
    std::unique_ptr<Execution> execution_;
    Summation summation_ = Summation::direct;
    std::unique_ptr<Sampler> sampler_;  // destroyed before the execution that it samples
    std::optional<Recheck> recheck_;
    double verified_run_s_ = 0;
    double look_s_ = 0;                    ///< estimated time of a recheck
    double sampled_s_ = 0, looked_s_ = 0;  ///< in all rounds
    bool alive_ = true;
    std::string counted_;  ///< for a device without a clock: whether it was counted, or why not
    SamplingRound round_;
};

}  // namespace convscope
