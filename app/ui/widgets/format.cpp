#include "app/ui/widgets/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "app/ui/widgets/byte_units.h"

namespace convscope::app {
namespace {

bool binary_bytes = false;

std::string with_prefix(double value, const char* unit, bool binary = false) {
    constexpr std::array decimal{"", "k", "M", "G", "T", "P"}, of_1024{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
    const auto& prefixes = binary ? of_1024 : decimal;
    std::size_t prefix = 0;
    while (std::abs(value) >= 999.5 && prefix + 1 < prefixes.size()) {
        value /= binary ? 1024 : 1000;
        ++prefix;
    }
    const bool whole = prefix == 0 && value == std::floor(value);
    return fmt::format("{} {}{}", whole ? fmt::format("{:.0f}", value) : three_digits(value), prefixes[prefix], unit);
}

}  // namespace

std::string three_digits(double value) {
    if (!std::isfinite(value)) return "-";
    const double size = std::abs(value);
    if (size == 0) return "0";
    const int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : size >= 0.09995 ? 3 : 4;
    return fmt::format("{:.{}f}", value, digits);
}

TimeUnit time_unit(double longest_us) {
    return longest_us >= 999500 ? TimeUnit{"s", 1e6} : longest_us >= 999.5 ? TimeUnit{"ms", 1e3} : TimeUnit{"us", 1};
}

std::string duration(double us) {
    const TimeUnit unit = time_unit(us);
    return fmt::format("{} {}", unit.digits(us), unit.name);
}

std::string times_as_fast(double ratio) {
    return (ratio < 9.995 ? fmt::format("{:.2f}", ratio) : three_digits(ratio)) + "x";
}

void use_binary_bytes(bool binary) {
    binary_bytes = binary;
}

std::string bytes(double count) {
    return with_prefix(count, "B", binary_bytes);
}

std::string flops(double count) {
    return with_prefix(count, "FLOP");
}

std::string sizes(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t size : shape) text += (text.empty() ? "" : " \u00d7 ") + format_count(size);
    return text;
}

}  // namespace convscope::app
