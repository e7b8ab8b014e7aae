// A simulated GPU as a device: an H100's limits, the host's memory, no clock.
#pragma once

#include <memory>
#include <string>

#include "kernels/method/device.h"

namespace convscope {

/// A device on this Gpu, which methods of this kind run on.
std::unique_ptr<Device> make_sim_device(std::unique_ptr<Gpu>, std::string id = "sim", DeviceKind = DeviceKind::sim);

}  // namespace convscope
