#include "app/session/step_choice.h"

#include <charconv>

namespace convscope::app {

std::string to_string(const CodeLine& at) {
    return at.file + ":" + std::to_string(at.line);
}

std::optional<CodeLine> parse_code_line(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || colon == 0) return std::nullopt;
    CodeLine at{text.substr(0, colon), 0};
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data() + colon + 1, end, at.line);
    if (problem != std::errc() || stop != end || at.line == 0) return std::nullopt;
    return at;
}

}  // namespace convscope::app
