#include "kernels/measure/sampling_round.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/measure/record_times.h"

namespace convscope {
namespace {

// A candidate that is still held up when this share of its time is over has no quiet moment to wait for.
constexpr double max_held_up_share = 0.2;
constexpr std::size_t lengthened_for_each_that_counts = 9;

std::string timeout_text(const MeasureOptions& options) {
    return fmt::format("timeout {:g} s", options.timeout_s);
}

}  // namespace

void SamplingRound::add(double time_us, double spent_s, bool lengthened) {
    spent_s_ += spent_s;
    if (lengthened) {
        lengthened_us_.push_back(time_us);
    } else {
        samples_us_.push_back(time_us);  // before it counts: memory may run out
        sorted_.add(time_us);
        look();
    }
    if (over_) return;
    const auto most = static_cast<std::size_t>(options_->max_samples);
    const bool full = samples_us_.size() >= most;
    const bool given_up =
        held_up() && (lengthened_us_.size() >= most || (lengthened_us_.size() >= min_median_samples &&
                                                        spent_s_ >= max_held_up_share * options_->timeout_s));
    over_ = full || given_up || spent_s_ >= options_->timeout_s;
    if (!over_ || !stop_reason_.empty()) return;
    stop_reason_ = full ? "max samples" : given_up ? "the processor is busy" : timeout_text(*options_);
}

/// The fewer looks, the less often an interval is narrow by chance.
void SamplingRound::look() {
    const std::chrono::duration<double> sampled = std::chrono::steady_clock::now() - began_;
    const auto least = static_cast<std::size_t>(options_->min_samples);
    if (taken() < std::max(next_look_, least) || watch_.seconds() < options_->min_time_s) return;
    next_look_ = taken() + std::max<std::size_t>(1, taken() / 4);
    timing_ = summarize(samples_us_, options_->max_noise_pct);
    if (!stop_reason_.empty() || !timing_.settled(options_->max_noise_pct)) return;
    reached_noise_pct_ = timing_.noise_pct();
    stop_reason_ = "noise reached";
}

/// Whether hardly any sample counts: a median of these few would be one of lucky moments.
bool SamplingRound::held_up() const {
    return lengthened_us_.size() > lengthened_for_each_that_counts * samples_us_.size();
}

void SamplingRound::discard_from(std::size_t first, const std::string& why) {
    if (first >= taken()) return;
    discarded_ += taken() - first;
    discard_reason_ = why;
    samples_us_.resize(first);
    sorted_ = SortedSamples(samples_us_);
    timing_ = {};
    next_look_ = first;
    over_ = spent_s_ >= options_->timeout_s;
    stop_reason_ = over_ ? timeout_text(*options_) : "";
    reached_noise_pct_.reset();
}

double SamplingRound::fraction() const {
    if (satisfied()) return 1;
    const double by_time = spent_s_ / options_->timeout_s;
    return std::min(0.99, std::max(by_time, static_cast<double>(taken()) / options_->max_samples));
}

void SamplingRound::describe(Progress& progress) const {
    progress.samples = static_cast<std::int64_t>(taken());
    if (sorted_.empty()) return;
    progress.last_us = samples_us_.back();
    progress.median_us = sorted_.median();
    progress.q1_us = sorted_.quantile(0.25);
    progress.q3_us = sorted_.quantile(0.75);
    progress.noise_pct = timing_.noise_pct().value_or(0);
}

/// Sampling goes on until all candidates have enough, and what comes then may widen the interval.
std::string SamplingRound::why_it_ended(const TimingSummary& timing) const {
    if (!reached_noise_pct_) return stop_reason_.empty() ? "stopped" : stop_reason_;
    const std::optional<double> noise = timing.noise_pct();
    if (noise && *noise <= options_->max_noise_pct) return fmt::format("noise {:.2g} % reached", *noise);
    return fmt::format("noise {:.2g} % reached, {} with the samples after that", *reached_noise_pct_,
                       noise ? fmt::format("{:.2g} %", *noise) : "none");
}

void SamplingRound::finish(Record& record, bool stopped, const std::string& note) const {
    const std::vector<double>& counted = held_up() ? lengthened_us_ : samples_us_;
    TimingSummary timing = summarize(counted, options_->max_noise_pct);
    if (held_up()) timing.interval_us.reset();
    record.status_reason = why_it_ended(timing);
    if (!note.empty()) record.status_reason += "; " + note;
    if (discarded_ > 0) record.status_reason += fmt::format("; {} samples discarded: {}", discarded_, discard_reason_);
    if (counted.size() < min_median_samples) {
        record.status = stopped ? Status::cancelled : Status::timeout;
        record.status_reason = fmt::format("{} after {} of at least {} samples", stopped ? "stopped" : stop_reason_,
                                           counted.size(), min_median_samples);
    }
    if (counted.empty() || record.status == Status::cancelled) return;
    if (!lengthened_us_.empty())
        record.status_reason +=
            fmt::format("; threads had to wait for a core in {} of {} samples{}", lengthened_us_.size(),
                        lengthened_us_.size() + taken(), held_up() ? ": no interval" : ", left out");
    if (!held_up()) record.samples_us = samples_us_;
    if (const std::string doubts = timing.doubts(); !held_up() && !doubts.empty())
        record.status_reason += "; " + doubts;
    set_times(record, timing);
}

}  // namespace convscope
