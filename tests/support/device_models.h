// The GPUs that planners are tried on.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "kernels/core/device_model.h"

namespace convscope::testing {

inline const DeviceModel& model_of(std::string_view name) {
    for (const DeviceModel& each : device_models())
        if (each.name == name) return each;
    throw std::logic_error("no model " + std::string(name));
}

inline const DeviceModel& h100() {
    return model_of("H100");
}

}  // namespace convscope::testing
