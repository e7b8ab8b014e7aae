#include "kernels/records/read_progress.h"

#include <fmt/format.h>

namespace convscope {
namespace {

constexpr double min_seconds = 0.5;  ///< until a guess is any good
constexpr double long_seconds = 3;   ///< are worth a word

double seconds_left(double share, double seconds) {
    return seconds * (1 - share) / share;
}

}  // namespace

std::string describe_progress(double share, double seconds) {
    const std::string percent = fmt::format("{:.0f} %", 100 * share);
    return share > 0 && seconds >= min_seconds
               ? fmt::format("{}, about {:.0f} s left", percent, seconds_left(share, seconds))
               : percent;
}

std::string ReadingTime::announcement(double share, double seconds) {
    if (announced_ || share <= 0 || seconds < min_seconds || seconds_left(share, seconds) < long_seconds) return {};
    announced_ = true;
    return fmt::format("reading {} takes about {:.0f} s", file_, seconds / share);
}

}  // namespace convscope
