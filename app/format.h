// Numbers as people read them: sensible digits, SI prefixes, units.
#pragma once

#include <cstdint>
#include <string>

namespace convscope::app {

/// Three significant digits without an exponent: "4.21", "0.139", "1750".
std::string three_digits(double value);
/// "4.21 us", "1.30 ms", "2.05 s", from microseconds.
std::string duration(double microseconds);
/// "512 B", "9.40 MB": 10^3 steps, as GB is 10^9 bytes here.
std::string bytes(double count);
/// "0.925 GFLOP", "324 FLOP".
std::string flops(double count);
/// "1 234 567": groups of three.
std::string grouped(std::int64_t count);
/// "63 %", "0.4 %".
std::string percent(double share);

}  // namespace convscope::app
