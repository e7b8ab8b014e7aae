#include "kernels/core/format_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace convscope {
namespace {

struct Unit {
    double size;
    const char* name;
};

/// The largest unit of which there is at least 'least'; the smallest otherwise. Units ascend.
template <std::size_t N>
const Unit& pick(const std::array<Unit, N>& units, double value, double least = 1) {
    for (std::size_t i = N; i-- > 1;)
        // Half a unit in the last of three digits: 999.6 us is printed as 1.00 ms.
        if (std::abs(value) * 1.0005 >= least * units[i].size) return units[i];
    return units[0];
}

std::string trimmed(std::string text) {
    if (text.find('.') == std::string::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string not_finite(double value) {
    return std::isnan(value) ? "NaN" : value > 0 ? "infinite" : "-infinite";
}

}  // namespace

std::string format_digits(double value) {
    if (!std::isfinite(value)) return not_finite(value);
    if (value == 0) return "0";
    if (std::abs(value) >= 1e9 || std::abs(value) < 1e-9) return fmt::format("{:.2e}", value);
    // Digits of the rounded number: 9.996 has two before the point.
    const int whole = static_cast<int>(std::floor(std::log10(std::abs(value) * 1.0005))) + 1;
    return fmt::format("{:.{}f}", value, std::clamp(3 - whole, 0, 12));
}

std::string format_time_us(double microseconds) {
    constexpr std::array<Unit, 4> units = {{{1e-3, "ns"}, {1, "us"}, {1e3, "ms"}, {1e6, "s"}}};
    if (!std::isfinite(microseconds)) return not_finite(microseconds);
    const Unit& unit = pick(units, microseconds);
    return format_digits(microseconds / unit.size) + " " + unit.name;
}

std::string format_bytes(double bytes) {
    constexpr std::array<Unit, 7> units = {
        {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}, {1e18, "EB"}}};
    const Unit& unit = pick(units, bytes);
    const double value = bytes / unit.size;
    const bool whole = unit.size == 1 || value >= 99.95;
    return trimmed(fmt::format("{:.{}f}", value, whole ? 0 : 1)) + " " + unit.name;
}

std::string format_flop(double flop) {
    constexpr std::array<Unit, 5> units = {
        {{1, "FLOP"}, {1e3, "kFLOP"}, {1e6, "MFLOP"}, {1e9, "GFLOP"}, {1e12, "TFLOP"}}};
    if (!std::isfinite(flop)) return not_finite(flop);
    const Unit& unit = pick(units, flop, 0.1);
    return (unit.size == 1 ? trimmed(format_digits(flop)) : format_digits(flop / unit.size)) + " " + unit.name;
}

std::string format_percent(double share) {
    const double percent = 100 * share;
    if (!std::isfinite(percent)) return not_finite(percent);
    const double distance = std::min(std::abs(percent), std::abs(100 - percent));
    const bool whole = distance == 0 || distance >= 1;
    return whole ? fmt::format("{:.0f} %", std::round(percent))
                 : fmt::format("{:.1f} %", percent);  // 12.5 is 13, as 37.5 is 38
}

std::string format_count(std::int64_t count) {
    const std::string digits = std::to_string(count);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const std::size_t left = digits.size() - i;
        if (left % 3 == 0 && i > 0 && digits[i - 1] != '-') text += ' ';
        text += digits[i];
    }
    return text;
}

std::string format_number(double value) {
    if (!std::isfinite(value)) return not_finite(value);
    if (value == std::round(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value + 0.0);
    const int whole = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return trimmed(fmt::format("{:.{}f}", value, std::clamp(6 - whole, 0, 12)));
}

std::string spaced(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
}

std::string counted(std::size_t count, const char* noun) {
    return fmt::format("{} {}{}", format_count(static_cast<std::int64_t>(count)), noun, count == 1 ? "" : "s");
}

}  // namespace convscope
