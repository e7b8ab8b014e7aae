// Measured ceilings of the devices of this run, each measured once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/core/ceilings.h"
#include "kernels/core/device.h"

namespace convscope {

/// Of this device, measured at the first call and kept as long as the program runs. Empty where the device has no
/// meter: the simulated GPU. Throws Error when the device fails.
std::optional<Ceilings> measured_ceilings(Device&);

/// A line of ceilings with where it comes from.
struct CeilingRow {
    std::string device, device_name;
    std::string timestamp_utc;
    Ceilings measured;
    std::optional<Ceilings> datasheet;  ///< of the model whose name is in the device's; its copy rate is the peak
};

CeilingRow ceiling_row(const DeviceInfo&, const Ceilings&);

/// "device,device_name,timestamp_utc,copy_gb_per_s,fp32_tflops,datasheet_gb_per_s,datasheet_fp32_tflops" and a line
/// for each row, as RFC 4180 has it.
std::string ceilings_csv(const std::vector<CeilingRow>&);
std::string ceilings_json(const std::vector<CeilingRow>&);

}  // namespace convscope
