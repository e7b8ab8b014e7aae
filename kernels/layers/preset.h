// Presets: named workloads kept as TOML under presets/, and a user's own files of the same form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/layers/workload.h"

namespace convscope {

/// The basis of a layer's sparsity.
enum class SparsityFrom {
    unsaid,    ///< not a network's layer
    image,     ///< the layer's input is an image, which has no zeros
    printed,   ///< the paper named in the source text prints it
    ramp,      ///< chosen on a ramp between what is known
    chosen,    ///< chosen where nothing is known
    measured,  ///< measured on real data, as the source text says
    dense,     ///< none: the source does not speak of zeros
};
const char* to_string(SparsityFrom);

struct Preset {
    WorkloadSpec spec;        ///< spec.name is the preset's full name, "vgg19/conv5_1"
    std::string title;        ///< "VGG-19 conv5_1"
    std::string source_text;  ///< where the figures come from, and what was chosen where the source is silent
    std::filesystem::path file;

    // For a network's layer.
    std::int64_t times = 1;  ///< how often the network has it; 0 for a variant of another layer
    SparsityFrom sparsity_from = SparsityFrom::unsaid;
};

/// The head that makes a preset file a network: its layers are the presets with times > 0, in the order of the file.
struct NetworkHead {
    std::string title;    ///< "VGG-19"
    std::string profile;  ///< where the layers' sparsities come from, one sentence or two
    bool chain = false;   ///< each layer's output is the next one's input, with nothing in between but ReLU
};

struct PresetFile {
    std::string family;
    std::optional<NetworkHead> network;
    std::vector<Preset> presets;
};

/// Reads a TOML file. Throws Error(file) with file, line and column for a syntax error, an unknown key, a wrong type
/// or a shape that cannot be.
PresetFile load_preset_file(const std::filesystem::path& file);
/// Only the presets of the file.
std::vector<Preset> load_presets(const std::filesystem::path& file);

/// The files of preset_folder(): those of worked examples, then those of real maps, then the others; each by their
/// names. No two have a preset of the same name.
const std::vector<PresetFile>& all_preset_files();
/// Every preset of these files.
const std::vector<Preset>& all_presets();

/// Throws Error(not_found) that names the nearest presets.
const Preset& find_preset(const std::string& name);

/// The names under which find_preset_or_file() finds the presets of a file: "mynet.toml/stem".
std::vector<std::string> names_in_file(const std::string& file);
/// By its name, or in a file of the user's own: "mynet.toml/stem", and "mynet.toml" alone where it holds one preset.
/// Throws as find_preset() and load_preset_file() do, and Error(usage) that names the presets of a file with several.
Preset find_preset_or_file(const std::string& name);

}  // namespace convscope
