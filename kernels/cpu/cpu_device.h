// The CPU as a device.
#pragma once

#include <memory>
#include <string>

#include "kernels/method/device.h"

namespace convscope {

/// 'vendor_version' names the baseline's library ("oneDNN 2.6.3"); empty when the build has none.
std::unique_ptr<Device> make_cpu_device(std::string vendor_version);

}  // namespace convscope
