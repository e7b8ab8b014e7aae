#include "visualizers/step/code_places.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "visualizers/explain/code_text.h"

namespace convscope {
namespace {

constexpr int max_calls = 3;  ///< from the kernel down to the traced line

bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// "element_or_zero" of 'DEVICE float element_or_zero(Global<const float> x, ...'.
std::string declared_function(std::string_view line) {
    const std::size_t open = line.find('(');
    if (open == std::string_view::npos) return {};
    std::size_t begin = open;
    while (begin > 0 && in_word(line[begin - 1])) --begin;
    return std::string(line.substr(begin, open - begin));
}

/// Whether the line calls a function of this name, and does not declare it.
bool calls(std::string_view line, std::string_view function) {
    if (line.find("DEVICE ") != std::string_view::npos) return false;
    if (const std::size_t comment = line.find("//"); comment != std::string_view::npos) line = line.substr(0, comment);
    for (std::size_t at = line.find(function); at != std::string_view::npos; at = line.find(function, at + 1)) {
        const std::size_t end = at + function.size();
        const bool begins = at == 0 || !in_word(line[at - 1]);
        if (begins && end < line.size() && (line[end] == '(' || line[end] == '<')) return true;
    }
    return false;
}

/// The first line, from 1, at which a text calls the function, from the line 'from' on; 0 where none does.
unsigned first_call(std::string_view text, std::string_view function, unsigned from) {
    const std::vector<std::string_view> lines = lines_of(text);
    for (unsigned line = from; line <= lines.size(); ++line)
        if (calls(lines[line - 1], function)) return line;
    return 0;
}

unsigned call_in_kernel(const simt::KernelPlace& kernel, const std::string& function, int depth) {
    if (function.empty() || depth == max_calls) return 0;
    if (const unsigned line = first_call(kernel.source->text, function, kernel.line)) return line;
    for (const simt::KernelSource& other : simt::kernel_sources()) {
        const unsigned line = first_call(other.text, function, 1);
        if (line == 0) continue;
        const std::string caller = enclosing_function(other.text, line);
        if (const unsigned found = call_in_kernel(kernel, caller, depth + 1)) return found;
    }
    return 0;
}

}  // namespace

std::string enclosing_function(std::string_view text, unsigned line) {
    const std::vector<std::string_view> lines = lines_of(text);
    for (std::size_t at = std::min<std::size_t>(line, lines.size()); at-- > 0;) {
        if (lines[at].starts_with("}")) return {};
        if (lines[at].find("DEVICE ") != std::string_view::npos || lines[at].find("KERNEL ") != std::string_view::npos)
            return declared_function(lines[at]);
    }
    return {};
}

CodePlace find_code(std::string_view kernel, const std::source_location& at) {
    const simt::KernelPlace head = simt::place_of_kernel(kernel);
    const std::string path = simt::source_path(at);
    if (head.source && path == head.source->path) return {at.line(), nullptr, 0};
    CodePlace place;
    for (const simt::KernelSource& source : simt::kernel_sources())
        if (path == source.path) place = {0, &source, at.line()};
    if (head.source && place.helper)
        place.kernel_line = call_in_kernel(head, enclosing_function(place.helper->text, place.helper_line), 0);
    return place;
}

}  // namespace convscope
