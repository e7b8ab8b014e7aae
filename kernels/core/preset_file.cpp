// Reads one preset file (docs/presets.md).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/preset.h"
#include "kernels/core/shape_fields.h"
#include "kernels/core/toml_table.h"

namespace convscope {
namespace {

std::string read_name(TomlTable& table, const char* key) {
    const std::string name = table.text(key);
    const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char letter) {
        return std::isalnum(letter) || std::string_view("-_.+").find(static_cast<char>(letter)) != std::string::npos;
    });
    if (name.empty() || !plain)
        table.reject_key(key, fmt::format("'{}' is '{}'; a name has letters, digits and any of - _ . +", key, name));
    return name;
}

ConvShape read_shape(TomlTable& table) {
    ConvShape shape;
    for (const ShapeKey& key : size_keys)
        shape.*key.first = key.first == &ConvShape::n ? table.integer(key.name, 1) : table.integer(key.name);
    for (const ShapeKey& key : layer_keys) {
        const std::int64_t standard = shape.*key.first;
        if (key.second)
            std::tie(shape.*key.first, shape.*key.second) = table.pair(key.name, standard);
        else
            shape.*key.first = table.integer(key.name, standard);
    }
    if (table.has("pool") != table.has("pool_stride"))
        table.reject("'pool' and 'pool_stride' belong together; give both or neither");
    try {
        validate(shape);
    } catch (const Error& error) {
        table.reject(error.what());
    }
    return shape;
}

/// The values of a worked example, which has one map and one filter.
std::vector<float> read_values(TomlTable& table, const char* key, std::int64_t rows, std::int64_t cols) {
    TomlMatrix matrix = table.matrix(key);
    if (matrix.rows != rows || matrix.cols != cols)
        table.reject_key(
            key, fmt::format("'{}' is {}x{}; the shape takes {}x{}", key, matrix.rows, matrix.cols, rows, cols));
    return std::move(matrix.values);
}

void read_data(TomlTable& table, const std::filesystem::path& folder, WorkloadSpec& spec) {
    if (table.has("input") && table.has("pattern"))
        table.reject("'input' is a file with the zeros it has, 'pattern' draws them; give one");
    try {
        spec.source = parse_source(table.text("pattern", "uniform"));
    } catch (const Error& error) {
        table.reject_key("pattern", error.what());
    }
    if (spec.source == Source::file)
        table.reject_key("pattern",
                         "a preset's pattern is uniform, blobs, channels or example; a file is given by 'input'");
    if (table.has("input")) {
        spec.source = Source::file;
        spec.input_path = (folder / table.text("input")).string();
    }
    spec.sparsity = table.number("sparsity", 0.0);
    if (!(spec.sparsity >= 0.0 && spec.sparsity <= 1.0))
        table.reject_key("sparsity", fmt::format("'sparsity' is {}; it must be between 0 and 1", spec.sparsity));
    const std::int64_t seed = table.integer("seed", 1);
    if (seed < 0) table.reject_key("seed", fmt::format("'seed' is {}; it must be at least 0", seed));
    spec.seed = static_cast<std::uint64_t>(seed);
    if (spec.source != Source::example) return;

    const ConvShape& shape = spec.shape;
    if (shape.n != 1 || shape.c != 1 || shape.k != 1) table.reject("a worked example has n, c and k of 1");
    spec.example_x = read_values(table, "x_values", shape.h, shape.w);
    spec.example_w = read_values(table, "w_values", shape.r, shape.s);
    const auto zeros = std::count(spec.example_x.begin(), spec.example_x.end(), 0.0f);
    spec.sparsity = static_cast<double>(zeros) / static_cast<double>(spec.example_x.size());
}

NetworkHead read_network(const toml::table& node, const std::filesystem::path& file) {
    TomlTable table(node, file, "network");
    NetworkHead network;
    network.title = table.text("title");
    network.profile = table.text("profile");
    network.chain = table.flag("chain", false);
    table.finish();
    return network;
}

SparsityFrom read_sparsity_from(TomlTable& table) {
    const std::string word = table.text("sparsity_from");
    for (SparsityFrom from :
         {SparsityFrom::image, SparsityFrom::printed, SparsityFrom::ramp, SparsityFrom::measured, SparsityFrom::dense})
        if (word == to_string(from)) return from;
    table.reject_key("sparsity_from",
                     fmt::format("'sparsity_from' is '{}'; it must be image, printed, ramp, measured or dense", word));
}

/// What only the presets of a network have.
void read_layer(TomlTable& table, Preset& preset) {
    preset.times = table.integer("times", 1);
    if (preset.times < 0) table.reject_key("times", fmt::format("'times' is {}; it must be at least 0", preset.times));
    if (preset.times > 0 || table.has("sparsity_from")) preset.sparsity_from = read_sparsity_from(table);
}

Preset read_preset(TomlTable& table, const std::filesystem::path& folder, const std::string& family,
                   const std::string& family_text, bool in_network) {
    Preset preset;
    preset.spec.name = family + "/" + read_name(table, "name");
    preset.title = table.text("title", preset.spec.name);
    preset.source_text = table.text("source_text", "");
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
    constexpr const char* words[] = {"unsaid", "image", "printed", "ramp", "measured", "dense"};
    return words[static_cast<int>(from)];
}

PresetFile load_preset_file(const std::filesystem::path& file) {
    const toml::table root = parse_toml(file);
    TomlTable top(root, file, "preset file");
    PresetFile loaded;
    loaded.family = read_name(top, "family");
    const std::string family_text = top.text("source_text", "");
    if (const toml::table* network = top.table("network")) loaded.network = read_network(*network, file);
    const toml::array& tables = top.tables("preset");
    top.finish();

    std::set<std::string> names;
    for (const toml::node& node : tables) {
        TomlTable table(*node.as_table(), file, "preset");
        Preset preset = read_preset(table, file.parent_path(), loaded.family, family_text, loaded.network.has_value());
        if (!names.insert(preset.spec.name).second)
            table.reject_key("name", fmt::format("there are two presets named '{}'", preset.spec.name));
        preset.file = file;
        loaded.presets.push_back(std::move(preset));
    }
    const bool layers = std::any_of(loaded.presets.begin(), loaded.presets.end(),
                                    [](const Preset& preset) { return preset.times > 0; });
    if (!layers) top.reject_key("network", "this network has no layer: every preset has 'times = 0'");
    return loaded;
}

std::vector<Preset> load_presets(const std::filesystem::path& file) {
    return load_preset_file(file).presets;
}

}  // namespace convscope
