#include "kernels/reproduce/goal_file.h"

#include <algorithm>

#include "kernels/reproduce/toml_words.h"

namespace convscope {

FigureSummary read_summary(TomlTable& table) {
    return read_word(table, "take", figure_summaries());
}

FigureGoal read_goal(const toml::table& node, const PaperFigure& figure) {
    TomlTable table(node, figure.file, "goal");
    FigureGoal goal;
    goal.target = table.text("target");
    goal.says = table.text("says");
    goal.of = table.texts("of");
    if (goal.of.empty()) table.reject("a goal needs 'of'");
    goal.baselines = table.texts("baselines");
    if (goal.baselines.empty()) table.reject("a goal needs 'baselines'");
    require_methods(table, "of", goal.of, figure.methods);
    require_methods(table, "baselines", goal.baselines, figure.methods);
    goal.value = read_word<GoalValue>(
        table, "value",
        {{"ratio", GoalValue::ratio}, {"gflops", GoalValue::gflops}, {"roofline", GoalValue::roofline_pct}}, "ratio");
    goal.take = read_summary(table);
    goal.at_least = table.number("at_least", 0);
    if (!(goal.at_least > 0)) table.reject("a goal needs 'at_least', more than 0");
    if (goal.take == FigureSummary::total && goal.value != GoalValue::ratio)
        table.reject_key("take", "'take' can be total for a ratio only: the other values do not add up");
    for (const FigureGoal& other : figure.goals)
        if (other.target == goal.target && (other.of != goal.of || other.baselines != goal.baselines))
            table.reject_key("target",
                             fmt::format("'target' is '{}', which another goal has with other methods", goal.target));
    table.finish();
    return goal;
}

}  // namespace convscope
