#include "app/sweep/search_space.h"

#include <algorithm>
#include <array>
#include <set>

namespace convscope {
namespace {

/// A configuration's value on each axis. An extent that follows from something else is 0.
std::map<std::string, std::int64_t> coordinates(const LaunchConfig& launch) {
    std::map<std::string, std::int64_t> at;
    const auto add = [&](const std::string& name, const std::optional<Dim3>& dim) {
        at[name + ".x"] = dim ? dim->x : 0;
        at[name + ".y"] = dim ? dim->y : 0;
        at[name + ".z"] = dim ? dim->z : 0;
    };
    add("block", launch.block);
    add("grid", launch.grid);
    for (const auto& [name, value] : launch.tunables) at[name] = value;
    return at;
}

std::vector<Dim3> blocks_like(const Dim3& default_value, const DeviceModel& model) {
    constexpr std::int64_t warp = 32;
    const std::int64_t most = model.max_threads_per_block;
    std::vector<Dim3> blocks;
    if (default_value.y == 1 && default_value.z == 1) {
        for (std::int64_t x = warp; x <= most; x += warp) blocks.push_back({x, 1, 1});
        return blocks;
    }
    const auto powers = [](std::int64_t own, bool varies, std::int64_t limit) {
        std::set<std::int64_t> values{own};  // a standard extent may be no power of two: 7 of a map 14 wide
        for (std::int64_t value = 1; varies && value <= limit; value *= 2) values.insert(value);
        return values;
    };
    for (const std::int64_t x : powers(default_value.x, true, model.max_block.x))
        for (const std::int64_t y : powers(default_value.y, default_value.y > 1, model.max_block.y))
            for (const std::int64_t z : powers(default_value.z, default_value.z > 1, model.max_block.z))
                if (x * y * z >= warp && x * y * z <= most) blocks.push_back({x, y, z});
    return blocks;
}

}  // namespace

SearchSpace::SearchSpace(std::vector<LaunchPoint> points, std::vector<RejectedLaunch> rejected)
    : points_(std::move(points)), rejected_(std::move(rejected)) {
    std::map<std::string, std::set<std::int64_t>> values;
    for (const LaunchPoint& point : points_)
        for (const auto& [name, value] : coordinates(point.launch)) values[name].insert(value);
    std::erase_if(values, [](const auto& axis) { return axis.second.size() < 2; });
    for (const auto& [name, of_axis] : values) {
        axes_.push_back(name);
        values_.emplace_back(of_axis.begin(), of_axis.end());
    }
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const auto at = coordinates(points_[i].launch);
        std::vector<int>& place = places_.emplace_back();
        for (const auto& [name, of_axis] : values) {
            const auto own = at.find(name);
            const auto found = own == at.end() ? of_axis.begin() : of_axis.find(own->second);
            place.push_back(static_cast<int>(std::distance(of_axis.begin(), found)));
        }
        by_place_.emplace(place, i);
    }
}

std::optional<std::size_t> SearchSpace::find(const LaunchConfig& launch) const {
    for (std::size_t i = 0; i < points_.size(); ++i)
        if (points_[i].launch == launch) return i;
    return std::nullopt;
}

std::optional<std::size_t> SearchSpace::step(const std::vector<int>& from, std::size_t axis, int direction) const {
    std::vector<int> to = from;
    for (to[axis] += direction; to[axis] >= 0 && to[axis] < length(axis); to[axis] += direction)
        if (const auto found = by_place_.find(to); found != by_place_.end()) return found->second;
    return std::nullopt;
}

std::vector<std::size_t> SearchSpace::neighbours(std::size_t i) const {
    std::set<std::size_t> near;
    const std::vector<int>& from = places_[i];
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
        for (const int direction : {-1, 1})
            if (const auto found = step(from, axis, direction)) near.insert(*found);
    for (std::size_t up = 0; up < axes_.size(); ++up)
        for (std::size_t down = 0; down < axes_.size(); ++down) {
            if (up == down) continue;
            std::vector<int> to = from;
            ++to[up];
            --to[down];
            if (const auto found = by_place_.find(to); found != by_place_.end()) near.insert(found->second);
        }
    near.erase(i);
    return {near.begin(), near.end()};
}

SearchSpace listed_launch_space(const Method& method, const ConvShape& shape, const DeviceModel& model,
                                std::vector<LaunchConfig> launches) {
    std::vector<LaunchPoint> points;
    std::vector<RejectedLaunch> rejected;
    for (LaunchConfig& launch : launches) {
        const ResolvedLaunch resolved = method.resolve(shape, launch, model);
        if (!resolved.support) {
            rejected.push_back({std::move(launch), resolved.support.reason});
            continue;
        }
        LaunchPoint point{std::move(launch)};
        if (!resolved.kernels.empty()) {
            const KernelLaunch& main = resolved.kernels.at(resolved.main);
            point.blocks = static_cast<double>(main.grid.count());
            point.shared_bytes = static_cast<double>(main.shared_bytes);
            if (model.sms > 0) point.occupancy_pct = occupancy(model, main).percent;
        }
        points.push_back(std::move(point));
    }
    return SearchSpace(std::move(points), std::move(rejected));
}

SearchSpace whole_launch_space(const Method& method, const ConvShape& shape, const DeviceModel& model) {
    if (!method.supports(shape)) return SearchSpace({});
    const LaunchSpace space = method.launch_space(shape);
    std::vector<LaunchConfig> launches{{}};
    for (const Tunable& tunable : space.tunables) {
        std::vector<LaunchConfig> more;
        for (const LaunchConfig& launch : launches)
            for (const std::int64_t value : tunable.values) {
                more.push_back(launch);
                more.back().tunables[tunable.name] = value;
            }
        launches = std::move(more);
    }
    const ResolvedLaunch default_value = method.resolve(shape, {}, model);
    if (space.block_free && default_value.support && !default_value.kernels.empty()) {
        std::vector<LaunchConfig> more;
        for (const LaunchConfig& launch : launches)
            for (const Dim3& block : blocks_like(default_value.kernels.at(default_value.main).block, model)) {
                more.push_back(launch);
                more.back().block = block;
            }
        launches = std::move(more);
    }
    return listed_launch_space(method, shape, model, std::move(launches));
}

}  // namespace convscope
