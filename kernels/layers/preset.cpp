// How a preset is found by its name.
#include "kernels/layers/preset.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernels/core/error.h"
#include "kernels/core/nearest_names.h"
#include "kernels/files/preset_folder.h"

namespace convscope {
namespace {

/// Worked examples stand first, then layers with maps that a network made, then those whose values are drawn.
int distance_from_start(const PresetFile& file) {
    const auto all = [&](Source source) {
        return std::ranges::all_of(file.presets, [&](const Preset& preset) { return preset.spec.source == source; });
    };
    return all(Source::example) ? 0 : all(Source::file) ? 1 : 2;
}

std::vector<PresetFile> load_all() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(preset_folder()))
        if (entry.path().extension() == ".toml") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<PresetFile> files;
    std::set<std::string> names;
    for (const auto& path : paths) {
        files.push_back(load_preset_file(path));
        for (const Preset& preset : files.back().presets)
            if (!names.insert(preset.spec.name).second)
                throw Error(ErrorKind::file, fmt::format("{}: another file has a preset named '{}' too", path.string(),
                                                         preset.spec.name));
    }
    std::ranges::stable_sort(files, {}, distance_from_start);
    return files;
}

std::vector<Preset> join_all() {
    std::vector<Preset> presets;
    for (const PresetFile& file : all_preset_files())
        presets.insert(presets.end(), file.presets.begin(), file.presets.end());
    return presets;
}

}  // namespace

const std::vector<PresetFile>& all_preset_files() {
    static const std::vector<PresetFile> files = load_all();
    return files;
}

const std::vector<Preset>& all_presets() {
    static const std::vector<Preset> presets = join_all();
    return presets;
}

const Preset& find_preset(const std::string& name) {
    std::vector<std::string> names;
    for (const Preset& preset : all_presets()) {
        if (preset.spec.name == name) return preset;
        names.push_back(preset.spec.name);
    }
    for (const PresetFile& file : all_preset_files())
        if (file.network && file.family == name)
            throw Error(ErrorKind::not_found,
                        fmt::format("'{}' is a network: convscope network --preset {}; its layers are {}, ...", name,
                                    name, file.presets.front().spec.name));
    const std::vector<std::string> nearest = nearest_names(name, names);
    throw Error(ErrorKind::not_found, nearest.empty()
                                          ? fmt::format("no preset '{}'; 'convscope list presets' names them all", name)
                                          : fmt::format("no preset '{}'; {}", name, describe_nearest(nearest)));
}

namespace {

constexpr std::string_view file_ending = ".toml";

std::string name_in_family(const Preset& preset) {
    return preset.spec.name.substr(preset.spec.name.find('/') + 1);
}

}  // namespace

std::vector<std::string> names_in_file(const std::string& file) {
    std::vector<std::string> names;
    for (const Preset& preset : load_presets(file)) names.push_back(file + "/" + name_in_family(preset));
    return names;
}

Preset find_preset_or_file(const std::string& name) {
    const std::size_t ending = name.rfind(file_ending);
    if (ending == std::string::npos) return find_preset(name);
    const std::size_t end = ending + file_ending.size();
    if (end < name.size() && name[end] != '/') return find_preset(name);
    const std::string file = name.substr(0, end), wanted = name.substr(std::min(name.size(), end + 1));
    const std::vector<Preset> presets = load_presets(file);
    for (const Preset& preset : presets)
        if (name_in_family(preset) == wanted || (wanted.empty() && presets.size() == 1)) return preset;
    std::string there;
    for (const std::string& each : names_in_file(file)) there += (there.empty() ? "" : ", ") + each;
    const std::string problem = wanted.empty() ? fmt::format("'{}' holds several presets", file)
                                               : fmt::format("'{}' has no preset '{}'", file, wanted);
    throw Error(wanted.empty() ? ErrorKind::usage : ErrorKind::not_found, problem + "; give one of " + there);
}

}  // namespace convscope
