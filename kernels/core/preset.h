// Presets: named workloads kept as TOML under presets/, and a person's own files of the same form.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/core/workload.h"

namespace convscope {

struct Preset {
    WorkloadSpec spec;        ///< spec.name is the preset's full name, "vgg19/conv5_1"
    std::string title;        ///< "VGG-19 conv5_1"
    std::string source_text;  ///< where the figures come from, and what was chosen where the source is silent
    std::filesystem::path file;
};

/// The folder that holds the presets of this installation: $CONVSCOPE_PRESETS, else ../share/convscope/presets
/// beside the executable, else the source tree. Throws Error(file) naming the folders tried.
std::filesystem::path preset_folder();

/// All presets of a TOML file. Throws Error(file) with file, line and column for a syntax error, an unknown
/// key, a wrong type or a shape that cannot be.
std::vector<Preset> load_presets(const std::filesystem::path& file);

/// Every preset of preset_folder(), in the order of their families and files.
const std::vector<Preset>& all_presets();

/// Throws Error(not_found) that names the nearest presets there are.
const Preset& find_preset(const std::string& name);

}  // namespace convscope
