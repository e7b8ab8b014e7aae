#include "visualizers/explain/math.h"

#include <algorithm>
#include <utility>

namespace convscope {
namespace {

std::string plain_group(const Math& math, bool numbers) {
    const std::string text = plain_text(math, numbers);
    const bool one = math.kind != Math::Kind::row || math.parts.size() < 2;
    return one ? text : "(" + text + ")";
}

std::string plain_script(const Math& math, bool numbers) {
    std::string text = plain_group(math.parts[0], numbers);
    const auto add = [&](const char* mark, const Math& script) {
        if (!script.empty()) text += mark + plain_group(script, numbers);
    };
    add("_", math.parts[1]);
    add("^", math.parts[2]);
    return text;
}

void add_flat(const Math& math, std::vector<Math>& parts) {
    const auto bracketed = [&](const Math& part) {
        const bool several = part.kind == Math::Kind::row && part.parts.size() > 1;
        if (several) parts.push_back(math_text("("));
        add_flat(part, parts);
        if (several) parts.push_back(math_text(")"));
    };
    switch (math.kind) {
        case Math::Kind::row:
            for (const Math& part : math.parts) add_flat(part, parts);
            break;
        case Math::Kind::fraction:
            bracketed(math.parts[0]);
            parts.push_back(math_text("/"));
            bracketed(math.parts[1]);
            break;
        case Math::Kind::fence:
            parts.push_back(math_text(math.text));
            add_flat(math.parts[0], parts);
            parts.push_back(math_text(math.close));
            break;
        case Math::Kind::script:
            if (math.parts[0].kind == Math::Kind::fence || math.parts[0].kind == Math::Kind::fraction) {
                // The scripts stand behind the last bracket.
                Math scripts = math;
                scripts.parts[0] = Math{};
                add_flat(math.parts[0], parts);
                parts.push_back(std::move(scripts));
                break;
            }
            parts.push_back(math);
            break;
        case Math::Kind::text:
        case Math::Kind::term:
            parts.push_back(math);
            break;
    }
}

}  // namespace

Math in_one_line(const Math& math, MathBreaks breaks) {
    std::vector<Math> parts;
    add_flat(math, parts);
    for (Math& part : parts)
        if (breaks == MathBreaks::at_products || (breaks == MathBreaks::at_sums && part.text != "\u00b7"))
            part.may_break = part.spaced;
    return math_row(std::move(parts));
}

Math math_row(std::vector<Math> parts) {
    Math row;
    row.parts = std::move(parts);
    return row;
}

Math math_text(std::string text) {
    Math math;
    math.kind = Math::Kind::text;
    math.text = std::move(text);
    return math;
}

Math math_sign(std::string text) {
    Math math = math_text(std::move(text));
    math.spaced = true;
    return math;
}

Math math_symbol(const std::string& name, const std::string& subscript) {
    const auto letters = [](const std::string& text) {
        Math math = math_text(text);
        math.slanted = text.size() == 1;
        return math;
    };
    if (subscript.empty()) return letters(name);
    Math math;
    math.kind = Math::Kind::script;
    math.parts = {letters(name), letters(subscript), Math{}};
    return math;
}

Math math_of_name(const std::string& name) {
    const std::size_t bar = name.find('_');
    if (bar == std::string::npos) return math_symbol(name);
    return math_symbol(name.substr(0, bar), name.substr(bar + 1));
}

Math math_fraction(Math above, Math below) {
    Math math;
    math.kind = Math::Kind::fraction;
    math.parts = {std::move(above), std::move(below)};
    return math;
}

Math math_power(Math base, std::string power) {
    Math math;
    math.kind = Math::Kind::script;
    math.parts = {std::move(base), Math{}, math_text(std::move(power))};
    return math;
}

Math math_fence(Math inside, std::string open, std::string close) {
    Math math;
    math.kind = Math::Kind::fence;
    math.text = std::move(open);
    math.close = std::move(close);
    math.parts = {std::move(inside)};
    return math;
}

Math math_term(Math symbol, Math number, int term) {
    Math math;
    math.kind = Math::Kind::term;
    math.parts = {std::move(symbol), std::move(number)};
    math.term = term;
    return math;
}

std::string plain_text(const Math& math, bool numbers) {
    switch (math.kind) {
        case Math::Kind::row: {
            std::string text;
            for (const Math& part : math.parts) {
                const std::string next = plain_text(part, numbers);
                // Factors side by side are kept apart.
                const bool apart =
                    !text.empty() && !next.empty() && text.back() != ' ' && next.front() != ' ' && text.back() != '(';
                text += (apart ? " " : "") + next;
            }
            return text;
        }
        case Math::Kind::text:
            return math.spaced ? " " + math.text + " " : math.text;
        case Math::Kind::fraction:
            return plain_group(math.parts[0], numbers) + "/" + plain_group(math.parts[1], numbers);
        case Math::Kind::script:
            return plain_script(math, numbers);
        case Math::Kind::fence:
            return math.text + plain_text(math.parts[0], numbers) + math.close;
        case Math::Kind::term:
            return plain_text(math.parts[numbers ? 1 : 0], numbers);
    }
    return {};
}

bool has_terms(const Math& math) {
    return math.kind == Math::Kind::term || std::ranges::any_of(math.parts, has_terms);
}

}  // namespace convscope
