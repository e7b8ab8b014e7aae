#include "app/request/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernels/core/error.h"
#include "kernels/core/text.h"

namespace convscope {
namespace {

[[noreturn]] void reject(const std::string& flag, const std::string& text, const std::string& accepted) {
    throw Error(ErrorKind::usage, fmt::format("{}: '{}' is not accepted; give {}", flag, text, accepted));
}

template <class Number>
bool read_all(const std::string& text, Number& number) {
    const char* end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end;
}

}  // namespace

std::int64_t parse_whole(const std::string& flag, const std::string& text, std::int64_t least, std::int64_t most) {
    std::int64_t number = 0;
    if (!digits_only(text) || !read_all(text, number) || number < least || number > most)
        reject(flag, text, fmt::format("a whole number from {} to {}", least, most));
    return number;
}

std::uint64_t parse_seed(const std::string& flag, const std::string& text) {
    std::uint64_t number = 0;
    if (!digits_only(text) || !read_all(text, number)) reject(flag, text, "a whole number from 0 to 2^64 - 1");
    return number;
}

double parse_real(const std::string& flag, const std::string& text, double least, double most) {
    double number = 0;
    if (!read_all(text, number) || !std::isfinite(number) || number < least || number > most)
        reject(flag, text, fmt::format("a number from {:g} to {:g}", least, most));
    return number;
}

std::vector<std::int64_t> parse_sizes(const std::string& flag, const std::string& text, std::size_t max_numbers,
                                      std::int64_t least) {
    if (max_numbers == 1) return {parse_whole(flag, text, least)};
    if (max_numbers == 4 && text == "same") return {};
    const std::vector<std::string> parts = split(text, text.find('x') == std::string::npos ? ',' : 'x');
    const bool same = std::ranges::find(parts, "same") != parts.end();
    if ((parts.size() != 1 && parts.size() != 2 && parts.size() != 4) || parts.size() > max_numbers ||
        (same && max_numbers == 4))
        reject(flag, text,
               max_numbers == 4 ? "one number, or two as height,width, or four as top,bottom,left,right, or same alone"
                                : "one number, or two as height,width");
    std::vector<std::int64_t> numbers;
    for (const std::string& part : parts) numbers.push_back(parse_whole(flag, part, least));
    return numbers;
}

Dim3 parse_dim3(const std::string& flag, const std::string& text) {
    const std::vector<std::string> parts = split(text, text.find('x') == std::string::npos ? ',' : 'x');
    if (parts.size() > 3) reject(flag, text, "up to three numbers as x,y,z");
    Dim3 dim;
    dim.x = parse_whole(flag, parts[0], 1);
    if (parts.size() > 1) dim.y = parse_whole(flag, parts[1], 1);
    if (parts.size() > 2) dim.z = parse_whole(flag, parts[2], 1);
    return dim;
}

}  // namespace convscope
