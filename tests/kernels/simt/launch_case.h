// A launch configuration, and what the simulated GPU's method makes of it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kernels/core/error.h"
#include "tests/support/registries.h"

namespace convscope::testing {

struct LaunchCase {
    const char* id;
    ConvShape shape;
    LaunchConfig config;
    const char* reason;  ///< part of the sentence that rejects it; "" when it is accepted
};

/// resolve() rejects an impossible launch with the reason, and so does instantiate().
inline void expect_resolved_as_said(const LaunchCase& launch) {
    Registry& registry = simulated_registry();
    const Method& method = registry.get(launch.id, DeviceKind::sim);
    const ResolvedLaunch resolved = method.resolve(launch.shape, launch.config, default_device_model());
    const std::string reason = launch.reason;
    EXPECT_EQ(resolved.support.ok, reason.empty()) << launch.id << ": " << reason << resolved.support.reason;
    EXPECT_NE(resolved.support.reason.find(reason), std::string::npos) << resolved.support.reason;
    if (reason.empty()) return;
    EXPECT_THROW(method.instantiate(launch.shape, launch.config, registry.device("sim")), Error);
}

}  // namespace convscope::testing
