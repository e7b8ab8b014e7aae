// Numbers as the window prints them, where that is not as the command line does (kernels/core/format_units.h, which has
// the rest): never below a microsecond, and in the units of bytes that a user chose.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/format_units.h"

namespace convscope::app {

/// Three significant digits without an exponent: "4.21", "0.139", "1750".
std::string three_digits(double value);
/// A unit of time; several times that stand side by side have that of the longest.
struct TimeUnit {
    const char* name;
    double us;  ///< in one of it
    /// "4.21"
    std::string digits(double microseconds) const { return three_digits(microseconds / us); }
};
TimeUnit time_unit(double longest_us);
/// "4.21 us", "1.30 ms", "2.05 s", from microseconds.
std::string duration(double microseconds);
/// "1.34x", "28.4x": how many times as fast.
std::string times_as_fast(double ratio);
/// "512 B", "9.40 MB": 10^3 steps, as GB is 10^9 bytes here.
std::string bytes(double count);
/// "512 x 9": the sizes of an array.
std::string sizes(const std::vector<std::int64_t>& shape);
/// "925 MFLOP", "324 FLOP".
std::string flops(double count);

}  // namespace convscope::app
