#include "app/lessons/let.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "app/lessons/names.h"

namespace convscope::lessons {
namespace {

/// 'within' are the names that are being replaced.
std::string expand(const std::string& text, const Lets& lets, std::vector<std::string>& within) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        if (text[i] == '"') {
            end = std::min(text.find('"', end), text.size() - 1) + 1;
            out += text.substr(i, end - i);
        } else if (in_name(text[i])) {
            while (end < text.size() && in_name(text[end])) ++end;
            const std::string name = text.substr(i, end - i);
            const auto found = lets.find(name);
            if (found == lets.end() || std::ranges::find(within, name) != within.end()) {
                out += name;
            } else {
                within.push_back(name);
                out += '(' + expand(found->second, lets, within) + ')';
                within.pop_back();
            }
        } else {
            out += text[i];
        }
        i = end;
    }
    return out;
}

}  // namespace

std::string with_lets(const std::string& expression, const Lets& lets) {
    std::vector<std::string> within;
    return expand(expression, lets, within);
}

}  // namespace convscope::lessons
