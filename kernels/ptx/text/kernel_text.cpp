#include "kernels/ptx/text/kernel_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/ptx/text/source_constants.h"

namespace convscope::ptx {
namespace {

constexpr std::string_view comment_start = "// convscope:";

/// The parts between commas outside of all brackets, those of templates too.
std::vector<std::string> parts_of(std::string_view text) {
    std::vector<std::string> parts;
    for (const std::string& part : split_list(text, "()[]{}<>"))
        if (std::string plain = trimmed(part); !plain.empty()) parts.push_back(std::move(plain));
    return parts;
}

ParameterText read_parameter(std::string text) {
    text = text.substr(0, text.find('='));
    for (const char* word : {"__restrict__", "__restrict", "__grid_constant__", "volatile", "struct"})
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word))
            std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), std::string_view(word).size(), ' ');
    ParameterText parameter;
    const std::size_t bracket = text.find('[');
    parameter.pointer = text.find('*') != std::string::npos || bracket != std::string::npos;
    text = trimmed(text.substr(0, bracket));
    std::size_t name = text.size();
    while (name > 0 && is_word_letter(text[name - 1])) --name;
    parameter.name = text.substr(name);
    std::string type = text.substr(0, name);
    std::replace(type.begin(), type.end(), '*', ' ');
    std::replace(type.begin(), type.end(), '&', ' ');
    std::istringstream words(type);
    for (std::string word; words >> word;) {
        if (word == "const") {
            parameter.constant = true;
            continue;
        }
        if (!parameter.type.empty()) parameter.type += ' ';
        parameter.type += word;
    }
    return parameter;
}

/// In the place of a name that the text gives to a type, "typedef float* array;" or "using real = float;", that type.
void resolve_names(const std::string& text, ParameterText& parameter) {
    constexpr int max_names = 8;  // that stand for one another
    for (int i = 0; i < max_names && !parameter.type.empty() &&
                    std::all_of(parameter.type.begin(), parameter.type.end(), is_word_letter);
         ++i) {
        const std::regex given(R"(\btypedef\s+([^;{}(),]+[\s*]))" + parameter.type + R"(\s*;|\busing\s+)" +
                               parameter.type + R"(\s*=\s*([^;{}()]+);)");
        std::smatch found;
        if (!std::regex_search(text, found, given)) return;
        const ParameterText type = read_parameter(found[1].str() + found[2].str() + " " + parameter.name);
        // The 'const' before a name for a pointer is the pointer's.
        parameter.constant = type.constant || (parameter.constant && !type.pointer);
        parameter.pointer |= type.pointer;
        parameter.type = type.type;
    }
}

/// The place behind the bracket that closes the one at 'open'.
std::size_t close_of(const std::string& text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')' && --depth == 0) return i + 1;
    }
    return text.size();
}

/// Where the name stands before its parameters: as a whole word, before brackets with a body or a ';' behind them.
std::size_t find_function(const std::string& text, const std::string& kernel, std::size_t from = 0) {
    for (std::size_t at = text.find(kernel, from); at != std::string::npos; at = text.find(kernel, at + 1)) {
        const std::size_t open = text.find_first_not_of(" \t\r\n", at + kernel.size());
        if ((at > 0 && is_word_letter(text[at - 1])) || open == std::string::npos || text[open] != '(') continue;
        const std::size_t behind = text.find_first_not_of(" \t\r\n", close_of(text, open));
        if (behind != std::string::npos && (text[behind] == '{' || text[behind] == ';')) return at;
    }
    return std::string::npos;
}

/// The number of the line, from 1.
unsigned line_at(const std::string& text, std::size_t at) {
    return static_cast<unsigned>(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// Where a body closes, also one that stands on one line; what closes a type, a list of values or a template does not.
bool closes_body(const std::string& text, std::size_t at) {
    if (text[at] != '}') return false;
    const std::size_t behind = text.find_first_not_of(" \t\r\n", at + 1);
    return behind == std::string::npos || std::string_view(";,>)").find(text[behind]) == std::string_view::npos;
}

/// "p.w[3]": a parameter, or what is inside of it.
bool is_argument_name(const std::string& key) {
    return !key.empty() &&
           std::ranges::all_of(key, [](char c) { return is_word_letter(c) || c == '.' || c == '[' || c == ']'; });
}

void read_calls(const std::string& source, std::size_t from, std::size_t to, const std::string& name,
                KernelText& kernel) {
    for (std::size_t at = source.find(comment_start, from); at < to; at = source.find(comment_start, at + 1)) {
        const std::size_t begin = at + comment_start.size(), end = std::min(source.find('\n', at), source.size());
        const auto line = std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
        std::set<std::string> given;  // by this line; a later one, nearer to the kernel, counts
        for (const std::string& part : parts_of(std::string_view(source).substr(begin, end - begin))) {
            const std::size_t equals = part.find('=');
            const std::string key = trimmed(std::string_view(part).substr(0, equals));
            std::string value = equals == std::string::npos ? "" : trimmed(std::string_view(part).substr(equals + 1));
            if (!is_argument_name(key) || value.empty())
                throw Error(ErrorKind::usage,
                            fmt::format("{}:{}: '{}' does not read; accepted is 'NAME = EXPRESSION', as in 'grid = "
                                        "(ceil(q/16), p, n*k)'",
                                        name, line, part));
            if (value.front() == '(' && close_of(value, 0) == value.size()) value = value.substr(1, value.size() - 2);
            kernel.call[key] = parts_of(value);
            if (!given.insert(key).second)
                throw Error(ErrorKind::usage, fmt::format("{}:{}: {} is given twice; give it once", name, line, key));
        }
    }
}

/// "float" of 's' in "extern __shared__ __align__(16) float s[];", whose 'space' is "__shared__". No type: pointers, a
/// name of several, or one number where arrays alone are looked for.
std::map<std::string, std::string> types_in(const std::string& text, std::string_view space, bool arrays_alone,
                                            std::set<std::string>* unset = nullptr) {
    std::map<std::string, std::string> types;
    for (std::size_t at = text.find(space); at != std::string::npos; at = text.find(space, at + 1)) {
        std::string declared = text.substr(at + space.size(), text.find(';', at) - at - space.size());
        for (const char* word : {"__align__", "alignas"})
            if (const std::size_t found = declared.find(word); found != std::string::npos)
                declared.erase(found, close_of(declared, found) - found);
        for (const std::string_view word : {"__constant__", "__device__", "static"})
            if (const std::size_t found = declared.find(word); found != std::string::npos)
                declared.erase(found, word.size());
        if (declared.substr(0, declared.find('=')).find('(') != std::string::npos) continue;  // a function
        const std::size_t statement = text.find_last_of(";{}", at);
        const std::string_view words = std::string_view(text).substr(statement == std::string::npos ? 0 : statement);
        const bool elsewhere = words.substr(0, words.find(space)).find("extern") != std::string_view::npos;
        std::string type;
        for (const std::string& part : parts_of(declared)) {
            const ParameterText variable = read_parameter(part);
            if (unset && !elsewhere && part.find_first_of("={") == std::string::npos) unset->insert(variable.name);
            if (type.empty()) type = variable.type;
            const bool array = part.find('[') != std::string::npos || !arrays_alone;
            const std::string element = array && part.find('*') == std::string::npos ? type : "";
            const auto [known, added] = types.emplace(variable.name, element);
            if (!added && known->second != element) known->second.clear();
        }
    }
    return types;
}

}  // namespace

std::optional<KernelText> read_kernel_text(const std::string& source, const std::string& file, const std::string& name,
                                           const std::string& expanded, unsigned wanted_line) {
    const std::string text = without_comments(source), declared = expanded.empty() ? text : without_comments(expanded);
    std::size_t found = find_function(declared, name);
    if (found == std::string::npos) return std::nullopt;
    for (std::size_t next = found; next != std::string::npos && line_at(declared, next) <= wanted_line;
         next = find_function(declared, name, next + 1))
        found = next;
    KernelText kernel;
    kernel.name = name;
    kernel.line = line_at(declared, found);
    const std::size_t open = declared.find('(', found), end = close_of(declared, open);
    for (const std::string& part : parts_of(std::string_view(declared).substr(open + 1, end - open - 2)))
        if (part != "void") resolve_names(declared, kernel.parameters.emplace_back(read_parameter(part)));
    kernel.constants = whole_constants(source);
    kernel.shared = types_in(text, "__shared__", true);
    kernel.variables = types_in(text, "__constant__", false, &kernel.unset);
    kernel.variables.merge(types_in(text, "__device__", false, &kernel.unset));
    std::size_t at = 0;  // where the kernel's line begins
    for (unsigned line = kernel.line; line > 1; --line) at = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::size_t first = 0;  // behind the first body
    while (first < at && !closes_body(text, first)) ++first;
    std::size_t before = std::min(at, text.size());
    while (before > 0 && !closes_body(text, before - 1)) --before;
    read_calls(source, before, at, file, kernel);
    if (kernel.call.empty()) read_calls(source, 0, first, file, kernel);
    return kernel;
}

std::vector<std::string> kernel_names(const std::string& source) {
    constexpr std::string_view kernel = "__global__";
    const std::string text = without_comments(source);
    std::vector<std::string> names;
    for (std::size_t at = text.find(kernel); at != std::string::npos; at = text.find(kernel, at + kernel.size())) {
        // The name stands before the first parenthesis that is not an attribute's, as __launch_bounds__(256) is.
        std::size_t open = text.find('(', at);
        for (;;) {
            if (open == std::string::npos) return names;
            if (text.find_first_of("#;{}", at) < open) break;  // a macro's word, not a kernel's
            std::size_t end = open;
            while (end > at && std::isspace(static_cast<unsigned char>(text[end - 1]))) --end;
            std::size_t begin = end;
            while (begin > at && is_word_letter(text[begin - 1])) --begin;
            std::string name = text.substr(begin, end - begin);
            if (!name.starts_with("__")) {
                if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
                break;
            }
            const std::size_t close = text.find(')', open);
            open = close == std::string::npos ? close : text.find('(', close);
        }
    }
    return names;
}

}  // namespace convscope::ptx
