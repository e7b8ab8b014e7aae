// The samples of one candidate in one round: decides which of them count, and when there are enough.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/measure/measure.h"
#include "kernels/measure/sample_counts.h"
#include "kernels/measure/statistics.h"
#include "kernels/measure/stopwatch.h"
#include "kernels/measure/timing_summary.h"

namespace convscope {

class SamplingRound {
public:
    /// 'options' outlive it.
    explicit SamplingRound(const MeasureOptions& options) : options_(&options) {}

    /// 'spent_s' is the time it took to get the sample; 'lengthened': its threads had to wait for a core, so it does
    /// not count.
    void add(double time_us, double spent_s, bool lengthened);
    /// Forgets the samples from the first-th on, which something other than the method has lengthened, and goes on
    /// sampling while there is time. The row says how many and why.
    void discard_from(std::size_t first, const std::string& why);

    std::size_t taken() const { return samples_us_.size(); }  ///< samples that count
    double spent_s() const { return spent_s_; }
    bool over() const { return over_; }                                ///< no more samples are to be taken
    bool satisfied() const { return over_ || !stop_reason_.empty(); }  ///< none need to be
    double fraction() const;                                           ///< of the round, an estimate
    void describe(Progress&) const;
    /// Adds the times, and how sampling went, in words. 'stopped': it ended before the rule was met; 'note' is the
    /// sampler's.
    void finish(Record&, bool stopped, const std::string& note) const;

private:
    void look();
    SampleCounts counts() const { return {static_cast<std::int64_t>(taken()), waited_}; }
    std::string why_it_ended(const TimingSummary&) const;

    const MeasureOptions* options_;
    std::vector<double> samples_us_;  ///< that count
    std::int64_t waited_ = 0;         ///< the others
    SortedSamples sorted_;
    TimingSummary timing_;  ///< of them, as of the last look
    std::size_t next_look_ = 0;
    double spent_s_ = 0;
    Stopwatch watch_;
    std::string stop_reason_;
    std::optional<double> reached_noise_pct_;  ///< of the look after which there were enough
    bool over_ = false;
    std::size_t discarded_ = 0;
    std::string discard_reason_;
};

}  // namespace convscope
