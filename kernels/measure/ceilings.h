// Measured ceilings of the devices of this run, each measured once.
#pragma once

#include <optional>

#include "kernels/method/device.h"
#include "kernels/records/ceiling_row.h"

namespace convscope {

/// Measures the device at the first call and keeps the result as long as the program runs. Empty where the device has
/// no meter: the simulated GPU. Throws Error when the device fails.
std::optional<Ceilings> measured_ceilings(Device&);

/// Adds the time of day and the datasheet.
CeilingRow ceiling_row(const DeviceInfo&, const Ceilings&);

}  // namespace convscope
