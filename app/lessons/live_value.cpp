#include "app/lessons/live_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/format_units.h"

namespace convscope::lessons {
namespace {

bool is_whole(double value) {
    return std::abs(value) < 9e15 && value == std::floor(value);
}

std::string shortest(double value) {
    return is_whole(value) ? format_count(static_cast<std::int64_t>(value)) : format_digits(value);
}

}  // namespace

const char* accepted_formats() {
    return "percent, us, bytes, flop, x, count, or digits as in .0f and .2f";
}

bool is_format(const std::string& format) {
    for (const char* name : {"", "percent", "us", "bytes", "flop", "x", "count"})
        if (format == name) return true;
    // One or two digits: any width and precision that fmt knows would make a text of gigabytes.
    const std::size_t digits = format.size() - 2;
    return format.size() >= 3 && format.size() <= 4 && format.front() == '.' && format.back() == 'f' &&
           std::ranges::all_of(format.substr(1, digits), [](char c) { return c >= '0' && c <= '9'; });
}

std::string in_format(double value, const std::string& format) {
    if (format.empty()) return shortest(value);
    if (format == "percent") return format_percent(value);
    if (format == "us") return format_time_us(value);
    if (format == "bytes") return is_whole(value) ? format_bytes(static_cast<std::int64_t>(value)) : shortest(value);
    if (format == "flop") return format_flop(value);
    if (format == "x") return format_digits(value) + "x";
    if (format == "count") return format_count(std::llround(value));
    return fmt::format(fmt::runtime("{:" + format + "}"), value);
}

}  // namespace convscope::lessons
