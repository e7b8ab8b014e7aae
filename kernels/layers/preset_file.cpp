// Reads one preset file (docs/presets.md).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/files/toml_table.h"
#include "kernels/formats/array_file.h"
#include "kernels/layers/preset.h"
#include "kernels/layers/shape_fields.h"

namespace convscope {
namespace {

std::string read_name(TomlTable& table, const char* key) {
    const std::string name = table.need(key);
    const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char letter) {
        return std::isalnum(letter) || std::string_view("-_.+").find(static_cast<char>(letter)) != std::string::npos;
    });
    if (name.empty() || !plain)
        table.reject(key, fmt::format("'{}' is '{}'; a name has letters, digits and any of - _ . +", key, name));
    return name;
}

/// Numbers of which there are differences have limits.
std::optional<TomlTable::Sizes> read_sizes(TomlTable& table, const ShapeKey& key) {
    if (!key.first_extra) return table.sizes(key.name, max_numbers(key));
    return table.sizes(key.name, max_numbers(key), min_of(key), std::numeric_limits<std::int32_t>::max());
}

ConvShape read_shape(TomlTable& table) {
    ConvShape shape;
    for (const ShapeKey& key : size_keys) {
        if (key.first != &ConvShape::n) table.require(key.name);
        table.read(key.name, shape.*key.first);
    }
    bool same = false;
    for (const ShapeKey& key : layer_keys)
        if (const auto numbers = read_sizes(table, key)) {
            same |= numbers->empty();
            if (!numbers->empty()) set_numbers(shape, key, *numbers);
        }
    if (table.has("pool") != table.has("pool_stride"))
        table.reject("'pool' and 'pool_stride' belong together; give both or neither");
    try {
        if (same) pad_same(shape);
        validate(shape);
    } catch (const Error& error) {
        table.reject(error.what());
    }
    return shape;
}

/// The values of a worked example, which has one map and one filter.
std::vector<float> read_values(TomlTable& table, const char* key, std::int64_t rows, std::int64_t cols) {
    table.require(key);
    TomlMatrix matrix = *table.matrix(key);
    if (matrix.rows != rows || matrix.cols != cols)
        table.reject(key,
                     fmt::format("'{}' is {}x{}; the shape takes {}x{}", key, matrix.rows, matrix.cols, rows, cols));
    return std::move(matrix.values);
}

struct ArrayFile {
    std::string path;
    std::vector<float> values;
};

/// A .npy file of this shape; the dimensions that it lacks in front are 1.
ArrayFile read_file_of(TomlTable& table, const char* key, const std::filesystem::path& folder, const NpyShape& wanted) {
    const std::filesystem::path name = table.need(key);
    if (name.is_absolute() || std::ranges::find(name, "..") != name.end())
        table.reject(key, fmt::format("'{}' is '{}'; it must be a path below the preset file's folder", key,
                                      name.generic_string()));
    ArrayFile file{(folder / name).string(), {}};
    try {
        NpyArray array = read_array(file.path);
        array.shape.insert(array.shape.begin(), 4 - array.shape.size(), 1);
        if (array.shape != wanted)
            throw Error(ErrorKind::file, fmt::format("{} has {} elements; the preset takes {}", name.generic_string(),
                                                     to_string(array.shape), to_string(wanted)));
        file.values = std::move(array.data);
    } catch (const Error& error) {
        table.reject(key, error.what());
    }
    return file;
}

/// x, and w where the preset names it, from files, which have the layer's sizes and the zeros they have.
void read_files(TomlTable& table, const std::filesystem::path& folder, WorkloadSpec& spec) {
    for (const char* drawn : {"pattern", "sparsity"})
        if (table.has(drawn))
            table.reject(drawn, fmt::format("'{}' does not go with 'input': a file has the zeros it has", drawn));
    const ConvShape& shape = spec.shape;
    const ArrayFile x = read_file_of(table, "input", folder, {shape.n, shape.c, shape.h, shape.w});
    spec.source = Source::file;
    spec.input_path = x.path;
    spec.sparsity = static_cast<double>(std::ranges::count(x.values, 0.0f)) / static_cast<double>(x.values.size());
    if (table.has("weights"))
        spec.weights_path =
            read_file_of(table, "weights", folder, {shape.k, shape.c / shape.groups, shape.r, shape.s}).path;
}

void read_data(TomlTable& table, const std::filesystem::path& folder, WorkloadSpec& spec) {
    spec.source = table.parsed("pattern", parse_source).value_or(Source::uniform);
    if (spec.source == Source::file)
        table.reject("pattern", fmt::format("a preset's pattern is {} or example; a file is given by 'input'",
                                            fmt::join(zero_pattern_names(), ", ")));
    table.read("seed", spec.seed, 0);
    if (table.has("input")) return read_files(table, folder, spec);
    if (table.has("weights")) table.reject("weights", "'weights' goes with 'input': x must come from a file as well");
    table.read("sparsity", spec.sparsity, 0.0, 1.0);
    if (spec.source != Source::example) return;

    const ConvShape& shape = spec.shape;
    if (shape.n != 1 || shape.c != 1 || shape.k != 1) table.reject("a worked example has n, c and k of 1");
    spec.example_x = read_values(table, "x_values", shape.h, shape.w);
    spec.example_w = read_values(table, "w_values", shape.r, shape.s);
    const auto zeros = std::count(spec.example_x.begin(), spec.example_x.end(), 0.0f);
    spec.sparsity = static_cast<double>(zeros) / static_cast<double>(spec.example_x.size());
}

NetworkHead read_network(TomlTable& table) {
    NetworkHead network;
    network.title = table.need("title");
    network.profile = table.need("profile");
    table.read("chain", network.chain);
    table.finish();
    return network;
}

/// Reads the keys that only presets of a network have.
void read_layer(TomlTable& table, Preset& preset) {
    std::vector<std::pair<const char*, SparsityFrom>> words;
    for (const SparsityFrom from : {SparsityFrom::image, SparsityFrom::printed, SparsityFrom::ramp,
                                    SparsityFrom::chosen, SparsityFrom::measured, SparsityFrom::dense})
        words.emplace_back(to_string(from), from);
    table.read("times", preset.times, 0);
    if (preset.times > 0) table.require("sparsity_from");
    table.read_named("sparsity_from", preset.sparsity_from, words);
}

Preset read_preset(TomlTable& table, const std::filesystem::path& folder, const std::string& family,
                   const std::string& family_text, bool in_network) {
    Preset preset;
    preset.spec.name = family + "/" + read_name(table, "name");
    preset.title = table.text("title").value_or(preset.spec.name);
    table.read("source_text", preset.source_text);
    if (!family_text.empty())
        preset.source_text = family_text + (preset.source_text.empty() ? "" : " ") + preset.source_text;
    preset.spec.shape = read_shape(table);
    read_data(table, folder, preset.spec);
    if (in_network) read_layer(table, preset);
    table.finish();
    return preset;
}

}  // namespace

const char* to_string(SparsityFrom from) {
    constexpr const char* words[] = {"unsaid", "image", "printed", "ramp", "chosen", "measured", "dense"};
    return words[static_cast<int>(from)];
}

PresetFile load_preset_file(const std::filesystem::path& file) {
    const toml::table root = parse_toml(read_text_file(file), file.string());
    TomlTable top(root, "preset file", {.file = file.string(), .plain_text = true});
    PresetFile loaded;
    loaded.family = read_name(top, "family");
    const std::string family_text = top.text("source_text").value_or("");
    if (auto network = top.table("network")) loaded.network = read_network(*network);
    std::vector<TomlTable> tables = top.need_tables("preset");
    top.finish();

    std::set<std::string> names;
    for (TomlTable& table : tables) {
        Preset preset = read_preset(table, file.parent_path(), loaded.family, family_text, loaded.network.has_value());
        if (!names.insert(preset.spec.name).second)
            table.reject("name", fmt::format("there are two presets named '{}'", preset.spec.name));
        preset.file = file;
        loaded.presets.push_back(std::move(preset));
    }
    const bool layers = std::any_of(loaded.presets.begin(), loaded.presets.end(),
                                    [](const Preset& preset) { return preset.times > 0; });
    if (!layers) top.reject("network", "this network has no layer: every preset has 'times = 0'");
    return loaded;
}

std::vector<Preset> load_presets(const std::filesystem::path& file) {
    return load_preset_file(file).presets;
}

}  // namespace convscope
