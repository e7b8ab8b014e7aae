// A sweep before it runs: flags with ranges and lists in them, the axes that those are, and every point as it will be
// measured.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/request/axes.h"
#include "app/request/request.h"
#include "app/sweep/shard.h"
#include "app/sweep/user_source.h"
#include "kernels/measure/isolated/point_measurer.h"

namespace convscope {

struct SweepPoint {
    PointRequest request;
    std::vector<std::size_t> place;  ///< which value of each of the plan's axes
    std::string impossible;          ///< why the shape cannot be, a sentence; empty where it can
    UserVariant own;                 ///< of the request's own kernel, which is compiled when its turn comes
};

class SweepPlan {
public:
    /// Reads every flag of every point, so that a mistake in the last one costs nothing. A shape that cannot be is a
    /// point with its reason. Points that come to the same measurement are one, and a method that does not take what
    /// differs between two points is at the first of them alone; the vendor's, which ratios are to, are at each. Of the
    /// points that are left the shard takes its part. 'own' is what --own names. Throws Error naming the flag.
    SweepPlan(const Registry&, FlagValues, const Shard& = {}, const UserSource* own = nullptr);

    const FlagValues& flags() const { return flags_; }
    const std::vector<Axis>& axes() const { return axes_; }
    const std::vector<SweepPoint>& points() const { return points_; }
    const Shard& shard() const { return shard_; }
    std::size_t repeated() const { return repeated_; }  ///< points that were there already
    /// Methods that are not at each point, since they take less than what differs.
    const std::set<std::string>& measured_once() const { return measured_once_; }

private:
    SweepPoint read_point(const Registry&, const FlagValues&, const UserSource*) const;

    FlagValues flags_;
    std::vector<Axis> axes_;
    Shard shard_;
    std::vector<SweepPoint> points_;
    std::size_t repeated_ = 0;
    std::set<std::string> measured_once_;
};

/// The command that runs this again, for a shell: "convscope sweep --preset 'mec/*' --n 1,32 --methods mec2".
std::string command_line(const std::string& command, const FlagValues&);

}  // namespace convscope
