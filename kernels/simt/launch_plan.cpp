#include "kernels/simt/launch_plan.h"

#include <stdexcept>

namespace convscope {

std::int64_t tunable(const LaunchSpace& space, const LaunchConfig& config, const std::string& name) {
    if (const auto asked = config.tunables.find(name); asked != config.tunables.end()) return asked->second;
    for (const Tunable& candidate : space.tunables)
        if (candidate.name == name) return candidate.standard;
    throw std::logic_error("no tunable " + name);
}

std::int64_t asked_tunable(const LaunchConfig& config, const std::string& name) {
    const auto asked = config.tunables.find(name);
    return asked == config.tunables.end() ? 0 : asked->second;
}

}  // namespace convscope
