#include "kernels/simt/kernel_sources.h"

#include <algorithm>
#include <cctype>

namespace convscope::simt {
namespace {

bool in_identifier(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// The last identifier of a text.
std::string last_identifier(std::string_view text) {
    while (!text.empty() && !in_identifier(text.back())) text.remove_suffix(1);
    std::size_t begin = text.size();
    while (begin > 0 && in_identifier(text[begin - 1])) --begin;
    return std::string(text.substr(begin));
}

std::string_view without_blanks_behind(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
}

/// Whether what stands before a name makes it a kernel: KERNEL, and perhaps LAUNCH_BOUNDS(...) behind it, in whatever
/// lines the formatter left them.
bool ends_in_kernel(std::string_view before) {
    before = without_blanks_behind(before);
    if (const std::size_t bounds = before.rfind("LAUNCH_BOUNDS("); bounds != std::string_view::npos)
        if (before.back() == ')' && before.find(';', bounds) == std::string_view::npos)
            before = without_blanks_behind(before.substr(0, bounds));
    return before.ends_with("KERNEL");
}

/// Where the kernel's name stands in the text of a source, or npos.
std::size_t find_kernel(std::string_view text, std::string_view kernel) {
    std::string name(kernel);
    name += '(';
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
        if (at > 0 && !in_identifier(text[at - 1]) && ends_in_kernel(text.substr(0, at))) return at;
    return std::string_view::npos;
}

const KernelSource* find(const std::source_location& at) {
    const std::string_view file = at.file_name();
    for (const KernelSource& source : kernel_sources())
        if (file.ends_with(source.path)) return &source;
    return nullptr;
}

}  // namespace

std::string source_path(const std::source_location& at) {
    if (const KernelSource* source = find(at)) return source->path;
    const std::string_view file = at.file_name();
    return std::string(file.substr(file.find_last_of('/') + 1));
}

std::string_view source_line(const std::source_location& at) {
    const KernelSource* source = find(at);
    if (!source) return {};
    std::string_view rest = source->text;
    for (unsigned line = 1; line < at.line(); ++line) {
        const std::size_t end = rest.find('\n');
        if (end == std::string_view::npos) return {};
        rest.remove_prefix(end + 1);
    }
    std::string_view line = rest.substr(0, rest.find('\n'));
    const std::size_t begin = line.find_first_not_of(' ');
    return begin == std::string_view::npos ? std::string_view{} : line.substr(begin);
}

std::string declared_name(const std::source_location& at) {
    const std::string_view line = source_line(at);
    const std::size_t equals = line.find('=');
    return equals == std::string_view::npos ? std::string{} : last_identifier(line.substr(0, equals));
}

KernelPlace place_of_kernel(std::string_view kernel) {
    for (const KernelSource& source : kernel_sources()) {
        const std::string_view text = source.text;
        const std::size_t found = find_kernel(text, kernel);
        if (found == std::string_view::npos) continue;
        const std::string_view before = text.substr(0, found);
        return {&source, static_cast<unsigned>(1 + std::count(before.begin(), before.end(), '\n'))};
    }
    return {};
}

std::string_view source_of_method(std::string_view id) {
    for (const KernelSource& source : kernel_sources()) {
        std::string_view name = source.path;
        name.remove_prefix(name.rfind('/') + 1);
        if (name.starts_with(id) && name.substr(id.size()).starts_with("_kernel")) return source.text;
    }
    return {};
}

std::vector<std::string> parameter_names(std::string_view kernel) {
    const KernelPlace place = place_of_kernel(kernel);
    if (!place.source) return {};
    const std::string_view text = place.source->text;
    std::string_view rest = text.substr(find_kernel(text, kernel) + kernel.size() + 1);
    rest = rest.substr(0, rest.find(')'));
    std::vector<std::string> names;
    for (std::size_t comma = 0; comma != std::string_view::npos;) {
        comma = rest.find(',');
        names.push_back(last_identifier(rest.substr(0, comma)));
        if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
    }
    return names;
}

}  // namespace convscope::simt
