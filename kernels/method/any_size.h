// Plans of shapes that would take too long to simulate whole: for showing launches, and for running chosen blocks.
#pragma once

#include "kernels/method/method.h"

namespace convscope {

/// A method whose supports() and resolve() reject what would take too long to simulate derives from this as well.
class PlansAnySize {
public:
    virtual ~PlansAnySize() = default;
    virtual Support supports_any_size(const ConvShape&) const = 0;
    virtual ResolvedLaunch resolve_any_size(const ConvShape&, const LaunchConfig&, const DeviceModel&) const = 0;
};

/// supports() and resolve() of a method that has no such limit.
Support supports_any_size(const Method&, const ConvShape&);
ResolvedLaunch resolve_any_size(const Method&, const ConvShape&, const LaunchConfig&, const DeviceModel&);

}  // namespace convscope
