// Reads the figures of a file under presets/reproduce/ (docs/reproduce.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/files/preset_folder.h"
#include "kernels/files/text_file.h"
#include "kernels/layers/network.h"
#include "kernels/reproduce/figure.h"
#include "kernels/reproduce/figure_points.h"
#include "kernels/reproduce/goal_file.h"
#include "kernels/reproduce/toml_words.h"

namespace convscope {
namespace {

PaperSeries read_series(TomlTable& table, const PaperFigure& figure) {
    PaperSeries series;
    series.label = table.need("label");
    series.value = need_word<FigureValue>(table, "value",
                                          {{"time", FigureValue::time_us},
                                           {"gflops", FigureValue::gflops},
                                           {"speedup", FigureValue::speedup},
                                           {"workspace", FigureValue::workspace_mb},
                                           {"workspace MiB", FigureValue::workspace_mib},
                                           {"saving", FigureValue::saving},
                                           {"convert", FigureValue::convert_pct},
                                           {"roofline", FigureValue::roofline_pct},
                                           {"theta", FigureValue::theta}});
    series.of = need_texts(table, "of");
    const bool compares = series.value == FigureValue::speedup || series.value == FigureValue::saving;
    if (compares != table.has("over"))
        table.reject(fmt::format("a series of '{}' {} 'over'", table.need("value"), compares ? "needs" : "has no"));
    table.read("over", series.over);
    require_methods(table, "of", series.of, figure.methods);
    require_methods(table, "over", series.over, figure.methods);
    for (const double value : table.numbers("printed").value_or(std::vector<double>{}))
        series.printed.push_back(std::isnan(value) ? std::nullopt : std::optional(value));
    if (!series.printed.empty() && series.printed.size() != figure.points.size())
        table.reject("printed", fmt::format("'printed' has {} values for {} points (nan where none is printed)",
                                            series.printed.size(), figure.points.size()));
    table.read("right_axis", series.right_axis);
    table.read("plotted", series.plotted);
    table.finish();
    return series;
}

PaperClaim read_claim(TomlTable& table, const PaperFigure& figure) {
    PaperClaim claim;
    claim.says = table.need("says");
    claim.printed = table.need("printed");
    claim.series = table.need("series");
    table.read("with", claim.with);
    if (claim.with.empty()) claim.take = read_summary(table);
    for (const auto& [key, label] : {std::pair{"series", claim.series}, {"with", claim.with}})
        if (!label.empty() && !find_series(figure, label))
            table.reject(key, fmt::format("'{}' is '{}', which this figure does not have", key, label));
    table.finish();
    return claim;
}

/// A key's texts, each parsed.
auto read_texts(TomlTable& table, const char* key, auto&& parse) {
    std::vector<decltype(parse(std::string()))> values;
    for (const std::string& text : table.texts(key).value_or(std::vector<std::string>{})) {
        try {
            values.push_back(parse(text));
        } catch (const Error& error) {
            table.reject(key, error.what());
        }
    }
    return values;
}

PaperFigure read_figure(TomlTable& table, const std::filesystem::path& file, const std::string& paper) {
    PaperFigure figure;
    figure.file = file;
    figure.paper = paper;
    figure.name = table.need("name");
    figure.shows = table.need("shows");
    figure.title = table.need("title");
    figure.text = table.need("text");
    table.read("finding", figure.finding);
    figure.records = table.text("records").value_or(figure.name);
    figure.device = DeviceKind::cuda;
    table.read_named("device", figure.device, Words<DeviceKind>{{"cpu", DeviceKind::cpu}, {"cuda", DeviceKind::cuda}});
    table.read("threads", figure.threads);
    figure.methods = need_texts(table, "methods");
    read_texts(table, "methods", parse_figure_method);
    table.read("sparse", figure.sparse);
    require_methods(table, "sparse", figure.sparse, figure.methods);
    figure.timings = read_texts(table, "scopes", parse_figure_timing);
    if (figure.timings.empty()) table.reject("this figure needs 'scopes'");
    figure.points = read_points(table);
    if (const auto name = table.text("network")) figure.zeros = zeros_text(find_network(*name));
    figure.points_label = table.text("points_label").value_or("layer");
    table.read_named("plot", figure.lines, Words<bool>{{"bars", false}, {"lines", true}});
    table.read("logarithmic", figure.logarithmic);
    table.read("weighted", figure.weighted);
    table.read("twice", figure.twice);
    table.read("transfers", figure.transfers);
    for (TomlTable& one : table.need_tables("series")) figure.series.push_back(read_series(one, figure));
    const auto each = [&table](const char* key, auto&& read) {
        if (auto tables = table.tables(key))
            for (TomlTable& one : *tables) read(one);
    };
    each("claim", [&](TomlTable& one) { figure.claims.push_back(read_claim(one, figure)); });
    each("goal", [&](TomlTable& one) { figure.goals.push_back(read_goal(one, figure)); });
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
    const toml::table root = parse_toml(read_text_file(file), file.string());
    TomlTable top(root, "figure file", {.file = file.string(), .plain_text = true});
    const std::string paper = top.need("paper");
    std::vector<TomlTable> tables = top.need_tables("figure");
    top.finish();
    std::vector<PaperFigure> figures;
    for (TomlTable& table : tables) figures.push_back(read_figure(table, file, paper));
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
