// What devices reach at best, as 'convscope roofline' measured it and presets/recorded/ceilings.csv keeps it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace convscope::app {

struct RecordedCeilings {
    double copy_gb_per_s = 0;  ///< memory, 10^9 bytes read and written
    double fp32_tflops = 0;
};

std::filesystem::path ceilings_file();
/// Of the device with this name; empty where the file has no such line, or is not there.
std::optional<RecordedCeilings> recorded_ceilings(const std::filesystem::path& file, const std::string& device_name);

}  // namespace convscope::app
