// Measured ceilings of the devices of this run, each measured once.
#pragma once

#include <optional>

#include "kernels/core/device.h"
#include "kernels/records/ceiling_row.h"

namespace convscope {

/// Of this device, measured at the first call and kept as long as the program runs. Empty where the device has no
/// meter: the simulated GPU. Throws Error when the device fails.
std::optional<Ceilings> measured_ceilings(Device&);

/// With the time of day and the datasheet.
CeilingRow ceiling_row(const DeviceInfo&, const Ceilings&);

}  // namespace convscope
