#include "app/lessons/let.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "app/lessons/names.h"

namespace convscope::lessons {
namespace {

/// Appends the text to 'out'; stops once that is too long. 'within' are the names that are being replaced.
void expand(const std::string& text, const Lets& lets, std::vector<std::string>& within, std::string& out) {
    for (std::size_t i = 0; i < text.size() && out.size() <= max_expression;) {
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
                out += '(';
                expand(found->second, lets, within, out);
                out += ')';
                within.pop_back();
            }
        } else {
            out += text[i];
        }
        i = end;
    }
}

}  // namespace

std::optional<std::string> with_lets(const std::string& expression, const Lets& lets) {
    std::vector<std::string> within;
    std::string out;
    expand(expression, lets, within, out);
    return out.size() <= max_expression ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace convscope::lessons
