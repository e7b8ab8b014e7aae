// Keeps the samples of one configuration in bounded memory: when it is full, every second one is dropped, so that those
// kept always cover the whole time evenly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/measure/sample_counts.h"

namespace convscope {

class SampleHistory {
public:
    static constexpr std::size_t capacity = 8192;

    /// The numbers given to add() start from 1 again.
    void begin_round() {
        round_begin_ = count_;
        waited_before_ = waited_;
    }
    /// Adds the number-th sample of the round. Earlier samples of the round from this number on have been discarded
    /// meanwhile.
    void add(std::int64_t number, double time_us) {
        keep_first(round_begin_ + number - 1);
        if (count_ % stride_ == 0) kept_.push_back(time_us);
        ++count_;
        if (kept_.size() == capacity) drop_every_second();
    }
    /// Only this many samples of the round are valid.
    void keep_in_round(std::int64_t samples) { keep_first(round_begin_ + samples); }
    /// This many more samples of the round had to wait for a core. They do not count, and are not kept.
    void set_waited_in_round(std::int64_t samples) { waited_ = waited_before_ + samples; }

    /// In microseconds, in the order of time: the samples number 0, stride(), 2 * stride(), ...
    const std::vector<double>& kept() const { return kept_; }
    std::int64_t stride() const { return stride_; }
    std::int64_t count() const { return count_; }  ///< that count, kept or not
    SampleCounts counts() const { return {count_, waited_}; }

private:
    void keep_first(std::int64_t samples) {
        if (samples >= count_) return;
        count_ = samples;
        kept_.resize(static_cast<std::size_t>((samples + stride_ - 1) / stride_));
    }
    void drop_every_second() {
        for (std::size_t i = 1; 2 * i < kept_.size(); ++i) kept_[i] = kept_[2 * i];
        kept_.resize((kept_.size() + 1) / 2);
        stride_ *= 2;
    }

    std::vector<double> kept_;
    std::int64_t stride_ = 1, count_ = 0, round_begin_ = 0, waited_ = 0, waited_before_ = 0;
};

}  // namespace convscope
