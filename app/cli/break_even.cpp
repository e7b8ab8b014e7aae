// convscope break-even: where a method overtakes its baseline.
#include "app/sweep/break_even.h"
#include "app/cli/subcommand.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/interrupt.h"
#include "app/cli/outputs.h"
#include "app/cli/status_line.h"
#include "app/request/numbers.h"
#include "app/sweep/sweep_plan.h"
#include "kernels/core/error.h"
#include "kernels/measure/baseline.h"
#include "kernels/measure/isolated/device_measurer.h"
#include "kernels/measure/run_stamp.h"
#include "kernels/measure/sample_counts.h"
#include "kernels/measure/timing_summary.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr Flag question_list[] = {
    {"--method", "ID", "the method that is to be faster"},
    {"--vendor", "ID", "its baseline (the vendor's best)"},
    {"--over", "AXIS", "sparsity, or a size: n, c, h, k, r"},
    {"--from", "X", "the axis begins here (0; sizes: 1)"},
    {"--to", "X", "and ends here (0.99; sizes must say)"},
    {"--precision", "X", "how near to bisect (0.01; sizes: 1)"},
    {"--and", "AXIS=LIST", "the same for each value of a second axis: n=1,2,4,8"},
};

bool is_size(const std::string& axis) {
    const std::vector<std::string> sizes{"n", "c", "h", "k", "r"};
    return std::find(sizes.begin(), sizes.end(), axis) != sizes.end();
}

std::string axis_of(const char* flag, const std::string& text) {
    if (text == "sparsity" || is_size(text)) return text;
    throw Error(ErrorKind::usage, fmt::format("{}: '{}' is not an axis; give sparsity, n, c, h, k or r", flag, text));
}

struct Question {
    std::string over;
    BreakEvenRange range;
    std::string second;               ///< the axis of --and; empty for none
    std::vector<std::string> values;  ///< of it
};

Question read_question(const FlagValues& flags) {
    for (const char* needed : {"--method", "--over"})
        if (!flags.has(needed)) throw Error(ErrorKind::usage, fmt::format("break-even needs {}", needed));
    Question question;
    question.over = axis_of("--over", flags.get("--over"));
    BreakEvenRange& range = question.range;
    range.whole = is_size(question.over);
    constexpr double max_size = 1e6;
    const double least = range.whole ? 1 : 0, most = range.whole ? max_size : 1;
    if (range.whole && !flags.has("--to"))
        throw Error(ErrorKind::usage, fmt::format("--over {} needs --to, the largest size to look at", question.over));
    const auto read = [&](const char* flag, double otherwise) {
        if (!flags.has(flag)) return otherwise;
        return range.whole ? static_cast<double>(parse_whole(flag, flags.get(flag), 1, 1000000))
                           : parse_real(flag, flags.get(flag), least, most);
    };
    range.from = read("--from", least);
    range.to = read("--to", 0.99);
    range.precision = read("--precision", range.whole ? 1 : 0.01);
    if (range.from >= range.to) {
        if (flags.has("--from") && flags.has("--to"))
            throw Error(ErrorKind::usage,
                        fmt::format("--from is {:g} and --to {:g}; the range must grow", range.from, range.to));
        throw Error(ErrorKind::usage,
                    flags.has("--to")
                        ? fmt::format("--to: {:g} is not above {:g}, where the range begins without --from", range.to,
                                      range.from)
                        : fmt::format("--from: {:g} is not below {:g}, where the range ends without --to", range.from,
                                      range.to));
    }
    if (range.precision <= 0) throw Error(ErrorKind::usage, "--precision is 0; give a number above it");
    if (!flags.has("--and")) return question;
    const std::string text = flags.get("--and");
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos)
        throw Error(ErrorKind::usage, fmt::format("--and: '{}' is not accepted; give AXIS=LIST, as n=1,2,4", text));
    question.second = axis_of("--and", text.substr(0, sign));
    if (question.second == question.over)
        throw Error(ErrorKind::usage, fmt::format("--and and --over are both {}; give two axes", question.over));
    question.values = expand_list("--and", text.substr(sign + 1));
    if (question.values.empty())
        throw Error(ErrorKind::usage, fmt::format("--and: '{}' has no value; give AXIS=LIST, as n=1,2,4", text));
    return question;
}

std::string number(double value, bool whole) {
    return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

std::string ratio_text(const RatioPoint& point) {
    if (point.ratio) return fmt::format("{:.2f}x", point.ratio->value);
    return point.why_not.empty() ? "no ratio" : "no ratio, " + point.why_not;
}

/// The ratios at both ends; one reason that there are none once.
std::string ends_text(const RatioPoint& from, const RatioPoint& to) {
    const std::string first = ratio_text(from), last = ratio_text(to);
    return !from.ratio && first == last ? first : first + " and " + last;
}

Json point_json(const RatioPoint& point) {
    Json json{{"at", point.at}, {"ratio", nullptr}, {"interval", nullptr}};
    if (!point.ratio) return json;
    json["ratio"] = point.ratio->value;
    json["interval"] = {point.ratio->interval.first, point.ratio->interval.second};
    return json;
}

class BreakEvenCommand {
public:
    explicit BreakEvenCommand(const FlagValues& flags)
        : flags_(flags), question_(read_question(flags)), registry_(make_registry()), measurer_(*registry_, false) {
        const Device& device = read_device(*registry_, flags);
        require_clock(device, "break-even compares times");
        method_ = read_method(*registry_, device, flags.get("--method")).info().id;
        baseline_ = flags.has("--vendor") ? read_methods(*registry_, device, flags.get("--vendor")).at(0)->info().id
                                          : vendors_best(device);
        if (method_ == baseline_)
            throw Error(ErrorKind::usage, fmt::format("--method and --vendor are both {}; give two", method_));
        flags_.set("--methods", method_ + "," + baseline_);
        for (const std::string& value : values()) (void)plan_at(value, question_.range.from);
        outputs_.emplace(flags);
    }

    int run() {
        for (const std::string& value : values()) {
            if (interrupt_.requested()) break;
            try {
                found_.emplace_back(value,
                                    find_break_even(question_.range, [&](double at) { return measure(value, at); }));
            } catch (const Interrupted&) {
                break;
            }
            line_.clear();
            print(value, found_.back().second);
        }
        line_.clear();
        outputs_->finish(json());
        return interrupt_.requested() ? interrupted_status : 0;
    }

private:
    struct Interrupted {};

    std::string vendors_best(const Device& device) const {
        const DeviceKind kind = device.info().kind;
        for (const std::string& id : default_methods(*registry_, kind))
            if (registry_->get(id, kind).info().vendor) return id;
        throw Error(ErrorKind::not_found,
                    fmt::format("{} has no vendor's method here; give --vendor with any method", device.info().id));
    }

    /// The values of the second axis; one empty value where there is none.
    std::vector<std::string> values() const {
        return question_.second.empty() ? std::vector<std::string>{""} : question_.values;
    }

    SweepPlan plan_at(const std::string& value, double at) const {
        FlagValues flags = flags_;
        if (!value.empty()) flags.set("--" + question_.second, value);
        flags.set("--" + question_.over, number(at, question_.range.whole));
        SweepPlan plan(*registry_, flags);
        if (plan.points().size() != 1)
            throw Error(ErrorKind::usage, "break-even varies --over and --and only; give single values elsewhere");
        return plan;
    }

    RatioPoint measure(const std::string& value, double at) {
        if (interrupt_.requested()) throw Interrupted{};
        const SweepPlan plan = plan_at(value, at);
        const SweepPoint& point = plan.points().front();
        if (!point.impossible.empty()) throw Error(ErrorKind::usage, point.impossible);
        PointRequest request = point.request;
        request.options.run_id = run_id_;
        line_.set_prefix(fmt::format("{} {}{}", question_.over, number(at, question_.range.whole),
                                     value.empty() ? "" : fmt::format(", {} {}", question_.second, value)));
        PointSinks sinks;
        sinks.measure.record = [this](const Record& row) { outputs_->add(row); };
        sinks.measure.progress = [this](const Progress& progress) { line_.show(progress); };
        const std::vector<Record> rows = measurer_.measure(request, sinks, interrupt_.token());
        if (interrupt_.requested()) throw Interrupted{};
        for (const Record& row : {rows.at(0), rows.at(1)})
            if (row.status != Status::passed && !is_too_busy(row))
                throw Error(ErrorKind::failed,
                            fmt::format("{} at {} {}: {}: {}", row.method, question_.over,
                                        number(at, question_.range.whole), to_string(row.status), row.status_reason));
        return ratio_point(at, rows[0], rows[1]);
    }

    void print(const std::string& value, const BreakEven& found) const {
        const auto show = [&](double at) { return number(at, question_.range.whole); };
        const std::string where = value.empty() ? "" : fmt::format("{} = {}: ", question_.second, value);
        const BreakEvenRange& range = question_.range;
        using Verdict = BreakEven::Verdict;
        const auto [from, to] = std::pair(found.points.front().ratio, found.points.back().ratio);
        if (!found.threshold && from && to && (from->value > 1) != (to->value > 1)) {
            const bool overtakes = to->value > 1;
            fmt::print(
                "{}where {} {} {} along {} cannot be told: {} at {}, {} at {}, with too little certainty between\n",
                where, method_, overtakes ? "overtakes" : "falls behind", baseline_, question_.over,
                ratio_text(found.points.front()), show(range.from), ratio_text(found.points.back()), show(range.to));
        } else if (!found.threshold) {
            const char* how = found.verdict == Verdict::always_faster                   ? "is faster than"
                              : found.verdict == Verdict::always_slower                 ? "is slower than"
                              : found.points.front().ratio && found.points.back().ratio ? "cannot be told from"
                                                                                        : "cannot be compared with";
            fmt::print("{}{} {} {} at {} {} and {} ({})\n", where, method_, how, baseline_, question_.over,
                       show(range.from), show(range.to), ends_text(found.points.front(), found.points.back()));
        } else {
            const bool above = found.verdict == Verdict::faster_above;
            const auto rounded = [](double at) { return fmt::format("{:.3g}", at); };
            fmt::print("{}{} is faster than {} {} {} {} (95 %: between {} and {}); {} at {}, {} at {}\n", where,
                       method_, baseline_, above ? "above" : "below", question_.over, rounded(*found.threshold),
                       rounded(found.interval.first), rounded(found.interval.second), ratio_text(found.points.front()),
                       show(found.points.front().at), ratio_text(found.points.back()), show(found.points.back().at));
        }
        if (!value.empty()) fmt::print("  {} |{}| {}\n", show(range.from), map_line(found), show(range.to));
        std::fflush(stdout);
    }

    /// The axis in 40 steps: '#' where the method wins, '.' where its baseline does, '?' where that is not certain.
    std::string map_line(const BreakEven& found) const {
        constexpr int steps = 40;
        std::string line;
        for (int i = 0; i < steps; ++i) {
            const BreakEvenRange& range = question_.range;
            const double at = range.from + (range.to - range.from) * (i + 0.5) / steps;
            const std::optional<bool> faster = faster_at(found, at);
            line += !faster ? '?' : *faster ? '#' : '.';
        }
        return line;
    }

    std::string json() const {
        Json all{{"method", method_}, {"vendor", baseline_}, {"over", question_.over}, {"run_id", run_id_}};
        all["from"] = question_.range.from;
        all["to"] = question_.range.to;
        all["precision"] = question_.range.precision;
        all["and"] = question_.second.empty() ? Json(nullptr) : Json(question_.second);
        all["results"] = Json::array();
        for (const auto& [value, found] : found_) {
            Json points = Json::array();
            for (const RatioPoint& point : found.points) points.push_back(point_json(point));
            all["results"].push_back({{"value", value.empty() ? Json(nullptr) : Json(value)},
                                      {"verdict", to_string(found.verdict)},
                                      {"threshold", found.threshold ? Json(*found.threshold) : Json(nullptr)},
                                      {"interval", {found.interval.first, found.interval.second}},
                                      {"points", points}});
        }
        return all.dump(2) + "\n";
    }

    FlagValues flags_;
    const Question question_;
    const std::string run_id_ = make_run_id();
    const Interrupt interrupt_;
    std::unique_ptr<Registry> registry_;
    DeviceMeasurer measurer_;
    std::string method_, baseline_;
    std::optional<Outputs> outputs_;
    StatusLine line_;
    std::vector<std::pair<std::string, BreakEven>> found_;
};

}  // namespace

Command add_break_even(CLI::App& program) {
    Subcommand command(program, "break-even", "where a method overtakes its baseline: bisect on their ratio");
    auto flags = std::make_shared<FlagValues>();
    command.flags(*flags, question_list, "Question");
    command.flags(*flags, workload_flags(), "Workload");
    command.flags(*flags, launch_flags(), "Launch");
    command.flags(*flags, timing_flags(), "Timing");
    command.flags(*flags, output_flags(), "Output");
    return command.runs([flags] { return BreakEvenCommand(*flags).run(); });
}

}  // namespace convscope::cli
