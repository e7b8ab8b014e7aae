#include "kernels/measure/sampling_round.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/measure/record_times.h"

namespace convscope {
namespace {

// A candidate that is still too busy when this share of its time is over has no quiet moment to wait for.
constexpr double max_busy_share = 0.2;

std::string timeout_text(const MeasureOptions& options) {
    return fmt::format("timeout {:g} s", options.timeout_s);
}

}  // namespace

void SamplingRound::add(double time_us, double spent_s, bool lengthened) {
    spent_s_ += spent_s;
    if (lengthened) {
        ++waited_;
    } else {
        samples_us_.push_back(time_us);  // before it counts: memory may run out
        sorted_.add(time_us);
        look();
    }
    if (over_) return;
    const bool full = counts().counted >= options_->max_samples;
    const bool tried =
        waited_ >= static_cast<std::int64_t>(min_median_samples) && spent_s_ >= max_busy_share * options_->timeout_s;
    const bool given_up = counts().nearly_all_waited() && (tried || waited_ >= options_->max_samples);
    over_ = full || given_up || spent_s_ >= options_->timeout_s;
    if (!over_ || !stop_reason_.empty()) return;
    stop_reason_ = full ? "max samples" : given_up ? "too busy" : timeout_text(*options_);
}

/// The fewer looks, the less often an interval is narrow by chance.
void SamplingRound::look() {
    const auto least = static_cast<std::size_t>(options_->min_samples);
    if (taken() < std::max(next_look_, least) || watch_.seconds() < options_->min_time_s) return;
    next_look_ = taken() + std::max<std::size_t>(1, taken() / 4);
    timing_ = summarize(samples_us_, options_->max_noise_pct);
    if (!stop_reason_.empty() || !timing_.settled(options_->max_noise_pct)) return;
    reached_noise_pct_ = timing_.noise_pct();
    stop_reason_ = "noise reached";
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
    progress.samples = counts().counted;
    progress.waited = waited_;
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
    if (taken() < min_median_samples && stopped) {
        record.status = Status::cancelled;
        record.status_reason = fmt::format("stopped after {} of at least {} samples", taken(), min_median_samples);
        return;
    }
    if (counts().too_busy()) return set_too_busy(record, counts());
    const TimingSummary timing = summarize(samples_us_, options_->max_noise_pct);
    record.status_reason = why_it_ended(timing) + counts().left_out();
    if (!note.empty()) record.status_reason += "; " + note;
    if (discarded_ > 0) record.status_reason += fmt::format("; {} samples discarded: {}", discarded_, discard_reason_);
    if (taken() < min_median_samples) {
        record.status = Status::timeout;
        record.status_reason =
            fmt::format("{} after {} of at least {} samples", stop_reason_, taken(), min_median_samples);
    }
    if (samples_us_.empty()) return;
    record.samples_us = samples_us_;
    if (const std::string doubts = timing.doubts(); !doubts.empty()) record.status_reason += "; " + doubts;
    set_times(record, timing);
}

}  // namespace convscope
