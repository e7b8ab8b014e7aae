#include "kernels/reproduce/goal_file.h"

#include <algorithm>

#include "kernels/reproduce/toml_words.h"

namespace convscope {

FigureSummary read_summary(TomlTable& table) {
    return need_word(table, "take", figure_summaries());
}

FigureGoal read_goal(TomlTable& table, const PaperFigure& figure) {
    FigureGoal goal;
    table.read_named("page", goal.page, goal_pages());
    goal.target = table.need("target");
    if (goal.target.empty() || goal.target[0] < '1' || goal.target[0] > '9')
        table.reject("target", "'target' begins with its number: \"1 sparse\"");
    goal.says = table.need("says");
    goal.of = need_texts(table, "of");
    table.read_named("value", goal.value,
                     Words<GoalValue>{{"ratio", GoalValue::ratio},
                                      {"gflops", GoalValue::gflops},
                                      {"roofline", GoalValue::roofline_pct},
                                      {"fall", GoalValue::fall}});
    goal.baselines = goal.value == GoalValue::fall ? goal.of : need_texts(table, "baselines");
    require_methods(table, "of", goal.of, figure.methods);
    require_methods(table, "baselines", goal.baselines, figure.methods);
    goal.take = read_summary(table);
    table.read("at_least", goal.at_least);
    if (!(goal.at_least > 0)) table.reject("a goal needs 'at_least', more than 0");
    if (goal.take == FigureSummary::total && goal.value != GoalValue::ratio)
        table.reject("take", "'take' can be total for a ratio only: the other values do not add up");
    for (const FigureGoal& other : figure.goals)
        if (other.page == goal.page && other.target == goal.target &&
            (other.of != goal.of || other.baselines != goal.baselines))
            table.reject("target",
                         fmt::format("'target' is '{}', which another goal has with other methods", goal.target));
    table.finish();
    return goal;
}

}  // namespace convscope
