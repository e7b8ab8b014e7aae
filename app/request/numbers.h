// Strict reading of values: the whole text is the value, or the error names the flag and what is accepted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/launch.h"

namespace convscope {

/// Digits only: no sign, no exponent, no blanks. Throws Error(usage).
std::int64_t parse_whole(const std::string& flag, const std::string& text, std::int64_t least,
                         std::int64_t most = 2147483647);
/// All of an unsigned 64-bit number, for seeds.
std::uint64_t parse_seed(const std::string& flag, const std::string& text);
/// A decimal number within [least, most]; "0.85", ".85" and "1e-3" are read, "nan" and "inf" are not.
double parse_real(const std::string& flag, const std::string& text, double least, double most);
/// "2", which stands for both directions; where the flag takes two numbers, also "2,1" or "2x1": height, then width;
/// where it takes four, also "0,1,0,1" or "0x1x0x1": top, bottom, left, right, and "same", for which the list is empty.
std::vector<std::int64_t> parse_sizes(const std::string& flag, const std::string& text, std::size_t max_numbers,
                                      std::int64_t least);
/// "x,y,z" or "xXyXz" with 'x'; missing extents are 1.
Dim3 parse_dim3(const std::string& flag, const std::string& text);

}  // namespace convscope
