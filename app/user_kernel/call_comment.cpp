#include "app/user_kernel/call_comment.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "kernels/core/text.h"

namespace convscope::app {
namespace {

bool is_call(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin != std::string::npos && line.compare(begin, 13, "// convscope:") == 0;
}

}  // namespace

std::string call_comment(const KernelArguments& arguments) {
    std::string list;
    for (const ArgumentState& state : arguments.states) {
        if (state.text.empty() || (state.origin != Origin::given && state.origin != Origin::comment)) continue;
        const bool several = state.name == "grid" || state.name == "block" || state.name == "cluster" ||
                             split_list(state.text).size() > 1;
        list += (list.empty() ? " " : ", ") + state.name + " = " + (several ? "(" + state.text + ")" : state.text);
    }
    return "// convscope:" + list;
}

std::string with_call_comment(const std::string& source, unsigned line, const std::string& comment) {
    std::vector<std::string> lines;
    std::istringstream all(source);
    for (std::string each; std::getline(all, each);) lines.push_back(each);
    auto at = std::min<std::size_t>(line > 0 ? line - 1 : 0, lines.size());
    // Above what belongs to the function: template<...>, __global__, its attributes.
    const auto belongs = [](const std::string& text) {
        const std::size_t begin = text.find_first_not_of(" \t");
        return begin != std::string::npos && text[begin] != '#' && text[begin] != '}' && text[begin] != '/' &&
               text.find(';') == std::string::npos;
    };
    while (at > 0 && belongs(lines[at - 1])) --at;
    while (at > 0 && is_call(lines[at - 1])) lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(--at));
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), comment);
    std::string text;
    for (const std::string& each : lines) text += each + '\n';
    return text;
}

}  // namespace convscope::app
