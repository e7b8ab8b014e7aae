#include "app/request/request.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/request/numbers.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/measure/baseline.h"
#include "kernels/method/former_names.h"

namespace convscope {
namespace {

constexpr double max_seconds = 86400;

bool knows(const LaunchSpace& space, const std::string& tunable) {
    return std::any_of(space.tunables.begin(), space.tunables.end(),
                       [&](const Tunable& known) { return known.name == tunable; });
}

[[noreturn]] void reject_part(const std::string& part) {
    throw Error(ErrorKind::usage, fmt::format("{}: none of the chosen methods lets it be set", part));
}

void require_all_taken(const LaunchConfig& requested, const LaunchConfig& taken, const FlagValues& flags) {
    if (requested.block && !taken.block) reject_part(flags.label("--block"));
    if (requested.grid && !taken.grid) reject_part(flags.label("--grid"));
    for (const auto& [name, value] : requested.tunables)
        if (!taken.tunables.contains(name)) reject_part(flags.label("--set") + " " + name);
}

}  // namespace

MeasureOptions read_timing(const FlagValues& flags) {
    MeasureOptions options;
    constexpr int most = 1000000;
    if (flags.has("--scope")) options.scope = parse_scope(flags.get("--scope"));
    if (flags.has("--cache")) options.cache = parse_cache(flags.get("--cache"));
    if (flags.has("--min-samples"))
        options.min_samples = static_cast<int>(parse_whole("--min-samples", flags.get("--min-samples"), 1, most));
    options.max_samples = std::max(options.max_samples, options.min_samples);
    if (flags.has("--max-samples"))
        options.max_samples = static_cast<int>(parse_whole("--max-samples", flags.get("--max-samples"), 1, most));
    if (options.max_samples < options.min_samples)
        throw Error(ErrorKind::usage, fmt::format("--max-samples is {}, below --min-samples ({})", options.max_samples,
                                                  options.min_samples));
    if (flags.has("--max-noise"))
        options.max_noise_pct = parse_real("--max-noise", flags.get("--max-noise"), 0.001, 100);
    if (flags.has("--timeout")) options.timeout_s = parse_real("--timeout", flags.get("--timeout"), 0.001, max_seconds);
    if (flags.has("--runs")) options.runs = static_cast<int>(parse_whole("--runs", flags.get("--runs"), 1, most));
    if (options.runs > 1 && options.runs < min_runs)
        throw Error(ErrorKind::usage, fmt::format("--runs is {}; give 1, or {} and more: fewer have no 95 % interval",
                                                  options.runs, min_runs));
    return options;
}

MeasureOptions read_timing(const FlagValues& flags, const Device& device) {
    if (flags.has("--runs")) require_clock(device, "--runs says how often times are taken");
    for (const char* flag : {"--scope", "--cache"})
        if (flags.has(flag)) require_clock(device, fmt::format("{} says what is timed", flag));
    return read_timing(flags);
}

LaunchConfig read_launch(const FlagValues& flags) {
    LaunchConfig launch;
    if (flags.has("--block")) launch.block = parse_dim3("--block", flags.get("--block"));
    if (flags.has("--grid")) launch.grid = parse_dim3("--grid", flags.get("--grid"));
    for (const std::string& setting : flags.all("--set")) {
        const std::size_t sign = setting.find('=');
        if (sign == std::string::npos || sign == 0)
            throw Error(ErrorKind::usage, fmt::format("--set: '{}' is not accepted; give NAME=VALUE", setting));
        const std::string name(current_tunable(setting.substr(0, sign)));
        if (launch.tunables.contains(name))
            throw Error(ErrorKind::usage, fmt::format("--set {} is given twice; give it once", name));
        launch.tunables[name] = parse_whole("--set " + name, setting.substr(sign + 1), 0);
    }
    return launch;
}

Device& read_device(const Registry& registry, const FlagValues& flags) {
    if (flags.has("--device")) return registry.device(flags.get("--device"));
    const DeviceInfo* gpu = registry.usable_device(DeviceKind::cuda);
    return registry.device(gpu ? gpu->id : "cpu");
}

void require_clock(const Device& device, const std::string& what) {
    if (device.info().kind != DeviceKind::sim) return;
    throw Error(ErrorKind::usage,
                fmt::format("{}, and {} has no clock; give --device cpu or a GPU", what, device.info().id));
}

const Method& read_method(const Registry& registry, const Device& device, const std::string& id) {
    const DeviceKind kind = device.info().kind;
    const Method* method = registry.find(id, kind);
    if (!method) method = registry.newest(id, kind);
    return method ? *method : registry.get(id, kind);  // says which there are
}

std::vector<const Method*> read_methods(const Registry& registry, const Device& device,
                                        const std::optional<std::string>& list) {
    const DeviceKind kind = device.info().kind;
    if (list && list->find_first_not_of(", ") == std::string::npos)
        throw Error(ErrorKind::usage, "--methods names none; give ids from 'convscope list methods', or all");
    if (list == "all") return registry.methods(kind);
    const std::vector<std::string> ids = list ? split(*list, ',') : default_methods(registry, kind);
    std::vector<const Method*> methods;
    for (const std::string& id : ids) {
        const Method* method = &read_method(registry, device, id);
        if (std::find(methods.begin(), methods.end(), method) != methods.end())
            throw Error(ErrorKind::usage,
                        fmt::format("--methods: '{}' is named twice; name it once", method->info().id));
        methods.push_back(method);
    }
    return methods;
}

Candidate take_settable(const Method& method, const ConvShape& shape, const LaunchConfig& requested) {
    const LaunchSpace space = method.supports(shape) ? method.launch_space(shape) : LaunchSpace{};
    Candidate candidate{method.info().id, {}};
    if (space.block_free) candidate.launch.block = requested.block;
    if (space.grid_free) candidate.launch.grid = requested.grid;
    for (const auto& [name, value] : requested.tunables)
        if (knows(space, name)) candidate.launch.tunables[name] = value;
    return candidate;
}

std::vector<Candidate> make_candidates(const std::vector<const Method*>& methods, const ConvShape& shape,
                                       const LaunchConfig& requested, const FlagValues& flags) {
    if (methods.size() == 1) return {{methods[0]->info().id, requested}};
    require_settable(methods, shape, requested, flags);
    std::vector<Candidate> candidates;
    for (const Method* method : methods) candidates.push_back(take_settable(*method, shape, requested));
    return candidates;
}

void require_settable(const std::vector<const Method*>& methods, const ConvShape& shape, const LaunchConfig& requested,
                      const FlagValues& flags) {
    LaunchConfig taken;
    for (const Method* method : methods) {
        const LaunchConfig own = take_settable(*method, shape, requested).launch;
        if (own.block) taken.block = own.block;
        if (own.grid) taken.grid = own.grid;
        taken.tunables.insert(own.tunables.begin(), own.tunables.end());
    }
    require_all_taken(requested, taken, flags);
}

}  // namespace convscope
