#include "kernels/core/host_memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"

namespace convscope {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// A figure of /proc/meminfo in bytes.
std::int64_t meminfo_bytes(const std::string& field) {
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    std::int64_t amount = 0;
    while (file >> name >> amount) {
        std::getline(file, unit);
        if (name == field + ":") return amount * 1024;
    }
    return no_limit;
}

/// The limit of the control group that a container runs in. "max", or no such file, means none.
std::int64_t control_group_limit() {
    std::int64_t bytes = 0;
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> bytes && bytes > 0) return bytes;
    return no_limit;
}

/// Memory that the control group may still take. Its page cache counts as free, as in MemAvailable.
std::int64_t control_group_available() {
    const std::int64_t limit = control_group_limit();
    std::int64_t used = 0;
    if (limit == no_limit || !(std::ifstream("/sys/fs/cgroup/memory.current") >> used)) return limit;
    std::ifstream statistics("/sys/fs/cgroup/memory.stat");
    std::string name;
    for (std::int64_t bytes = 0; statistics >> name >> bytes;)
        if (name == "inactive_file") used -= bytes;
    return std::max<std::int64_t>(0, limit - used);
}

/// "32768K" or "48M", as sysfs prints cache sizes.
std::int64_t parse_cache_size(const std::filesystem::path& path) {
    std::int64_t size = 0;
    char unit = 0;
    std::ifstream file(path);
    if (!(file >> size)) return 0;
    file >> unit;
    return size * (unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1);
}

/// The limit of the process's memory by 'ulimit -v'.
std::int64_t process_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur > static_cast<rlim_t>(no_limit)) return no_limit;
    return static_cast<std::int64_t>(limit.rlim_cur);
}

}  // namespace

std::int64_t host_memory_bytes() {
    return std::min({meminfo_bytes("MemTotal"), control_group_limit(), process_limit()});
}

std::int64_t available_host_memory_bytes() {
    return std::min({meminfo_bytes("MemAvailable"), control_group_available(), host_memory_bytes()});
}

void require_host_memory(double bytes, const std::string& what) {
    // To ask what is free takes longer than to use so little.
    if (bytes < 1 << 20) return;
    const auto available = static_cast<double>(available_host_memory_bytes());
    if (bytes > available)
        throw OutOfMemory(fmt::format("{} needs {} of the host's memory, and {} is free", what, format_bytes(bytes),
                                      format_bytes(available)));
}

std::int64_t last_level_cache_bytes() {
    // sysconf knows x86; sysfs knows the rest. The largest cache of the first core is its last level.
    std::int64_t largest = std::max<std::int64_t>(0, sysconf(_SC_LEVEL3_CACHE_SIZE));
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/sys/devices/system/cpu/cpu0/cache", none))
        largest = std::max(largest, parse_cache_size(entry.path() / "size"));
    return largest;
}

}  // namespace convscope
