// The shortest time that a device's peaks allow for the work of a record.
#pragma once

#include <optional>
#include <string_view>

#include "kernels/core/device_model.h"
#include "kernels/records/record.h"

namespace convscope {

/// The datasheet of the device that a record was measured on (find_device_model).
const DeviceModel* model_of(const Record&);

/// The datasheet's dense rate in TFLOP/s for an Arithmetic by its name; FP32 made of three products has a third of the
/// tensor cores' rate. Empty where the device has none, or none is known.
std::optional<double> peak_tflops(const DeviceModel&, std::string_view arithmetic);

/// Bytes that must move: x, w and y once, in FP32. A fully connected layer is mostly weights, each for one input, so a
/// method that skips inputs need not load theirs: its weights count by the share of flops_executed in the dense work,
/// in the record's own precision.
double needed_bytes(const Record&);

/// The longer of two times, in microseconds: flops_executed at the peak rate of the record's own arithmetic, and
/// needed_bytes() at the peak bandwidth. Empty where any of it is not known.
std::optional<double> roofline_us(const Record&);

/// A lower bound on the time of any run of this kind on a device with these peaks, in microseconds: flops_executed, and
/// the bytes of y, and of x where all of it is needed, beyond the last-level cache, each at 1.1 times the peak, since
/// clocks may be above the stated ones. 0 where nothing is known.
double floor_us(const Record&, const DeviceModel&);

}  // namespace convscope
