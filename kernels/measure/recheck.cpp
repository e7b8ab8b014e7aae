#include "kernels/measure/recheck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/measure/quiet.h"
#include "kernels/measure/stopwatch.h"

namespace convscope {
namespace {

constexpr double chance = 0.5;
constexpr std::size_t first_looks = 9;
constexpr double of_the_timeout = 0.4, to_confirm = 10;
// A look that shows an excess counts one, another takes four away. Between runs that are alike a coin decides which
// takes longer, and this score reaches its end in one of 100,000 series at most.
constexpr int score_of_proof = 18, cost_of_doubt = 4;
constexpr int largest_exponent = 3;

// Two runs in a row differ by less, unless one was held up.
double allowed_of_other_inputs(double same_us) {
    return 2 * same_us + 20;
}

double allowed_after_the_clock(double run_us) {
    return 0.2 * run_us + 30;
}

/// The allowed time to fetch a result that is complete. The first fetch comes out of other caches than the second.
double allowed_to_fetch(const Tensor& y, double again_us) {
    const double slowest_us = 30 + 0.05 * static_cast<double>(y.data.size());
    return std::min(3 * again_us, slowest_us);
}

}  // namespace

void Recheck::Excess::add(double seen, double companion, double allowed) {
    if (proven()) return;
    if (seen <= allowed) {
        score = std::max(0, score - cost_of_doubt);
        return;
    }
    if (score++ > 0 && seen - allowed >= us) return;
    us = seen - allowed;
    seen_us = seen;
    companion_us = companion;
}

bool Recheck::Excess::proven() const {
    return score >= score_of_proof;
}

Recheck::Recheck(Device& device, Execution& execution, Sampler& sampler, const Workload& workload, bool scalable,
                 double cost_s, CheckResult check)
    : device_(device),
      execution_(execution),
      sampler_(sampler),
      workload_(workload),
      scalable_(scalable),
      check_(std::move(check)),
      cost_s_(cost_s) {}

bool Recheck::due(double share, double sampled_s, double timeout_s) {
    if (share <= 0) return false;
    const bool confirms = suspects();
    const double of_s = looks_ < first_looks || confirms ? std::max(sampled_s, of_the_timeout * timeout_s) : sampled_s;
    if (spent_s_ + cost_s_ > (confirms ? to_confirm : 1) * share * of_s) return false;
    return confirms || std::bernoulli_distribution(chance)(random_);
}

bool Recheck::suspects() const {
    return by_other_inputs_.suspected() || after_the_clock_.suspected();
}

Recheck::Kind Recheck::next_kind() {
    const std::size_t at = looks_++ % kinds_.size();
    if (at == 0) {
        std::ranges::shuffle(kinds_, random_);
        same_us_.reset();
        other_us_.reset();
    }
    return scalable_ ? kinds_[at] : Kind::poisoned;
}

double Recheck::run(Kind kind) {
    if (kind == Kind::poisoned) {
        execution_.poison_output();
        execution_.synchronize();
        return sampler_.sample_us();
    }
    return sampler_.single_run_us([this] {
        execution_.upload();
        execution_.prepare_weights();
        execution_.synchronize();
    });
}

double Recheck::fetch_us(Tensor& y) {
    const Stopwatch fetch;
    execution_.download();
    y = execution_.output();
    return fetch.microseconds();
}

std::optional<std::string> Recheck::look(const MeasureSinks& sinks) {
    const Stopwatch all;
    const Kind kind = next_kind();
    if (kind == Kind::other_inputs) {
        // Another one than the last.
        exponent_ = (exponent_ + std::uniform_int_distribution(1, largest_exponent)(random_)) % (largest_exponent + 1);
        Workload scaled = workload_;
        for (float& value : scaled.x.data) value = std::ldexp(value, exponent_);
        execution_.stage_inputs(scaled);
    }
    double waited_us = 0, run_us = 0, left_us = 0;
    bool lengthened = false;
    Tensor y;
    {
        const Stopwatch wait;
        const Quiet quiet(sinks);
        waited_us = wait.microseconds();
        run_us = run(kind);
        const Stopwatch left;
        execution_.synchronize();
        device_.wait_until_idle();
        left_us = left.microseconds();
        const double first_us = fetch_us(y), again_us = fetch_us(y);
        left_us += std::max(first_us - allowed_to_fetch(y, again_us), 0.0);
        lengthened = sampler_.lengthened();
    }
    if (!lengthened) {
        after_the_clock_.add(left_us, run_us, allowed_after_the_clock(run_us));
        if (kind == Kind::same_inputs) same_us_ = run_us;
        if (kind == Kind::other_inputs) other_us_ = run_us;
        if (kind != Kind::poisoned && same_us_ && other_us_)
            by_other_inputs_.add(*other_us_, *same_us_, allowed_of_other_inputs(*same_us_));
    }
    for (float& value : y.data) value = std::ldexp(value, -exponent_);
    std::optional<std::string> wrong = check_(y);
    cost_s_ = 1e-6 * (all.microseconds() - waited_us);
    spent_s_ += cost_s_;
    if (wrong)
        *wrong = fmt::format("{}: {}", kind == Kind::other_inputs ? "after its inputs had changed" : "in a later run",
                             *wrong);
    return wrong;
}

std::optional<std::string> Recheck::suspicion() const {
    if (by_other_inputs_.proven())
        return fmt::format("a run takes {:.4g} us when its inputs have changed and {:.4g} us when they have not",
                           by_other_inputs_.seen_us, by_other_inputs_.companion_us);
    if (after_the_clock_.proven())
        return fmt::format("{:.4g} us of work are left when the clock stops, after {:.4g} us", after_the_clock_.seen_us,
                           after_the_clock_.companion_us);
    return std::nullopt;
}

}  // namespace convscope
