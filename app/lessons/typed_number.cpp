// A number as people type it.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/lessons/player.h"

namespace convscope::lessons {
namespace {

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

std::optional<double> plain_number(const std::string& text) {
    if (text.empty()) return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

/// Takes out what stands between thousands; a comma before anything but three digits, and behind nothing or 0, is a
/// decimal one.
std::string without_groups(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ' || text[i] == '\'' || text[i] == '_') continue;
        if (text[i] != ',') {
            plain += text[i];
            continue;
        }
        const std::size_t digits = static_cast<std::size_t>(
            std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(i) + 1, text.end(), is_digit) - text.begin() -
            static_cast<std::ptrdiff_t>(i) - 1);
        const bool leads = plain.empty() || plain == "-" || plain == "0" || plain == "-0";
        if (digits != 3 || leads) plain += '.';
    }
    return plain;
}

}  // namespace

std::optional<double> typed_number(const std::string& typed, const std::string& unit) {
    std::string text = without_groups(typed);
    std::string suffix = without_groups(unit);
    if (!suffix.empty() && text.ends_with(suffix)) text.resize(text.size() - suffix.size());
    if (text.ends_with('%')) text.pop_back();
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) return plain_number(text);
    const auto over = plain_number(text.substr(0, slash)), under = plain_number(text.substr(slash + 1));
    if (!over || !under || *under == 0) return std::nullopt;
    return *over / *under;
}

}  // namespace convscope::lessons
