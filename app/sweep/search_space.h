// The space of a search: the launch configurations of one method on one layer, as points on ordered axes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/request/request.h"
#include "kernels/method/method.h"

namespace convscope {

/// A launch configuration and what is known of it before it runs.
struct LaunchPoint {
    LaunchConfig launch;
    // Predictions for the main kernel; 0 where nothing is known.
    double occupancy_pct = 0, blocks = 0, shared_bytes = 0;
};

struct RejectedLaunch {
    LaunchConfig launch;
    std::string reason;  ///< a sentence
};

/// The points that can run, on axes made of the values that they have: block.x, block.y, block.z, grid.*, and the
/// tunables; an axis with one value is none. Places along an axis are in ascending order of its values.
class SearchSpace {
public:
    explicit SearchSpace(std::vector<LaunchPoint>, std::vector<RejectedLaunch> rejected = {});

    std::size_t size() const { return points_.size(); }
    const LaunchPoint& point(std::size_t i) const { return points_[i]; }
    const std::vector<RejectedLaunch>& rejected() const { return rejected_; }
    const std::vector<std::string>& axes() const { return axes_; }
    const std::vector<int>& place(std::size_t i) const { return places_[i]; }
    double value(std::size_t i, std::size_t axis) const { return static_cast<double>(values_[axis][places_[i][axis]]); }
    int length(std::size_t axis) const { return static_cast<int>(values_[axis].size()); }
    std::optional<std::size_t> find(const LaunchConfig&) const;

    /// The points one step away: along each axis the nearest one in both directions, and those that trade a step up on
    /// one axis for a step down on another, as threads move between the extents of a block.
    std::vector<std::size_t> neighbours(std::size_t i) const;

private:
    std::optional<std::size_t> step(const std::vector<int>& from, std::size_t axis, int direction) const;

    std::vector<LaunchPoint> points_;
    std::vector<RejectedLaunch> rejected_;
    std::vector<std::string> axes_;
    std::vector<std::vector<std::int64_t>> values_;  // of each axis, ascending
    std::vector<std::vector<int>> places_;
    std::map<std::vector<int>, std::size_t> by_place_;
};

/// Every configuration that a method may take for this shape on this device: each allowed value of its tunables, and
/// of its blocks whole warps from 32 to 1024 threads where they have one extent, powers of two along each extent where
/// its default block has several. The grid stays the method's own. What cannot be is in rejected().
SearchSpace whole_launch_space(const Method&, const ConvShape&, const DeviceModel&);

/// The configurations given, as a user listed them.
SearchSpace listed_launch_space(const Method&, const ConvShape&, const DeviceModel&, std::vector<LaunchConfig>);

}  // namespace convscope
