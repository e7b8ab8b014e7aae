#include "kernels/simt/launch_plan.h"

#include <stdexcept>

namespace convscope {

Tunable planned_tunable(const char* name, const std::string& meaning, const std::vector<std::int64_t>& values) {
    Tunable tunable{name, meaning + "; 0: as planned", {0}, 0};
    tunable.values.insert(tunable.values.end(), values.begin(), values.end());
    return tunable;
}

std::int64_t tunable(const LaunchSpace& space, const LaunchConfig& config, const std::string& name) {
    if (const auto requested = config.tunables.find(name); requested != config.tunables.end()) return requested->second;
    for (const Tunable& candidate : space.tunables)
        if (candidate.name == name) return candidate.default_value;
    throw std::logic_error("no tunable " + name);
}

std::int64_t requested_tunable(const LaunchConfig& config, const std::string& name) {
    const auto requested = config.tunables.find(name);
    return requested == config.tunables.end() ? 0 : requested->second;
}

}  // namespace convscope
