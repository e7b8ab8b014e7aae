#include "app/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <unordered_set>

#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/layers/shape_fields.h"

namespace convscope {
namespace {

std::string why_impossible(const WorkloadSpec& spec) {
    try {
        validate(spec);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string launch_key(const LaunchConfig& launch) {
    std::string key;
    if (launch.block) key += fmt::format("b{}", to_string(*launch.block));
    if (launch.grid) key += fmt::format("g{}", to_string(*launch.grid));
    for (const auto& [name, value] : launch.tunables) key += fmt::format(";{}={}", name, value);
    return key;
}

/// Equal for two points that measure under the same conditions, however their flags were written; 'measurement_key' for
/// two candidates that come to the same measurement.
std::string conditions_key(const PointRequest& request) {
    const WorkloadSpec& spec = request.spec;
    const MeasureOptions& o = request.options;
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", spec.name, key_of(spec.shape),
                       to_string(spec.source), spec.sparsity, to_string(spec.weight_pattern), spec.weight_sparsity,
                       spec.seed, request.device, to_string(o.scope), to_string(o.cache), o.min_samples, o.max_samples,
                       o.max_noise_pct, o.timeout_s, o.runs, spec.input_path + spec.weights_path);
}

std::string measurement_key(const std::string& conditions, const Candidate& candidate) {
    return conditions + "|" + candidate.method + launch_key(candidate.launch);
}

/// A kernel of one's own is compared with the vendor's best where nothing else is said, and may be alone.
std::vector<const Method*> read_compared(const Registry& registry, const Device& device, const FlagValues& flags,
                                         bool own) {
    const std::optional<std::string> list = flags.get_if("--methods");
    if (own && list == "none") return {};
    if (!own || list) return read_methods(registry, device, list);
    const Method* vendor = registry.vendor_best(device.info().kind);
    return vendor ? std::vector{vendor} : std::vector<const Method*>{};
}

/// The index of the i-th combination on each axis: the last axis varies fastest.
std::vector<std::size_t> place_of(std::size_t i, const std::vector<Axis>& axes) {
    std::vector<std::size_t> place(axes.size());
    for (std::size_t axis = axes.size(); axis-- > 0; i /= axes[axis].values.size())
        place[axis] = i % axes[axis].values.size();
    return place;
}

}  // namespace

SweepPlan::SweepPlan(const Registry& registry, FlagValues flags, const Shard& shard, const UserSource* own)
    : flags_(std::move(flags)), axes_(find_axes(flags_)), shard_(shard) {
    std::unordered_set<std::string> seen, measured;
    constexpr std::size_t max_user_kernel_points = 2000;  // what was compiled for each is kept
    const std::vector<FlagValues> combinations =
        own ? span_points(flags_, axes_, max_user_kernel_points) : span_points(flags_, axes_);
    for (std::size_t i = 0; i < combinations.size(); ++i) {
        SweepPoint point = read_point(registry, combinations[i], own);
        const std::string conditions = conditions_key(point.request);
        std::string key = conditions;
        for (const Candidate& each : point.request.candidates) key = measurement_key(key, each);
        if (!seen.insert(std::move(key)).second) {
            ++repeated_;
            continue;
        }
        std::erase_if(point.request.candidates, [&](const Candidate& each) {
            if (measured.insert(measurement_key(conditions, each)).second) return false;
            // Ratios need the vendor's methods at each point, and a kernel of one's own all that it is compared with.
            const Method* method = registry.find(each.method, registry.device(point.request.device).info().kind);
            if (own || !method || method->info().vendor) return false;
            measured_once_.insert(each.method);
            return true;
        });
        point.place = place_of(i, axes_);
        points_.push_back(std::move(point));
    }
    points_ = shard.take_from(std::move(points_));
}

SweepPoint SweepPlan::read_point(const Registry& registry, const FlagValues& flags, const UserSource* own) const {
    SweepPoint point;
    PointRequest& request = point.request;
    request.spec = read_workload(flags);
    point.impossible = why_impossible(request.spec);
    const Device& device = read_device(registry, flags);
    request.device = device.info().id;
    request.options = read_timing(flags, device);
    const auto methods = read_compared(registry, device, flags, own != nullptr);
    const LaunchConfig launch = read_launch(flags);
    if (own) {
        point.own = {flags.all("--define"), launch.block, launch.grid};
        request.own = {own->planned(device.info(), point.own)};
        const UserLaunch& named = request.own.front();
        request.candidates = {{named.id, {launch.block, launch.grid, {named.tunables.begin(), named.tunables.end()}}}};
    }
    if (!point.impossible.empty()) {
        for (const Method* method : methods)
            request.candidates.push_back({method->info().id, own ? LaunchConfig{} : launch});
    } else if (own) {
        require_settable(methods, request.spec.shape, {{}, {}, launch.tunables}, flags);
        for (const Method* method : methods)
            request.candidates.push_back(take_settable(*method, request.spec.shape, launch));
    } else {
        request.candidates = make_candidates(methods, request.spec.shape, launch, flags);
    }
    return point;
}

std::string command_line(const std::string& command, const FlagValues& flags) {
    std::string text = "convscope " + command;
    std::set<std::string_view> written;  // --input is of a layer and of a model
    for (const auto& list : {workload_flags(), model_flags(), data_file_flags(), method_flags(), launch_flags(),
                             user_flags(), timing_flags()})
        for (const Flag& flag : list) {
            if (!written.insert(flag.name).second) continue;
            for (const std::string& value : flags.all(flag.name))
                text += fmt::format(" {} {}", flag.name, shell_word(value));
        }
    return text;
}

}  // namespace convscope
