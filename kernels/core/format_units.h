// Formats numbers for readers: three significant digits and a unit, never in scientific notation. Used by the tables on
// stdout and by every label of the app; CSV and JSON keep full precision.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace convscope {

std::string format_time_us(double microseconds);  ///< "850 ns", "4.21 us", "1.20 ms", "2.50 s"
std::string format_bytes(double bytes);           ///< "512 B", "9.4 MB", "1.2 GB"; 10^3 steps
std::string format_bytes(std::integral auto bytes) {
    return format_bytes(static_cast<double>(bytes));
}
std::string format_flop(double flop);                      ///< "162 FLOP", "0.139 GFLOP", "29.6 GFLOP"
std::string format_percent(double share);                  ///< 0.625 gives "63 %"; small shares keep a digit: "0.4 %"
std::string format_count(std::int64_t count);              ///< thousands apart: "50 176"
std::string counted(std::size_t count, const char* noun);  ///< "1 layer", "16 layers", "26 504 samples"
std::string spaced(std::string name);                      ///< "not_supported" gives "not supported"
/// Three significant digits: "0.139", "29.6", "164"; larger numbers whole; "1.25e+09" from 1e9 on and below 1e-9.
std::string format_digits(double value);
/// A data value in the shortest form that is exact to about six digits: "23", "0.5", "-1.25".
std::string format_number(double value);

}  // namespace convscope
