#include "app/lessons/decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "kernels/core/format_units.h"

namespace convscope::lessons {
namespace {

/// A state in which measured values are at the ends of their intervals.
class AtEnds final : public FactSource {
public:
    explicit AtEnds(const FactSource& state) : state_(state) {}
    void set(const MeasuredValue& value, double number) { ends_[value] = number; }

    double name(const std::string& name) const override { return state_.name(name); }
    double call(const std::string& function, const std::string& word, std::span<const double> numbers) const override {
        const auto found = ends_.find({function, word});
        return found == ends_.end() ? state_.call(function, word, numbers) : found->second;
    }

private:
    const FactSource& state_;
    std::map<MeasuredValue, double> ends_;
};

using Uncertain = std::map<MeasuredValue, Bounds>;

Uncertain uncertain_values(const std::vector<MeasuredValue>& values, const FactSource& state) {
    Uncertain uncertain;
    for (const MeasuredValue& value : values)
        if (const std::optional<Bounds> bounds = state.bounds(value.function, value.word)) uncertain[value] = *bounds;
    return uncertain;
}

/// Whether the answer is the same at each corner of the box of the intervals.
bool same_everywhere(const IsRight& is_right, bool right, const Uncertain& uncertain, const FactSource& state) {
    constexpr std::size_t max_values = 12;  // 4096 corners
    if (uncertain.size() > max_values) return false;
    for (std::size_t corner = 0; corner < std::size_t{1} << uncertain.size(); ++corner) {
        AtEnds ends(state);
        std::size_t bit = 0;
        for (const auto& [value, bounds] : uncertain)
            ends.set(value, (corner >> bit++ & 1) != 0 ? bounds.high : bounds.low);
        if (is_right(ends).holds() != right) return false;
    }
    return true;
}

/// "im2col 310 us (298 to 322 us), ecr3 305 us (290 to 318 us)"
std::string listed(const Uncertain& uncertain) {
    std::string words;
    for (const auto& [value, bounds] : uncertain) {
        const auto written = [&function = value.function](double number) {
            return function == "time" ? format_time_us(number) : format_digits(number) + "x";
        };
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", value.word, written(bounds.median));
        if (bounds.reliable) words += fmt::format(" ({} to {})", written(bounds.low), written(bounds.high));
    }
    return words;
}

}  // namespace

Decision decide(const IsRight& is_right, const std::vector<MeasuredValue>& values, const FactSource& state) {
    using enum Decision::Kind;
    const Answer answer = is_right(state);
    if (answer.never_known) return {too_close, false, answer.why + ".", false};
    if (!answer.value) return {unknown, false, answer.why, answer.needs_measurement};
    try {
        const Uncertain uncertain = uncertain_values(values, state);
        const auto all = [&](bool Bounds::*property) {
            return std::ranges::all_of(uncertain, [&](const auto& each) { return each.second.*property; });
        };
        if (all(&Bounds::reliable) && same_everywhere(is_right, answer.holds(), uncertain, state))
            return {decided, answer.holds(), {}, false};
        if (all(&Bounds::complete))
            return {too_close, false,
                    fmt::format("{} to tell on this machine: {}.",
                                all(&Bounds::reliable) ? "Too close" : "Too few samples in the time there is",
                                listed(uncertain)),
                    false};
        return {measuring, false, fmt::format("not sure yet: {}", listed(uncertain)), true};
    } catch (const NotKnown& missing) {
        if (missing.never_known) return {too_close, false, missing.why + ".", false};
        return {unknown, false, missing.why, missing.needs_measurement};
    }
}

}  // namespace convscope::lessons
