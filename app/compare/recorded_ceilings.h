// The peak rates of devices, measured by 'convscope roofline' and kept in presets/recorded/ceilings.csv.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "kernels/core/ceilings.h"

namespace convscope::app {

std::filesystem::path ceilings_file();
/// The ceilings of the device with this name; empty where the file or its line is missing.
std::optional<Ceilings> recorded_ceilings(const std::filesystem::path& file, const std::string& device_name);

}  // namespace convscope::app
