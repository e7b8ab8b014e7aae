#include "kernels/simt/simulated_time.h"

#include <fmt/format.h>

namespace convscope::simt {

std::string describe_seconds(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} seconds", seconds);
    if (seconds < 90 * 60) return fmt::format("{:.0f} minutes", seconds / 60);
    if (seconds < 48 * 3600) return fmt::format("{:.0f} hours", seconds / 3600);
    return fmt::format("{:.0f} days", seconds / 86400);
}

}  // namespace convscope::simt
