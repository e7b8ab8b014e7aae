// Measured ceilings of devices as rows of a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/core/ceilings.h"

namespace convscope {

/// Ceilings with the device and the time that they were measured at.
struct CeilingRow {
    std::string device, device_name;
    std::string timestamp_utc;
    Ceilings measured;
    std::optional<Ceilings> datasheet;  ///< of the model whose name is in the device's; its copy rate is the peak
};

/// A header, "device,device_name,timestamp_utc,copy_gb_per_s,fp32_tflops,datasheet_gb_per_s,datasheet_fp32_tflops,
/// processor_busy", and a line for each row, as RFC 4180 has it.
std::string ceilings_csv(const std::vector<CeilingRow>&);
std::string ceilings_json(const std::vector<CeilingRow>&);

}  // namespace convscope
