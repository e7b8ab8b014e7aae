#include "kernels/reproduce/figure_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/nearest_names.h"
#include "kernels/layers/network.h"

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
            for (const Preset& layer : find_network(table.need("network")).layers) add_preset(points, layer);
        for (const std::string& name : table.texts("layers").value_or(std::vector<std::string>{})) {
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

/// Applies the changes that are the same for every layer.
void change(TomlTable& table, std::vector<PaperPoint>& points) {
    const std::string pooling = table.one_of("pooling", {"as it is", "only", "none", "removed"}).value_or("as it is");
    if (pooling == "only" || pooling == "none")
        std::erase_if(points, [&](const PaperPoint& p) { return p.spec.shape.pooled() != (pooling == "only"); });
    const bool single_map = table.flag("single_map").value_or(false);
    const std::int64_t n = table.integer("n").value_or(0), stride = table.integer("stride").value_or(0);
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

void set_varied(const std::string& what, double value, PaperPoint& point) {
    const auto whole = static_cast<std::int64_t>(std::lround(value));
    if (what == "sparsity")
        point.spec.sparsity = value;
    else if (what == "n")
        point.spec.shape.n = whole;
    else
        point.spec.shape.stride_h = point.spec.shape.stride_w = whole;
}

std::vector<PaperPoint> vary(TomlTable& table, const std::vector<PaperPoint>& points) {
    const std::string what = table.one_of("vary", {"sparsity", "n", "stride"}).value_or("");
    const std::vector<double> values = table.numbers("values").value_or(std::vector<double>{});
    if (values.empty()) table.reject("'vary' needs 'values'");
    std::vector<PaperPoint> varied;
    for (const PaperPoint& point : points)
        for (const double value : values) {
            varied.push_back(point);
            set_varied(what, value, varied.back());
            draw_where_values_do_not_fit(varied.back().spec, point.spec);
            varied.back().label =
                (points.size() > 1 ? point.label + " " : "") + format_number(static_cast<float>(value));
        }
    return varied;
}

/// Every point with its zeros in each of these patterns; the pattern comes first in the label.
std::vector<PaperPoint> take_patterns(TomlTable& table, const std::vector<PaperPoint>& points) {
    std::vector<PaperPoint> patterned;
    for (const std::string& pattern : table.texts("patterns").value_or(std::vector<std::string>{}))
        for (PaperPoint point : points) {
            try {
                point.spec.source = parse_source(pattern);
            } catch (const Error& error) {
                table.reject("patterns", error.what());
            }
            point.label = pattern + " " + point.label;
            patterned.push_back(std::move(point));
        }
    return patterned;
}

std::vector<PaperPoint> launch(std::vector<TomlTable> entries, const std::vector<PaperPoint>& points) {
    std::vector<PaperPoint> launched;
    for (TomlTable& entry : entries)
        for (PaperPoint point : points) {
            point.launch.block = entry.dims("block", 1);
            point.launch.grid = entry.dims("grid", 1);
            point.label = point.launch.grid ? to_string(*point.launch.grid) : "";
            if (point.launch.block) point.label += (point.launch.grid ? " / " : "") + to_string(*point.launch.block);
            entry.finish();
            launched.push_back(std::move(point));
        }
    return launched;
}

}  // namespace

std::vector<PaperPoint> read_points(TomlTable& table) {
    std::vector<PaperPoint> points = read_layers(table);
    change(table, points);
    if (table.has("vary")) points = vary(table, points);
    if (table.has("patterns")) points = take_patterns(table, points);
    if (auto launches = table.tables("launches")) points = launch(std::move(*launches), points);
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
    const std::vector<std::string> nearest = nearest_names(name, names);
    throw Error(ErrorKind::not_found, fmt::format("no reproduction '{}'{}; 'convscope reproduce --list' shows them all",
                                                  name, nearest.empty() ? "" : "; " + describe_nearest(nearest)));
}

}  // namespace convscope
