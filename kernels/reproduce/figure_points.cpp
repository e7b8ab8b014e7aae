#include "kernels/reproduce/figure_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/nearest_names.h"
#include "kernels/core/network.h"

namespace convscope {
namespace {

/// After the slash: "conv5_1" of "vgg19/conv5_1".
std::string short_name(const std::string& preset) {
    return preset.substr(preset.find('/') + 1);
}

void add_preset(std::vector<PaperPoint>& points, const Preset& preset) {
    points.push_back({short_name(preset.spec.name), preset.spec, {}, std::max<std::int64_t>(1, preset.times)});
}

/// 'layers' names presets, or all whose names begin alike: "xu2022/*"; 'network' a network.
std::vector<PaperPoint> read_layers(TomlTable& table) {
    std::vector<PaperPoint> points;
    if (table.has("network") == table.has("layers")) table.reject("a figure has either 'network' or 'layers'");
    try {
        if (table.has("network"))
            for (const Preset& layer : find_network(table.text("network")).layers) add_preset(points, layer);
        for (const std::string& name : table.texts("layers")) {
            if (!name.ends_with('*')) {
                add_preset(points, find_preset(name));
                continue;
            }
            const std::string family = name.substr(0, name.size() - 1);
            for (const Preset& preset : all_presets())
                if (preset.spec.name.starts_with(family)) add_preset(points, preset);
        }
    } catch (const Error& error) {
        table.reject(error.what());
    }
    return points;
}

/// What is the same change to every layer.
void change(TomlTable& table, std::vector<PaperPoint>& points) {
    const std::string pooling = table.text("pooling", "as it is");
    if (pooling != "as it is" && pooling != "only" && pooling != "none" && pooling != "removed")
        table.reject_key("pooling",
                         fmt::format("'pooling' is '{}'; it must be one of as it is, only, none, removed", pooling));
    if (pooling == "only" || pooling == "none")
        std::erase_if(points, [&](const PaperPoint& p) { return p.spec.shape.pooled() != (pooling == "only"); });
    const bool single_map = table.flag("single_map", false);
    const std::int64_t n = table.integer("n", 0), stride = table.integer("stride", 0);
    for (PaperPoint& point : points) {
        const WorkloadSpec named = point.spec;
        ConvShape& shape = point.spec.shape;
        if (pooling == "removed") {
            shape.pool_h = shape.pool_w = shape.pool_stride = 0;
            if (point.label.ends_with("+pool")) point.label.resize(point.label.size() - 5);
        }
        if (single_map) shape.n = shape.c = shape.k = 1;
        if (n > 0) shape.n = n;
        if (stride > 0) shape.stride_h = shape.stride_w = stride;
        draw_where_values_do_not_fit(point.spec, named);
    }
}

void set_varied(TomlTable& table, const std::string& what, double value, PaperPoint& point) {
    const auto whole = static_cast<std::int64_t>(std::lround(value));
    if (what == "sparsity")
        point.spec.sparsity = value;
    else if (what == "n")
        point.spec.shape.n = whole;
    else if (what == "stride")
        point.spec.shape.stride_h = point.spec.shape.stride_w = whole;
    else
        table.reject_key("vary", fmt::format("'vary' is '{}'; it must be one of sparsity, n, stride", what));
}

std::vector<PaperPoint> vary(TomlTable& table, const std::vector<PaperPoint>& points) {
    const std::string what = table.text("vary");
    const std::vector<double> values = table.numbers("values");
    if (values.empty()) table.reject("'vary' needs 'values'");
    std::vector<PaperPoint> varied;
    for (const PaperPoint& point : points)
        for (const double value : values) {
            varied.push_back(point);
            set_varied(table, what, value, varied.back());
            varied.back().label =
                (points.size() > 1 ? point.label + " " : "") + format_number(static_cast<float>(value));
        }
    return varied;
}

/// Every point with its zeros uniform, in blobs or in whole channels; the pattern comes first in the label.
std::vector<PaperPoint> take_patterns(TomlTable& table, const std::vector<PaperPoint>& points) {
    std::vector<PaperPoint> patterned;
    for (const std::string& pattern : table.texts("patterns"))
        for (PaperPoint point : points) {
            try {
                point.spec.source = parse_source(pattern);
            } catch (const Error& error) {
                table.reject_key("patterns", error.what());
            }
            point.label = pattern + " " + point.label;
            patterned.push_back(std::move(point));
        }
    return patterned;
}

std::optional<Dim3> read_dim(TomlTable& table, const char* key) {
    const std::vector<double> sizes = table.numbers(key);
    if (sizes.empty()) return std::nullopt;
    if (sizes.size() != 3) table.reject_key(key, fmt::format("'{}' must be [x, y, z]", key));
    return Dim3{std::lround(sizes[0]), std::lround(sizes[1]), std::lround(sizes[2])};
}

std::vector<PaperPoint> launch(TomlTable& table, const std::filesystem::path& file,
                               const std::vector<PaperPoint>& points) {
    std::vector<PaperPoint> launched;
    for (const toml::node& node : table.tables("launches"))
        for (PaperPoint point : points) {
            TomlTable entry(*node.as_table(), file, "launch");
            point.launch.block = read_dim(entry, "block");
            point.launch.grid = read_dim(entry, "grid");
            point.label = point.launch.grid ? to_string(*point.launch.grid) : "";
            if (point.launch.block) point.label += (point.launch.grid ? " / " : "") + to_string(*point.launch.block);
            entry.finish();
            launched.push_back(std::move(point));
        }
    return launched;
}

}  // namespace

std::vector<PaperPoint> read_points(TomlTable& table, const std::filesystem::path& file) {
    std::vector<PaperPoint> points = read_layers(table);
    change(table, points);
    if (table.has("vary")) points = vary(table, points);
    if (table.has("patterns")) points = take_patterns(table, points);
    if (table.has("launches")) points = launch(table, file, points);
    if (points.empty()) table.reject("this figure has no points");
    for (const PaperPoint& point : points) {
        try {
            validate(point.spec.shape);
        } catch (const Error& error) {
            table.reject(fmt::format("{}: {}", point.label, error.what()));
        }
    }
    return points;
}

void reject_unknown_figure(const std::string& name, const std::vector<std::string>& names) {
    std::string nearest;
    for (const std::string& each : nearest_names(name, names, 3)) nearest += (nearest.empty() ? "" : ", ") + each;
    throw Error(ErrorKind::not_found, fmt::format("no reproduction '{}'{}; 'convscope reproduce --list' shows them all",
                                                  name, nearest.empty() ? "" : "; the nearest are " + nearest));
}

}  // namespace convscope
