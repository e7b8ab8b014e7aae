#include "kernels/ptx/toolchain/expanded_source.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace convscope::ptx {
namespace {

/// A preprocessor's "# 12 "FILE" 1"; clang's and nvcc's '#line 12 "FILE"', too.
bool read_marker(std::string_view text, std::size_t& line, std::string& file) {
    for (const std::string_view start : {"#line ", "# "}) {
        if (!text.starts_with(start)) continue;
        const char* const end = text.data() + text.size();
        const auto [behind, error] = std::from_chars(text.data() + start.size(), end, line);
        const std::size_t open = text.find('"'), close = text.rfind('"');
        if (error != std::errc() || open == close) return false;
        file = text.substr(open + 1, close - open - 1);
        return true;
    }
    return false;
}

}  // namespace

std::string expanded_source(const std::string& preprocessed, const SourceNames& names) {
    constexpr std::size_t max_lines = 1'000'000;
    std::vector<std::string> own;
    const auto put = [&own](std::size_t line, const std::string& text) {
        if (line == 0 || line > max_lines) return;
        own.resize(std::max(own.size(), line));
        own[line - 1] += text + ' ';
    };
    std::size_t line = 0;
    std::string file, included;
    std::istringstream lines(preprocessed);
    for (std::string text; std::getline(lines, text);) {
        if (read_marker(text, line, file)) {
            // Back from a header, behind the line that includes it.
            if (file == names.whole && !included.empty()) put(line - 1, std::exchange(included, {}));
        } else if (file == names.whole) {
            put(line++, text);
        } else if (file.starts_with(names.link + "/")) {
            included += text + ' ';
        }
    }
    std::string all;
    for (const std::string& each : own) all += each + '\n';
    return all;
}

}  // namespace convscope::ptx
