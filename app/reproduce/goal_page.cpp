#include "app/reproduce/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/reproduce/page_parts.h"
#include "kernels/core/format_units.h"
#include "kernels/files/text_file.h"
#include "kernels/reproduce/goal_values.h"
#include "visualizers/plots/plot_files.h"

namespace convscope::reproduce {
namespace {

// Goals are about the method's own work: allocation and handles would hide it.
constexpr FigureTiming hot_timing{TimingScope::kernel, CacheMode::hot},
    cold_timing{TimingScope::kernel, CacheMode::cold};

std::string text_or_dash(const std::optional<double>& value, auto&& text) {
    return value ? text(*value) : "-";
}

std::string verdict(const GoalOutcome& outcome) {
    if (outcome.measured < outcome.points)
        return fmt::format("no: {} of {} rows have no result", outcome.points - outcome.measured, outcome.points);
    return outcome.reached ? "yes" : "no";
}

/// "`ecr4` or `tensor1`".
std::string ours_of(const FigureGoal& goal) {
    return fmt::format("`{}`", fmt::join(goal.of, "` or `"));
}

/// The goals that stand for a target's rows: those of one target have the same methods.
std::vector<const FigureGoal*> targets_of(const PaperFigure& figure) {
    std::vector<const FigureGoal*> targets;
    for (const FigureGoal& goal : figure.goals)
        if (std::ranges::none_of(targets, [&](const FigureGoal* each) { return each->target == goal.target; }))
            targets.push_back(&goal);
    return targets;
}

std::string reached(const FigureGoal& goal, const std::optional<double>& value) {
    return text_or_dash(value, [&](double number) {
        const std::string text = goal_text(goal.value, number);
        // A miss by less than a digit shows one more digit.
        const bool hidden = number < goal.at_least && text == goal_text(goal.value, goal.at_least);
        return hidden && goal.value == GoalValue::ratio ? fmt::format("{:.3f}x", number) : text;
    });
}

/// The result of another run; empty where it lacks a point or a method of the goal, with which it would be about less.
std::optional<double> whole_outcome(const FigureGoal& goal, const PaperFigure& figure, const FigureRecords& records,
                                    const FigureTiming& at) {
    const auto measured = [&](const std::string& method) { return records.has(method, at); };
    if (!std::ranges::all_of(goal.of, measured) || !std::ranges::all_of(goal.baselines, measured)) return std::nullopt;
    const GoalOutcome outcome = outcome_of(goal, figure, records.of(at));
    return outcome.measured == outcome.points ? outcome.value : std::nullopt;
}

/// The first run's outcome, then the same with a cold cache, in the second run and on the earlier device.
std::string goals_of_all(const std::vector<GoalRuns>& all) {
    std::string earlier_device;
    for (const GoalRuns& runs : all)
        if (!runs.earlier->all().empty()) earlier_device = runs.earlier->all().front().device_name;
    std::vector<std::vector<std::string>> body;
    for (const GoalRuns& runs : all)
        for (const FigureGoal& goal : runs.figure->goals) {
            const auto whole = [&](const FigureRecords& records, const FigureTiming& at) {
                return reached(goal, whole_outcome(goal, *runs.figure, records, at));
            };
            const GoalOutcome first = outcome_of(goal, *runs.figure, runs.first->of(hot_timing));
            body.push_back({goal.target, fmt::format("{} {}", ours_of(goal), goal.says), reached(goal, goal.at_least),
                            reached(goal, first.value), verdict(first), whole(*runs.first, cold_timing),
                            whole(*runs.second, hot_timing)});
            if (!earlier_device.empty()) body.back().push_back(whole(*runs.earlier, hot_timing));
        }
    std::vector<std::string> head{"Target", "what", "at least", "reached", "met", "cache cold", "second run"};
    if (!earlier_device.empty()) head.push_back(earlier_device);
    return markdown_table(head, body);
}

std::string target_section(const GoalRuns& runs, const FigureGoal& goal) {
    const std::vector<GoalRow> first = goal_rows(goal, *runs.figure, runs.first->of(hot_timing));
    const std::vector<GoalRow> second = goal_rows(goal, *runs.figure, runs.second->of(hot_timing));
    const auto time = [](double us) { return format_time_us(us); };
    const auto ratio = [](double value) { return fmt::format("{:.2f}x", value); };
    std::vector<std::vector<std::string>> body;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const GoalRow& row = first[i];
        body.push_back({row.row, row.baseline, text_or_dash(row.baseline_us, time), row.ours,
                        text_or_dash(row.ours_us, time), text_or_dash(row.ratio, ratio),
                        text_or_dash(second[i].ratio, ratio),
                        text_or_dash(row.roofline_fraction, [](double f) { return fmt::format("{:.0f} %", 100 * f); }),
                        text_or_dash(row.max_rel_err, [](double error) { return fmt::format("{:.1e}", error); })});
    }
    return filled("target", {{"target", goal.target},
                             {"ours", ours_of(goal)},
                             {"title", runs.figure->title},
                             {"name", runs.figure->name},
                             {"zeros", zeros_paragraph(*runs.figure)},
                             {"points", runs.figure->points_label},
                             {"rows", markdown_rows(body)}});
}

/// How far the goals are met: reached over requested.
Plot plot_of(const std::vector<GoalRuns>& all) {
    Plot plot;
    plot.title = "Targets: reached over requested";
    plot.subtitle = "scope kernel";
    plot.x.name = "target";
    plot.y = {"reached / at least", "x", true};
    plot.reference = 1;
    plot.series.resize(2);
    plot.series[0].name = "first run";
    plot.series[1].name = "second run";
    for (int i = 0; i < 2; ++i) {
        PlotSeries& series = plot.series[static_cast<std::size_t>(i)];
        series.color = i;
        series.marks = PlotSeries::Marks::bars;
        plot.x.names.clear();
        for (const GoalRuns& runs : all)
            for (const FigureGoal& goal : runs.figure->goals) {
                const FigureRecords& records = i == 0 ? *runs.first : *runs.second;
                const auto value = outcome_of(goal, *runs.figure, records.of(hot_timing)).value;
                series.x.push_back(static_cast<double>(plot.x.names.size()));
                series.y.push_back(value ? *value / goal.at_least : NAN);
                plot.x.names.push_back(goal.target);
            }
    }
    set_side_by_side(plot);
    return plot;
}

struct PageText {
    const char *name, *summary, *title, *about;
    const char* chart;  ///< a figure's, before the rows; may be empty
};
const PageText& text_of(GoalPage page) {
    static const PageText texts[] = {
        {"fast", "Every figure of the GPU with goals: targets, what was reached, fast.csv",
         "Fast for real: targets and what was reached",
         "`sparse` targets are of methods that skip zeros, `dense` ones of methods that do not.", ""},
        {"zeros", "Does time fall with the zeros, and below the best dense method's? Targets, what was reached",
         "Zeros that pay: targets and what was reached",
         "Of methods that skip zeros alone, each held against the fastest dense method of the precisions that it "
         "names, ours included. Zeros are single ones at random places, unless a row says otherwise.",
         "![Time over zeros, with every dense method's line](fast-sparsity-kernel.svg)"}};
    return texts[static_cast<std::size_t>(page)];
}

std::string page_text(const PageText& about, const std::vector<GoalRuns>& all, const std::string& command) {
    std::vector<MeasuredFile> files;
    std::string targets;
    for (const GoalRuns& runs : all) {
        for (const FigureRecords* records : {runs.first, runs.second, runs.earlier})
            files.push_back({records->csv_name(), &records->all()});
        for (const FigureGoal* goal : targets_of(*runs.figure)) targets += target_section(runs, *goal);
    }
    return filled("goals", {{"title", about.title},
                            {"about", about.about},
                            {"command", command},
                            {"goals", goals_of_all(all)},
                            {"name", about.name},
                            {"chart", about.chart},
                            {"targets", targets},
                            {"files", measured_files(files)}});
}

std::string csv(const std::vector<GoalRuns>& all) {
    std::string text = goal_csv_header() + "\r\n";
    for (const GoalRuns& runs : all)
        for (const FigureGoal* goal : targets_of(*runs.figure))
            for (const GoalRow& row : goal_rows(*goal, *runs.figure, runs.first->of(hot_timing)))
                text += goal_csv_row(row) + "\r\n";
    return text;
}

}  // namespace

std::string goals_table(const PaperFigure& figure, const FigureRecords& records, const FigureRecords& earlier) {
    if (figure.goals.empty()) return {};
    std::vector<std::string> head{"Goal", "at least", "reached", "met"};
    if (!earlier.all().empty()) head.push_back(earlier.all().front().device_name);
    std::vector<std::vector<std::string>> body;
    for (const FigureGoal& goal : figure.goals) {
        const GoalOutcome outcome = outcome_of(goal, figure, records.of(hot_timing));
        body.push_back({fmt::format("{} {}", ours_of(goal), goal.says), reached(goal, goal.at_least),
                        reached(goal, outcome.value), verdict(outcome)});
        if (!earlier.all().empty())
            body.back().push_back(reached(goal, whole_outcome(goal, figure, earlier, hot_timing)));
    }
    return markdown_table(head, body);
}

const char* describe(GoalPage page) {
    return text_of(page).summary;
}

void write_goal_page(GoalPage page, const std::vector<GoalRuns>& all, const std::string& command,
                     const std::filesystem::path& folder) {
    const PageText& about = text_of(page);
    const std::string name = about.name;
    write_plot_page(plot_of(all), folder / (name + ".svg"));
    write_text_file(folder / (name + ".csv"), csv(all));
    write_text_file(folder / (name + ".md"), page_text(about, all, command));
}

}  // namespace convscope::reproduce
