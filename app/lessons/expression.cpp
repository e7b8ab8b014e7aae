#include "app/lessons/expression.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <deque>
#include <utility>

#include "app/lessons/recorded_values.h"
#include "kernels/core/error.h"
#include "kernels/core/nearest_names.h"
#include "kernels/method/registry.h"
#include "kernels/ptx/text/why_unread.h"
#include "kernels/simt/as_printed.h"

namespace convscope::lessons {
namespace {

/// muParser's callbacks take no closure: the source of the evaluation under way stands here.
thread_local const FactSource* source = nullptr;
/// An exception must not cross muParser's frames as anything but its own: what is not known waits here.
thread_local std::optional<NotKnown> missing;

double ask(std::size_t function, const char* word, std::span<const double> numbers) {
    if (!source || missing) return 0;
    try {
        return source->call(functions()[function].name, word, numbers);
    } catch (NotKnown& unknown) {
        missing = std::move(unknown);
        return 0;
    }
}

template <std::size_t I>
double with_word(const char* word) {
    return ask(I, word, {});
}
template <std::size_t I>
double with_word_and_1(const char* word, double a) {
    return ask(I, word, std::array{a});
}
template <std::size_t I>
double with_word_and_2(const char* word, double a, double b) {
    return ask(I, word, std::array{a, b});
}
template <std::size_t I>
double with_1(double a) {
    return ask(I, "", std::array{a});
}

template <std::size_t I>
void define(mu::Parser& parser) {
    const Function& function = functions()[I];
    if (function.word == WordKind::none)
        parser.DefineFun(function.name, with_1<I>, false);
    else if (function.numbers == 0)
        parser.DefineFun(function.name, with_word<I>, false);
    else if (function.numbers == 1)
        parser.DefineFun(function.name, with_word_and_1<I>, false);
    else
        parser.DefineFun(function.name, with_word_and_2<I>, false);
}

template <std::size_t... I>
void define_all(mu::Parser& parser, std::index_sequence<I...>) {
    (define<I>(parser), ...);
}

double both(double a, double b) {
    return a != 0 && b != 0;
}
double either(double a, double b) {
    return a != 0 || b != 0;
}
double negated(double a) {
    return a == 0;
}
double rounded(double a) {
    return std::round(a);
}
double rounded_down(double a) {
    return std::floor(a);
}
double rounded_up(double a) {
    return std::ceil(a);
}

/// A word in quotes, with the function that it is given to.
struct Quoted {
    std::string function, word;
};

/// Finds quoted words, and what muParser would take for something else than an author means.
std::vector<Quoted> scan(const std::string& text, std::vector<std::string>& problems) {
    std::vector<Quoted> found;
    std::string last;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            const std::size_t end = text.find('"', i + 1);
            if (end == std::string::npos) {
                problems.push_back(fmt::format("'{}': a word begins with \" and does not end", text));
                break;
            }
            found.push_back({last, text.substr(i + 1, end - i - 1)});
            i = end;
        } else if (in_name(text[i])) {
            const std::size_t start = i;
            while (i + 1 < text.size() && in_name(text[i + 1])) ++i;
            last = text.substr(start, i + 1 - start);
        } else if (text[i] == '=') {
            const bool compares = i + 1 < text.size() && text[i + 1] == '=';
            const char before = i > 0 ? text[i - 1] : ' ';
            if (compares)
                ++i;
            else if (before != '<' && before != '>' && before != '!')
                problems.push_back(fmt::format("'{}': = does not compare; write ==", text));
        }
    }
    return found;
}

std::string guess(const std::string& requested, const std::vector<std::string>& known) {
    const std::vector<std::string> nearest = nearest_names(requested, known, 1);
    return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest.front());
}

std::vector<std::string> every_name() {
    std::vector<std::string> all;
    for (const Name& name : names()) all.emplace_back(name.name);
    for (const Function& function : functions()) all.emplace_back(function.name);
    return all;
}

std::vector<std::string> method_ids(const Registry& registry) {
    std::vector<std::string> ids{"vendor"};
    for (const auto& method : registry.methods()) ids.push_back(method->info().id);
    return ids;
}

bool known(const std::string& word, const std::vector<std::string>& list) {
    return std::ranges::find(list, word) != list.end();
}

/// The word of time() may name a scope: "im2col@setup".
void check_method(const std::string& function, const std::string& word, const Registry& registry,
                  std::vector<std::string>& problems, std::vector<std::string>& doubts) {
    const std::size_t at = word.find('@');
    const std::string id = word.substr(0, at);
    if (at != std::string::npos && !known(word.substr(at + 1), words(WordKind::scope)))
        problems.push_back(fmt::format("{}(\"{}\"): '{}' is not a timing scope; accepted are {}", function, word,
                                       word.substr(at + 1), fmt::join(words(WordKind::scope), ", ")));
    std::vector<std::string> ids = method_ids(registry);
    // The Step view runs the papers' kernels as printed; nothing measures them.
    if (function == "method") ids.insert(ids.end(), as_printed_ids.begin(), as_printed_ids.end());
    if (known(id, ids)) return;
    const std::string sentence =
        fmt::format("{}(\"{}\"): there is no method '{}'{}", function, word, id, guess(id, ids));
    if (registry.methods(DeviceKind::cuda).empty())
        doubts.push_back(sentence + " (methods of CUDA alone are not known on this machine)");
    else
        problems.push_back(sentence);
}

void check_rows(const std::string& function, const std::string& word, std::vector<std::string>& problems) {
    try {
        function == "recorded" ? recorded_value(word) : recorded_sum(word);
    } catch (const Error& error) {
        problems.push_back(fmt::format("{}: {}", function, error.what()));
    }
}

void check_words(const std::vector<Quoted>& found, const Registry& registry, std::vector<std::string>& problems,
                 std::vector<std::string>& doubts) {
    for (const Quoted& quoted : found)
        for (const Function& function : functions()) {
            if (quoted.function != function.name) continue;
            if (function.word == WordKind::method)
                check_method(quoted.function, quoted.word, registry, problems, doubts);
            else if (function.word == WordKind::rows)
                check_rows(quoted.function, quoted.word, problems);
            else if (function.word != WordKind::quantity && !known(quoted.word, words(function.word)))
                problems.push_back(fmt::format("{}(\"{}\"): '{}' is not {}; accepted are {}", function.name,
                                               quoted.word, quoted.word, to_string(function.word),
                                               fmt::join(words(function.word), ", ")));
        }
}

}  // namespace

struct Expression::Compiled {
    std::string text;
    mu::Parser parser;
    /// The names that it uses, and where their values stand while it is evaluated.
    std::deque<std::pair<std::string, double>> used;
    std::vector<std::string> unknown;
    std::vector<MeasuredValue> measured;

    static double* variable(const char* name, void* self) {
        auto& compiled = *static_cast<Compiled*>(self);
        const auto& all = names();
        if (std::ranges::none_of(all, [&](const Name& each) { return each.name == std::string(name); }))
            compiled.unknown.emplace_back(name);
        compiled.used.emplace_back(name, 1.0);
        return &compiled.used.back().second;
    }
};

std::optional<Expression> Expression::compile(const std::string& text, const Registry& registry,
                                              std::vector<std::string>& problems, std::vector<std::string>& doubts) {
    const std::size_t before = problems.size();
    const std::vector<Quoted> quoted = scan(text, problems);
    check_words(quoted, registry, problems, doubts);
    auto compiled = std::make_shared<Compiled>();
    compiled->text = text;
    for (const Quoted& each : quoted)
        if (known(each.function, {"time", "ratio", "error", "noise", "status"}))
            compiled->measured.push_back({each.function, each.word});
    mu::Parser& parser = compiled->parser;
    try {
        parser.ClearConst();
        parser.SetVarFactory(Compiled::variable, compiled.get());
        define_all(parser, std::make_index_sequence<function_count>());
        parser.DefineFun("round", rounded);
        parser.DefineFun("floor", rounded_down);
        parser.DefineFun("ceil", rounded_up);
        parser.DefineOprt("and", both, mu::prLAND, mu::oaLEFT);
        parser.DefineOprt("or", either, mu::prLOR, mu::oaLEFT);
        // Without letters among them muParser rejects a word as a sign before a value.
        parser.DefineInfixOprtChars("/+-*^?<>=#!$%&|~'_abcdefghijklmnopqrstuvwxyz");
        parser.DefineInfixOprt("not", negated, mu::prLAND + 1);
        parser.SetExpr(text);
        parser.Eval();
        if (parser.GetNumResults() > 1) problems.push_back(fmt::format("'{}' holds several expressions", text));
    } catch (const mu::Parser::exception_type& error) {
        if (compiled->unknown.empty() && problems.size() == before)
            problems.push_back(fmt::format("'{}' does not read: {}", text, ptx::why_unread(error)));
    }
    missing.reset();
    for (const std::string& name : compiled->unknown)
        problems.push_back(fmt::format("'{}': there is no name '{}'{}", text, name, guess(name, every_name())));
    if (problems.size() > before) return std::nullopt;
    Expression expression;
    expression.compiled_ = std::move(compiled);
    return expression;
}

Answer Expression::evaluate(const FactSource& live) const {
    Compiled& compiled = *compiled_;
    try {
        for (auto& [name, value] : compiled.used) value = live.name(name);
        source = &live;
        missing.reset();
        const double value = compiled.parser.Eval();
        source = nullptr;
        if (missing) return {std::nullopt, missing->why, missing->needs_measurement, missing->never_known};
        if (!std::isfinite(value)) return {std::nullopt, fmt::format("'{}' is not a number here", compiled.text)};
        return {value, {}};
    } catch (const NotKnown& unknown) {
        return {std::nullopt, unknown.why, unknown.needs_measurement, unknown.never_known};
    } catch (const mu::Parser::exception_type& error) {
        source = nullptr;
        return {std::nullopt, ptx::why_unread(error)};
    }
}

const std::string& Expression::text() const {
    return compiled_->text;
}

const std::vector<MeasuredValue>& Expression::measured_values() const {
    return compiled_->measured;
}

}  // namespace convscope::lessons
