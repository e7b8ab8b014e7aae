// A kernel of a user's own that needs no compiler.
#pragma once

#include <string>

#include "app/sweep/user_source.h"

namespace convscope::testing {

/// Plans blocks as wide as its TILE; one of 16 does not compile.
class ToldSource final : public UserSource {
public:
    UserLaunch planned(const DeviceInfo&, const UserVariant& variant) const override {
        const std::int64_t tile = std::stoll(variant.defines.at(0).substr(5));
        return {"own/conv", {{"TILE", tile}}, "", "", {}, variant.block.value_or(Dim3{}), 0, {}};
    }
    UserLaunch made(const WorkloadSpec&, const DeviceInfo& device, const UserVariant& variant) override {
        ++compilations;
        UserLaunch launch = planned(device, variant);
        const std::int64_t tile = launch.tunables.front().second;
        launch.block = variant.block.value_or(Dim3{tile, 1, 1});
        if (tile == 16) launch.rejected = "it does not compile: no";
        return launch;
    }
    int compilations = 0;
};

}  // namespace convscope::testing
