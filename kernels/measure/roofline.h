// The least time that a device's peaks allow for what a record measured.
#pragma once

#include <optional>

#include "kernels/core/device_model.h"
#include "kernels/measure/record.h"

namespace convscope {

/// The datasheet of the device that a record was measured on: the model whose name is in the device's, the longest
/// where several are ("GTX 1080 Ti" has "GTX 1080" in it). Null for a device that has no model here.
const DeviceModel* model_of(const Record&);

/// Whether the record's family leaves out multiply-adds with a zero input.
bool skips_zeros(const Record&);

/// The multiply-adds that the method has to do, 2 FLOPs each: skipped ones do not count.
double flops_to_do(const Record&);

/// The datasheet's dense rate in TFLOP/s for the arithmetic that the record's dtype names; empty where it has none.
std::optional<double> peak_tflops(const DeviceModel&, const std::string& dtype);

/// Either flops_to_do at the peak rate, or x, w and y moved once at the peak bandwidth, whichever takes longer, in
/// microseconds. Empty for a device without a datasheet here.
std::optional<double> roofline_us(const Record&);

}  // namespace convscope
