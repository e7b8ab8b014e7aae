// Checks a method at random moments between its samples: each result must be right, computed from the present inputs,
// and complete when the clock stops. docs/measuring.md says what this finds and what it cannot.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <random>
#include <string>

#include "kernels/measure/measure.h"

namespace convscope {

/// Checks a result; returns why it is wrong, or nothing.
using CheckResult = std::function<std::optional<std::string>(const Tensor& y)>;

class Recheck {
public:
    /// All outlive it. 'scalable': eight times x is within what the method can compute with. 'cost_s': a guess of how
    /// long a look takes.
    Recheck(Device&, Execution&, Sampler&, const Workload&, bool scalable, double cost_s, CheckResult);

    /// Decides at random whether to look now, so that looks take at most this share of the sampling time. The first
    /// looks may take that share of a part of the timeout; those that confirm a suspicion, ten times as much.
    bool due(double share, double sampled_s, double timeout_s);
    /// Makes a run that does not count. Explains why its result is wrong; empty when it is right. Throws Error when the
    /// device fails.
    std::optional<std::string> look(const MeasureSinks&);
    double spent_s() const { return spent_s_; }  ///< on looks, but for waiting until one may begin
    /// Whether the rechecks so far showed something that more of them must confirm at once.
    bool suspects() const;
    /// Explains why the times cannot be believed: what nearly all rechecks had in common. Empty where they can.
    std::optional<std::string> suspicion() const;

private:
    enum class Kind {
        same_inputs,   ///< a single run after x was uploaded again
        other_inputs,  ///< the same with x times a power of two, which multiplies every sum exactly; y holds the old
        poisoned       ///< a whole sample, with y and the workspace filled with NaN before it
    };
    /// How surely times exceed the allowed ones, and the smallest excess since it began.
    struct Excess {
        int score = 0;
        double us = 0, seen_us = 0, companion_us = 0;
        void add(double seen, double companion, double allowed);
        bool proven() const;
        bool suspected() const { return score > 0 && !proven(); }
    };

    Kind next_kind();
    double run(Kind);
    double fetch_us(Tensor& y);

    Device& device_;
    Execution& execution_;
    Sampler& sampler_;
    const Workload& workload_;
    const bool scalable_;
    const CheckResult check_;
    std::mt19937_64 random_{std::random_device{}()};
    std::array<Kind, 3> kinds_{Kind::same_inputs, Kind::other_inputs, Kind::poisoned};  ///< of three looks, shuffled
    std::size_t looks_ = 0;
    int exponent_ = 0;  ///< x on the device is the workload's times two to this
    double cost_s_, spent_s_ = 0;
    std::optional<double> same_us_, other_us_;  ///< of these three looks
    Excess by_other_inputs_, after_the_clock_;
};

}  // namespace convscope
