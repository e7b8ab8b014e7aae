// What devices reach at best, as 'convscope roofline' measured it and presets/recorded/ceilings.csv keeps it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "kernels/core/ceilings.h"

namespace convscope::app {

std::filesystem::path ceilings_file();
/// Of the device with this name; empty where the file has no such line, or is not there.
std::optional<Ceilings> recorded_ceilings(const std::filesystem::path& file, const std::string& device_name);

}  // namespace convscope::app
