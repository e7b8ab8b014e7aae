// What two rows must have in common to be measurements of the same thing.
#pragma once

#include <string>

#include "kernels/measure/record.h"

namespace convscope {

/// Equal for two rows of the same method, shape, data, launch configuration, scope and cache mode on the same kind of
/// device (cpu, cuda, sim), whichever device that was. measurement_key (measure.h) has the device, too.
std::string point_key(const Record&);

/// "cuda" of "cuda:0".
std::string device_kind(const Record&);

}  // namespace convscope
