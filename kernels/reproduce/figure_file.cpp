// Reads the figures of a file under presets/reproduce/ (docs/reproduce.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/network.h"
#include "kernels/core/preset.h"
#include "kernels/reproduce/figure.h"
#include "kernels/reproduce/figure_points.h"
#include "kernels/reproduce/goal_file.h"
#include "kernels/reproduce/toml_words.h"

namespace convscope {
namespace {

PaperSeries read_series(const toml::table& node, const PaperFigure& figure) {
    TomlTable table(node, figure.file, "series");
    PaperSeries series;
    series.label = table.text("label");
    series.value = read_word<FigureValue>(table, "value",
                                          {{"time", FigureValue::time_us},
                                           {"gflops", FigureValue::gflops},
                                           {"speedup", FigureValue::speedup},
                                           {"workspace", FigureValue::workspace_mb},
                                           {"workspace MiB", FigureValue::workspace_mib},
                                           {"saving", FigureValue::saving},
                                           {"convert", FigureValue::convert_pct},
                                           {"roofline", FigureValue::roofline_pct},
                                           {"theta", FigureValue::theta}});
    series.of = table.texts("of");
    if (series.of.empty()) table.reject("a series needs 'of'");
    const bool compares = series.value == FigureValue::speedup || series.value == FigureValue::saving;
    if (compares != table.has("over"))
        table.reject(fmt::format("a series of '{}' {} 'over'", table.text("value"), compares ? "needs" : "has no"));
    series.over = table.texts("over");
    require_methods(table, "of", series.of, figure.methods);
    require_methods(table, "over", series.over, figure.methods);
    for (const double value : table.numbers("printed"))
        series.printed.push_back(std::isnan(value) ? std::nullopt : std::optional(value));
    if (!series.printed.empty() && series.printed.size() != figure.points.size())
        table.reject_key("printed", fmt::format("'printed' has {} values for {} points (nan where none is printed)",
                                                series.printed.size(), figure.points.size()));
    series.right_axis = table.flag("right_axis", false);
    series.plotted = table.flag("plotted", true);
    table.finish();
    return series;
}

PaperClaim read_claim(const toml::table& node, const PaperFigure& figure) {
    TomlTable table(node, figure.file, "claim");
    PaperClaim claim;
    claim.says = table.text("says");
    claim.printed = table.text("printed");
    claim.series = table.text("series");
    claim.with = table.text("with", "");
    if (claim.with.empty()) claim.take = read_summary(table);
    for (const auto& [key, label] : {std::pair{"series", claim.series}, {"with", claim.with}})
        if (!label.empty() && !find_series(figure, label))
            table.reject_key(key, fmt::format("'{}' is '{}', which this figure does not have", key, label));
    table.finish();
    return claim;
}

/// A key's texts, each parsed.
auto read_texts(TomlTable& table, const char* key, auto&& parse) {
    std::vector<decltype(parse(std::string()))> values;
    for (const std::string& text : table.texts(key)) {
        try {
            values.push_back(parse(text));
        } catch (const Error& error) {
            table.reject_key(key, error.what());
        }
    }
    return values;
}

PaperFigure read_figure(const toml::table& node, const std::filesystem::path& file, const std::string& paper) {
    TomlTable table(node, file, "figure");
    PaperFigure figure;
    figure.file = file;
    figure.paper = paper;
    figure.name = table.text("name");
    figure.shows = table.text("shows");
    figure.title = table.text("title");
    figure.text = table.text("text");
    figure.finding = table.text("finding", "");
    figure.records = table.text("records", figure.name);
    figure.device =
        read_word<DeviceKind>(table, "device", {{"cpu", DeviceKind::cpu}, {"cuda", DeviceKind::cuda}}, "cuda");
    figure.threads = static_cast<int>(table.integer("threads", 0));
    figure.methods = table.texts("methods");
    if (figure.methods.empty()) table.reject("a figure needs 'methods'");
    read_texts(table, "methods", parse_figure_method);
    figure.sparse = table.texts("sparse");
    require_methods(table, "sparse", figure.sparse, figure.methods);
    figure.timings = read_texts(table, "scopes", parse_figure_timing);
    if (figure.timings.empty()) table.reject("a figure needs 'scopes'");
    figure.points = read_points(table, file);
    if (table.has("network")) {
        const Network network = find_network(table.text("network"));
        const bool measured = std::ranges::all_of(
            network.layers, [](const Preset& layer) { return layer.sparsity_from == SparsityFrom::measured; });
        figure.zeros = network.head.profile + (measured ? "" : " What no paper prints is our choice.");
    }
    figure.points_label = table.text("points_label", "layer");
    figure.lines = read_word<bool>(table, "plot", {{"bars", false}, {"lines", true}}, "bars");
    figure.logarithmic = table.flag("logarithmic", false);
    figure.weighted = table.flag("weighted", false);
    figure.twice = table.flag("twice", false);
    figure.transfers = table.flag("transfers", false);
    for (const toml::node& each : table.tables("series"))
        figure.series.push_back(read_series(*each.as_table(), figure));
    if (table.has("claim"))
        for (const toml::node& each : table.tables("claim"))
            figure.claims.push_back(read_claim(*each.as_table(), figure));
    if (table.has("goal"))
        for (const toml::node& each : table.tables("goal")) figure.goals.push_back(read_goal(*each.as_table(), figure));
    table.finish();
    return figure;
}

std::vector<PaperFigure> load_all() {
    std::vector<std::filesystem::path> paths;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(preset_folder() / "reproduce", none))
        if (entry.path().extension() == ".toml") paths.push_back(entry.path());
    std::ranges::sort(paths);
    std::vector<PaperFigure> all;
    std::set<std::string> names;
    for (const auto& path : paths)
        for (PaperFigure& figure : load_figures(path)) {
            if (!names.insert(figure.name).second)
                throw Error(ErrorKind::file,
                            fmt::format("{}: there are two figures named '{}'", path.string(), figure.name));
            all.push_back(std::move(figure));
        }
    return all;
}

}  // namespace

std::vector<PaperFigure> load_figures(const std::filesystem::path& file) {
    const toml::table root = parse_toml(file);
    TomlTable top(root, file, "figure file");
    const std::string paper = top.text("paper");
    const toml::array& tables = top.tables("figure");
    top.finish();
    std::vector<PaperFigure> figures;
    for (const toml::node& node : tables) figures.push_back(read_figure(*node.as_table(), file, paper));
    return figures;
}

const std::vector<PaperFigure>& all_figures() {
    static const std::vector<PaperFigure> figures = load_all();
    return figures;
}

const PaperFigure& find_figure(const std::string& name) {
    std::vector<std::string> names;
    for (const PaperFigure& figure : all_figures()) {
        if (figure.name == name) return figure;
        names.push_back(figure.name);
    }
    reject_unknown_figure(name, names);
}

}  // namespace convscope
