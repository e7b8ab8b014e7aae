// Writes files of auto-tuners: Kernel Tuner's cache (schema 1.1.0) and T4 results (schema 1.0.0), each of one tuning
// space. Both formats allow extra keys, which hold the rest of the rows, so that they read back (json_read.h).
#pragma once

#include <string>

#include "kernels/records/tuning_space.h"

namespace convscope {

/// The file that Kernel Tuner writes with cache=FILE, for its simulation mode and its dashboard. Times are
/// milliseconds.
std::string to_kernel_tuner(const TuningSpace&);

/// The results file of the auto-tuning community's T4 format, with the metadata in it. Times are milliseconds.
std::string to_t4(const TuningSpace&);

}  // namespace convscope
