#include "app/lessons/player.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/lessons/decision.h"
#include "kernels/core/text.h"

namespace convscope::lessons {
namespace {

/// Within the author's tolerance; and where the answer is a percentage, the nearest whole one at least: what a user
/// types who calculates in the head.
bool is_near(double given, double answer, const Ask& ask) {
    const double rounding = ask.unit != "%" ? 0 : std::abs(answer) < 1 ? 0.05 : 0.5;
    return std::abs(given - answer) <= std::max(std::max(1e-9, ask.tolerance) * std::abs(answer), rounding) + 1e-12;
}

/// The number that a user means: 0.64 may be 64 %, the share. 'answer' tells which.
double meant(const std::string& typed, double answer, const Ask& ask) {
    const double given = *typed_number(typed, ask.unit);
    const bool share = ask.unit == "%" && !trimmed(typed).ends_with('%') && std::abs(answer) >= 1 &&
                       std::abs(given) <= 1 && !is_near(given, answer, ask) && is_near(100 * given, answer, ask);
    return share ? 100 * given : given;
}

/// On the way to a later step nothing is measured again, and what a step points at is its own.
Show on_the_way(Show show) {
    show.run.reset();
    show.point.reset();
    return show;
}

}  // namespace

std::string written_out(const Text& text, const FactSource& facts) {
    std::string words;
    for (const Paragraph& paragraph : text) {
        if (!words.empty()) words += "\n\n";
        for (const Run& run : paragraph.runs) {
            const std::string mark = run.code ? "`" : run.strong ? "**" : run.emphasis ? "*" : "";
            const auto written = [&](const LiveValue& live) {
                const Answer answer = live.expression.evaluate(facts);
                return answer.value ? in_format(*answer.value, live.format) : std::string("?");
            };
            std::string value = run.live ? written(*run.live) : run.text;
            if (run.math) {
                const char* dollars = run.math->display ? "$$" : "$";
                value = run.math->source;
                for (std::size_t i = 0; i < run.math->live.size(); ++i)
                    value = replaced(value, math_mark(i), "{\\text{" + written(run.math->live[i]) + "}}");
                value = dollars + value + dollars;
            }
            words += mark + value + mark;
        }
    }
    return words;
}

Player::Player(Lesson lesson, LessonProgress& progress) : lesson_(std::move(lesson)), progress_(progress) {
    go_to(std::clamp(progress_.step, 0, steps()));
}

std::size_t Player::visible() const {
    if (at_end()) return 0;
    const std::vector<Block>& blocks = present().blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (const Ask* ask = std::get_if<Ask>(&blocks[i]); ask && ask->predict && is_open(*ask)) return i + 1;
    return blocks.size();
}

void Player::go_to(int step) {
    const bool onward = step == progress_.step + 1;
    progress_.step = std::clamp(step, 0, steps());
    if (!(onward && (at_end() || !shows_anything(present())))) {
        shows_ = {true, {}};
        for (int i = 0; i < progress_.step; ++i)
            for (const Block& block : lesson_.steps[static_cast<std::size_t>(i)].blocks)
                if (const Show* show = std::get_if<Show>(&block)) shows_.list.push_back(on_the_way(*show));
    }
    if (at_end() && left_open(progress_, lesson_) == 0) progress_.finished = true;
    hides_ = !at_end() && std::ranges::any_of(present().blocks, [this](const Block& block) {
        const Ask* ask = std::get_if<Ask>(&block);
        return ask && !given(*ask);
    });
    for (auto& [key, requested] : requested_) requested.waiting = requested.given_up = false;
    shown_ = 0;
    show_visible();
}

void Player::repeat_step() {
    if (at_end()) return;
    for (const Block& block : present().blocks) {
        if (const Ask* ask = std::get_if<Ask>(&block)) {
            progress_.answers.erase(ask->key);
            requested_[ask->key] = {};
        }
        if (const Task* task = std::get_if<Task>(&block)) progress_.tasks.erase(task->key);
    }
    go_to(progress_.step);
}

void Player::show_visible() {
    if (at_end()) return;
    const std::size_t until = visible();
    for (; shown_ < until; ++shown_)
        if (const Show* show = std::get_if<Show>(&present().blocks[shown_])) shows_.list.push_back(*show);
}

const Ask* Player::open_question() const {
    const std::size_t until = visible();
    for (std::size_t i = 0; i < until; ++i)
        if (const Ask* ask = std::get_if<Ask>(&present().blocks[i]); ask && is_open(*ask)) return ask;
    return nullptr;
}

const Ask* Player::open_number() const {
    const std::size_t until = visible();
    for (std::size_t i = 0; i < until; ++i)
        if (const Ask* ask = std::get_if<Ask>(&present().blocks[i]); ask && ask->answer && is_open(*ask)) return ask;
    return nullptr;
}

const Task* Player::open_task() const {
    const std::size_t until = visible();
    for (std::size_t i = 0; i < until; ++i)
        if (const Task* task = std::get_if<Task>(&present().blocks[i]); task && !done(*task)) return task;
    return nullptr;
}

bool Player::has_tasks() const {
    return !at_end() &&
           std::ranges::any_of(present().blocks, [](const Block& block) { return std::get_if<Task>(&block); });
}

std::vector<std::string> Player::hidden() const {
    if (at_end() || !hides_) return {};
    std::vector<std::string> names;
    const std::size_t until = visible();
    for (std::size_t i = 0; i < until; ++i)
        if (const Show* show = std::get_if<Show>(&present().blocks[i]); show && show->hide) names = *show->hide;
    return names;
}

QuestionState& Player::requested(const Ask& ask) {
    return requested_[ask.key];
}

const Given* Player::given(const Ask& ask) const {
    const auto found = progress_.answers.find(ask.key);
    return found == progress_.answers.end() ? nullptr : &found->second;
}

bool Player::is_waiting(const Ask& ask) const {
    const auto found = requested_.find(ask.key);
    return found != requested_.end() && found->second.waiting;
}

void Player::commit(const Ask& ask) {
    QuestionState& state = requested(ask);
    state.note.clear();
    if (ask.answer && !typed_number(state.typed, ask.unit)) {
        state.note = state.typed.empty() ? "Type a number first."
                                         : fmt::format("'{}' is not a number; 81, 0.5, 1/3 and 1e6 are.", state.typed);
        return;
    }
    if (!ask.answer && state.picked < 0) {
        state.note = "Choose one first.";
        return;
    }
    state.waiting = true;
    show_visible();
}

void Player::give_up(const Ask& ask) {
    requested(ask).given_up = requested(ask).waiting = true;
    show_visible();
}

void Player::solve(const Task& task) {
    if (task.solve) shows_.list.push_back(*task.solve);
}

bool Player::is_done(const Task& task, const FactSource& facts) const {
    const auto holds = [&task](const FactSource& state) { return task.until.evaluate(state); };
    const Decision decision = decide(holds, task.until.measured_values(), facts);
    return decision.kind == Decision::Kind::decided && decision.right;
}

bool Player::update(const FactSource& facts, bool settled) {
    wants_measurement_ = false;
    // Requests handed out since are not carried out yet.
    if (!settled || !shows_.list.empty() || at_end()) return false;
    bool changed = false;
    const std::size_t until = visible();
    for (std::size_t i = 0; i < until; ++i) {
        const Block& block = present().blocks[i];
        if (const Ask* ask = std::get_if<Ask>(&block)) {
            // What follows a prediction changes the values in its words.
            if (std::string& words = requested(*ask).question; is_open(*ask) || words.empty())
                words = written_out(ask->question, facts);
            if (is_waiting(*ask)) changed |= check(*ask, facts);
        }
        if (const Task* task = std::get_if<Task>(&block); task && !done(*task) && is_done(*task, facts)) {
            progress_.tasks.insert(task->key);
            changed = true;
        }
    }
    return changed;
}

namespace {

std::vector<MeasuredValue> measured_values(const Ask& ask) {
    if (ask.answer) return ask.answer->measured_values();
    std::vector<MeasuredValue> values;
    for (const Option& option : ask.options)
        values.insert(values.end(), option.condition.measured_values().begin(),
                      option.condition.measured_values().end());
    return values;
}

/// Whether what is typed or picked is right. An option is known to be when all of them are.
IsRight is_right(const Ask& ask, const QuestionState& state) {
    if (ask.answer)
        return [&ask, typed = state.typed](const FactSource& facts) {
            Answer answer = ask.answer->evaluate(facts);
            if (answer.value) answer.value = is_near(meant(typed, *answer.value, ask), *answer.value, ask);
            return answer;
        };
    return [&ask, picked = static_cast<std::size_t>(state.picked)](const FactSource& facts) {
        Answer answer;
        for (std::size_t i = 0; i < ask.options.size(); ++i) {
            const Answer holds = ask.options[i].condition.evaluate(facts);
            if (!holds.value) return holds;
            if (i == picked) answer = holds;
        }
        return answer;
    };
}

}  // namespace

bool Player::check(const Ask& ask, const FactSource& facts) {
    QuestionState& state = requested(ask);
    if (state.given_up) {
        settle_answer(ask, state.rejected, false, facts);
        return true;
    }
    std::string answer = ask.answer ? state.typed : ask.options[static_cast<std::size_t>(state.picked)].label;
    const Decision decision = decide(is_right(ask, state), measured_values(ask), facts);
    switch (decision.kind) {
        case Decision::Kind::unknown:
        case Decision::Kind::measuring:
            state.note = decision.why;
            wants_measurement_ = wants_measurement_ || decision.needs_measurement;
            return false;
        case Decision::Kind::too_close:
            leave_undecided(ask, answer, decision.why);
            return true;
        case Decision::Kind::decided:
            break;
    }
    if (decision.right && ask.answer) {
        const double given = meant(state.typed, *ask.answer->evaluate(facts).value, ask);
        if (given != *typed_number(state.typed, ask.unit)) answer = fmt::format("{:.6g}", given);  // its unit is said
    }
    if (decision.right || ask.predict || !state.rejected.empty())
        settle_answer(ask, answer, decision.right, facts);
    else if (ask.answer)
        reject(ask, answer,
               *typed_number(state.typed, ask.unit) > *ask.answer->evaluate(facts).value ? "too large" : "too small");
    else
        reject(ask, answer, "not right");
    return true;
}

/// A wrong answer that may be thought over.
void Player::reject(const Ask& ask, const std::string& answer, const std::string& why) {
    progress_.missed.insert(ask.key);
    QuestionState after;
    after.rejected = answer;
    after.rejection = fmt::format("{} is {}.", ask.answer ? answer : fmt::format("'{}'", answer), why);
    after.hint = true;
    requested(ask) = std::move(after);
}

void Player::settle_answer(const Ask& ask, const std::string& answer, bool right, const FactSource& facts) {
    requested(ask).waiting = false;
    requested(ask).note.clear();
    if (!right) progress_.missed.insert(ask.key);
    progress_.answers[ask.key] = {answer,
                                  right,
                                  !progress_.missed.contains(ask.key),
                                  written_out(right ? ask.right : ask.wrong, facts),
                                  false,
                                  requested(ask).question};
    show_visible();
}

/// Nobody was wrong: it counts as a first try that was right.
void Player::leave_undecided(const Ask& ask, const std::string& answer, const std::string& why) {
    requested(ask).waiting = false;
    requested(ask).note.clear();
    progress_.answers[ask.key] = {answer, false, !progress_.missed.contains(ask.key),
                                  why,    true,  requested(ask).question};
    show_visible();
}

Player::Shows Player::take_shows() {
    return std::exchange(shows_, {});
}

std::pair<int, int> Player::result() const {
    int all = 0;
    for (const Step& step : lesson_.steps)
        for (const Block& block : step.blocks)
            if (const Ask* ask = std::get_if<Ask>(&block)) all += ask->final;
    return {all - static_cast<int>(missed().size()), all};
}

std::vector<std::pair<int, const Ask*>> Player::missed() const {
    std::vector<std::pair<int, const Ask*>> list;
    for (int i = 0; i < steps(); ++i)
        for (const Block& block : lesson_.steps[static_cast<std::size_t>(i)].blocks)
            if (const Ask* ask = std::get_if<Ask>(&block); ask && ask->final) {
                const Given* answer = given(*ask);
                if (!answer || !answer->first_right) list.emplace_back(i, ask);
            }
    return list;
}

}  // namespace convscope::lessons
