// Random launch configurations, for the methods that let a user set one.
#pragma once

#include "kernels/method/method.h"
#include "tests/support/random_shapes.h"

namespace convscope::testing {

/// A block and a grid of odd sizes, and any allowed value of each tunable. Method::resolve() rejects many; those that
/// it accepts must give the right result.
LaunchConfig random_config(Random&, const Method&, const ConvShape&);

}  // namespace convscope::testing
