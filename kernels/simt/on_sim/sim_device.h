// A simulated GPU as a device: an H100's limits, the host's memory, no clock.
#pragma once

#include <memory>

#include "kernels/core/device.h"

namespace convscope {

/// The device "sim" on this Gpu.
std::unique_ptr<Device> make_sim_device(std::unique_ptr<Gpu>);

}  // namespace convscope
