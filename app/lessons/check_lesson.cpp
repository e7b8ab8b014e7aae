#include "app/lessons/check_lesson.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lessons/show_state.h"
#include "kernels/core/error.h"

namespace convscope::lessons {
namespace {

class Checker {
public:
    Checker(CheckedLesson& checked, const Registry& registry, const std::optional<WorkloadSpec>& own_layer)
        : checked_(checked), state_(registry, own_layer), registry_(registry), own_layer_(own_layer.has_value()) {}

    void run() {
        if (own_layer_) {
            std::string ignored;
            if (const std::string why = unsuited(checked_.read.lesson, state_.facts(ignored)); !why.empty())
                return warn(1, why);
        }
        for (const Step& step : checked_.read.lesson.steps) walk(step);
        std::ranges::stable_sort(checked_.read.problems, {}, &Problem::line);
    }

private:
    void warn(int line, std::string sentence) {
        Problem problem{line, std::move(sentence), true};
        const auto same = [&](const Problem& each) { return each.line == line && each.sentence == problem.sentence; };
        if (std::ranges::none_of(checked_.read.problems, same)) checked_.read.problems.push_back(std::move(problem));
    }

    /// A step runs in parts: what follows a question that is to be predicted comes into view with its answer. Each part
    /// is looked at when its 'show' blocks are carried out.
    void walk(const Step& step) {
        std::vector<const Block*> part;
        if (shows_anything(step)) state_.unpin();
        for (const Block& block : step.blocks) {
            const Ask* ask = std::get_if<Ask>(&block);
            if (ask && ask->predict) {
                look(step, part);
                part.clear();
            }
            part.push_back(&block);
        }
        look(step, part);
    }

    void look(const Step& step, const std::vector<const Block*>& part) {
        for (const Block* block : part)
            if (const Show* show = std::get_if<Show>(block)) apply(*show);
        std::string problem;
        const Facts& facts = state_.facts(problem);
        if (!problem.empty()) warn(step.line, fmt::format("the step '{}' cannot be shown: {}", step.title, problem));
        for (const Block* block : part) {
            if (const Text* text = std::get_if<Text>(block)) values(*text, step.line, facts);
            if (const Ask* ask = std::get_if<Ask>(block)) question(*ask, facts);
            if (const Task* task = std::get_if<Task>(block)) this->task(*task, facts);
        }
    }

    void apply(const Show& show) {
        try {
            state_.apply(show);
        } catch (const Error& error) {
            const bool machine = show.device && error.kind() == ErrorKind::not_found;
            if (machine)
                warn(show.line, error.what());
            else
                checked_.read.problems.push_back({show.line, error.what()});
        }
    }

    /// Whether the value is known; says so where it is not, unless a measurement will tell.
    std::optional<double> value(const Expression& expression, int line, const Facts& facts) {
        ++checked_.expressions;
        const Answer answer = expression.evaluate(facts);
        if (answer.value) {
            checked_.values.push_back({line, expression.text(), *answer.value});
            return answer.value;
        }
        if (!answer.needs_measurement) {
            warn(line, fmt::format("'{}' is not known here: {}", expression.text(), answer.why));
            return std::nullopt;
        }
        ++checked_.measured;
        for (const MeasuredValue& each : expression.measured_values()) can_run(each.method(), line, facts.state());
        return std::nullopt;
    }

    void can_run(const std::string& id, int line, const LiveState& state) {
        if (id == "vendor") return;
        const Method* method = registry_.find(id, state.kind);
        if (!method) {
            warn(line, fmt::format("'{}' cannot be measured here: it does not run on {}", id, state.device));
            return;
        }
        if (const Support support = method->supports(state.spec.shape); !support)
            warn(line, fmt::format("'{}' cannot be measured here: {}", id, support.reason));
    }

    void values(const Text& text, int line, const Facts& facts) {
        for (const Paragraph& paragraph : text)
            for (const Run& run : paragraph.runs) {
                if (run.live) value(run.live->expression, line, facts);
                if (!run.math) continue;
                for (const LiveValue& each : run.math->live) value(each.expression, line, facts);
            }
    }

    void question(const Ask& ask, const Facts& facts) {
        for (const Text* text : {&ask.question, &ask.hint, &ask.right, &ask.wrong}) values(*text, ask.line, facts);
        if (ask.answer) value(*ask.answer, ask.line, facts);
        int right = 0;
        bool known = true;
        for (const Option& option : ask.options) {
            const std::optional<double> holds = value(option.condition, ask.line, facts);
            known = known && holds;
            right += holds && *holds != 0;
        }
        if (!ask.options.empty() && known && right != 1)
            warn(ask.line,
                 fmt::format("{} of the {} options are right here; it should be one", right, ask.options.size()));
    }

    void task(const Task& task, const Facts& facts) {
        for (const Text* text : {&task.task, &task.hint}) values(*text, task.line, facts);
        // An own layer may be as the task wants it, and is not changed by 'solve'.
        if (const auto done = value(task.until, task.line, facts); done && *done != 0 && !own_layer_)
            warn(task.line,
                 fmt::format("'{}' holds already when the step opens: the task is done at once", task.until.text()));
        if (!task.solve) {
            warn(task.line, "this task has no 'solve': the app cannot show how it is done");
            return;
        }
        if (!own_layer_) solve(task);
    }

    /// Checks that 'show me' ends the task, as far as that can be known without a window.
    void solve(const Task& task) {
        ShowState after = state_;
        std::string problem;
        try {
            after.apply(*task.solve);
        } catch (const Error& error) {
            checked_.read.problems.push_back({task.solve->line, error.what()});
            return;
        }
        const Answer done = task.until.evaluate(after.facts(problem));
        if (!problem.empty())
            warn(task.solve->line, fmt::format("what 'solve' shows cannot be shown: {}", problem));
        else if (done.value && *done.value == 0)
            warn(task.solve->line, fmt::format("'solve' does not make '{}' true", task.until.text()));
    }

    CheckedLesson& checked_;
    ShowState state_;
    const Registry& registry_;
    bool own_layer_;
};

}  // namespace

CheckedLesson check_lesson(const std::filesystem::path& file, const Registry& registry,
                           const std::optional<WorkloadSpec>& own_layer) {
    CheckedLesson checked{read_lesson(file, registry)};
    if (checked.read.good()) Checker(checked, registry, own_layer).run();
    return checked;
}

}  // namespace convscope::lessons
