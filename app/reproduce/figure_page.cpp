#include "app/reproduce/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/reproduce/page_parts.h"
#include "kernels/core/format_units.h"
#include "kernels/files/text_file.h"
#include "kernels/reproduce/fill_in.h"
#include "kernels/reproduce/transfers.h"
#include "visualizers/plots/plot_files.h"

namespace convscope::reproduce {
namespace {

std::string cell(FigureValue kind, const std::optional<double>& value, Digits digits) {
    return value ? figure_text(kind, *value, digits) : "-";
}

std::string describe(TimingScope scope) {
    switch (scope) {
        case TimingScope::kernel:
            return "the method's own work on the device, inputs resident, conversion of the input included";
        case TimingScope::launch:
            return "one call from the host to completion";
        case TimingScope::copies:
            return "`launch` and the copies between host and device";
        case TimingScope::alloc:
            return "`copies` and allocating and freeing";
        case TimingScope::setup:
            return "`alloc` and making and destroying library handles, as Xu's public programs time it";
    }
    return {};
}

std::string describe(const FigureTiming& timing) {
    return describe(timing.scope) +
           (timing.cache == CacheMode::cold ? "; the last-level cache flushed before every sample" : "");
}

/// "NAME-kernel", "NAME-kernel-cold".
std::string chart_name(const PaperFigure& figure, const FigureTiming& timing) {
    std::string name = fmt::format("{}-{}", figure.name, to_string(timing));
    std::ranges::replace(name, ' ', '-');
    return name;
}

struct Column {
    std::string head;
    FigureValue kind;
    std::vector<std::optional<double>> values;
};

std::vector<PointRecords> by_timing(const PaperFigure& figure, const FigureRecords& records) {
    std::vector<PointRecords> all;
    for (const FigureTiming& timing : figure.timings) all.push_back(records.of(timing));
    return all;
}

/// The bytes of a method's arrays are the same on every GPU.
bool is_memory(FigureValue value) {
    return value == FigureValue::workspace_mb || value == FigureValue::workspace_mib || value == FigureValue::saving;
}

bool has_earlier_column(const PaperSeries& series) {
    return series.plotted && !is_memory(series.value);
}

/// Each series: what the paper prints, then ours in each scope, then an earlier device's where no other table has it.
std::vector<Column> columns_of(const PaperFigure& figure, const FigureRecords& records, const FigureRecords& earlier) {
    const std::vector<PointRecords> ours = by_timing(figure, records), theirs = by_timing(figure, earlier);
    const bool with_earlier = !earlier.all().empty() && figure.claims.empty() && figure.goals.empty();
    std::vector<Column> columns;
    for (const PaperSeries& series : figure.series) {
        if (!series.printed.empty()) columns.push_back({series.label + ", printed", series.value, series.printed});
        for (std::size_t i = 0; i < figure.timings.size(); ++i) {
            const std::string head = figure.timings.size() > 1
                                         ? fmt::format("{}, {}", series.label, to_string(figure.timings[i]))
                                         : series.label;
            columns.push_back({head, series.value, values_of(series, figure, ours[i])});
            if (with_earlier && has_earlier_column(series))
                columns.push_back({fmt::format("{}, {}", head, earlier.all().front().device_name), series.value,
                                   values_of(series, figure, theirs[i])});
        }
    }
    return columns;
}

std::string values_table(const PaperFigure& figure, const FigureRecords& records, const FigureRecords& earlier,
                         Digits digits) {
    const std::vector<Column> columns = columns_of(figure, records, earlier);
    std::vector<std::vector<std::string>> body;
    if (figure.points.size() == 1) {  // one point reads better downwards
        for (const Column& column : columns)
            body.push_back({column.head, cell(column.kind, column.values.front(), digits)});
        return markdown_table({figure.points.front().label, ""}, body);
    }
    std::vector<std::string> head{figure.points_label, "shape", "zeros"};
    for (const Column& column : columns) head.push_back(column.head);
    for (std::size_t i = 0; i < figure.points.size(); ++i) {
        const PaperPoint& point = figure.points[i];
        const std::string times = point.weight > 1 ? fmt::format(" ({} times)", point.weight) : "";
        body.push_back({point.label + times, to_string(point.spec.shape), fmt::format("{:.2g}", point.spec.sparsity)});
        for (const Column& column : columns) body.back().push_back(cell(column.kind, column.values[i], digits));
    }
    return markdown_table(head, body);
}

std::string claim_cell(const PaperClaim& claim, const PaperFigure& figure, const PointRecords& points, Digits digits) {
    const PaperSeries& series = *find_series(figure, claim.series);
    const auto values = values_of(series, figure, points);
    if (claim.with.empty()) {
        const std::string text = cell(series.value, summary_of(series, claim.take, figure, points), digits);
        const auto known = std::ranges::count_if(values, [](const auto& value) { return value.has_value(); });
        const bool whole = known == std::ssize(values) || known == 0;
        return whole ? text : fmt::format("{}, {} of {}", text, known, values.size());
    }
    const auto correlation = rank_correlation(values, values_of(*find_series(figure, claim.with), figure, points));
    if (!correlation) return "-";
    const char* words = *correlation >= 0.5 ? "rises with it" : *correlation <= -0.5 ? "falls as it rises" : "neither";
    return fmt::format("{:+.{}f}, {}", *correlation, digits == Digits::all ? 12 : 2, words);
}

std::string claims_table(const PaperFigure& figure, const FigureRecords& records, const FigureRecords& earlier,
                         Digits digits) {
    if (figure.claims.empty()) return {};
    // A figure of our own states nothing to compare with.
    const bool printed =
        std::ranges::any_of(figure.claims, [](const PaperClaim& claim) { return claim.printed != "-"; });
    std::vector<std::string> head{printed ? "What the paper says" : "In short"};
    if (printed) head.emplace_back("printed");
    std::vector<PointRecords> columns = by_timing(figure, records);
    for (const FigureTiming& timing : figure.timings) head.push_back(fmt::format("ours, {}", to_string(timing)));
    if (!earlier.all().empty()) {
        for (PointRecords& points : by_timing(figure, earlier)) columns.push_back(std::move(points));
        for (const FigureTiming& timing : figure.timings)
            head.push_back(fmt::format("{}, {}", earlier.all().front().device_name, to_string(timing)));
    }
    std::vector<std::vector<std::string>> body;
    for (const PaperClaim& claim : figure.claims) {
        body.push_back({claim.says});
        if (printed) body.back().push_back(claim.printed);
        for (const PointRecords& points : columns) body.back().push_back(claim_cell(claim, figure, points, digits));
    }
    return markdown_table(head, body);
}

/// Rows that did not pass, each reason once.
std::string failures(const PaperFigure& figure, const FigureRecords& records) {
    std::map<std::string, std::vector<std::string>> by_reason;
    for (const PointRecords& points : by_timing(figure, records)) {
        for (std::size_t i = 0; i < points.size(); ++i)
            for (const Record& record : points[i])
                if (record.status != Status::passed)
                    by_reason[fmt::format("`{}`, {}: {}", record.method, to_string(record.status),
                                          record.status_reason)]
                        .push_back(figure.points[i].label);
    }
    constexpr int most = 12;
    int listed = 0;
    std::string text;
    for (const auto& [reason, labels] : by_reason) {
        if (++listed > most) {
            text += fmt::format("- {} further reasons, in the CSV\n", static_cast<int>(by_reason.size()) - most);
            break;
        }
        const std::string more = labels.size() > 1 ? fmt::format(" and {} more", labels.size() - 1) : "";
        text += fmt::format("- {} ({}{})\n", reason, labels.front(), more);
    }
    return text.empty() ? text : fmt::format("Not measured:\n\n{}\n", text);
}

std::string finding(const PaperFigure& figure, const FigureRecords& records) {
    const auto value = [&](const std::vector<std::string>& parts) {
        return placeholder_value(parts, figure, [&](const FigureTiming& timing) { return records.of(timing); });
    };
    return fill_in(figure.finding, value);
}

std::string time_text(double us, Digits digits) {
    return figure_text(FigureValue::time_us, us, digits);
}

std::string share_of(double transfer_us, double compute_us, Digits digits) {
    return figure_text(FigureValue::convert_pct, 100 * transfer_us / (transfer_us + compute_us), digits);
}

/// The cost of copies between host and device in a network; empty where nothing was measured in both scopes.
std::string transfers(const PaperFigure& figure, const FigureRecords& records, Digits digits) {
    if (!figure.transfers) return {};
    const std::vector<TransferRow> rows =
        transfer_rows(figure, records.of({TimingScope::launch}), records.of({TimingScope::copies}));
    if (rows.empty()) return {};
    std::vector<std::vector<std::string>> layers;
    for (const TransferRow& row : rows)
        layers.push_back({row.point, time_text(row.compute_us, digits), time_text(row.transfer_us, digits),
                          share_of(row.transfer_us, row.compute_us, digits)});
    const TransferRow sum = sum_of(rows);
    std::vector<std::vector<std::string>> networks;
    for (const auto& [what, transfer_us] :
         {std::pair{"every layer copies its input, its filters and its output", sum.transfer_us},
          {"the image and all filters go up once, the last output comes back", sum.once_us},
          {"the same, with the filters on the GPU already", sum.image_us}})
        networks.push_back({what, time_text(sum.compute_us, digits), time_text(transfer_us, digits),
                            share_of(transfer_us, sum.compute_us, digits),
                            time_text(sum.compute_us + transfer_us, digits)});
    return filled(
        "transfers",
        {{"points", figure.points_label}, {"layers", markdown_rows(layers)}, {"networks", markdown_rows(networks)}});
}

std::string page(const PaperFigure& figure, const FigureRecords& records, const FigureRecords& earlier,
                 const std::string& command, Digits digits) {
    const bool any_earlier =
        !figure.claims.empty() || !figure.goals.empty() || std::ranges::any_of(figure.series, has_earlier_column);
    const std::string before = any_earlier ? where_and_when(earlier.all()) : "";
    std::string scopes, charts;
    for (const FigureTiming& timing : figure.timings) {
        scopes += fmt::format("- Scope `{}`: {}.\n", to_string(timing), describe(timing));
        charts +=
            fmt::format("![{}, scope {}]({}.svg)\n\n", figure.title, to_string(timing), chart_name(figure, timing));
    }
    return filled("figure", {{"paper", figure.paper},
                             {"shows", figure.shows},
                             {"title", figure.title},
                             {"text", figure.text},
                             {"zeros", zeros_paragraph(figure)},
                             {"measured_on", where_and_when(records.all())},
                             {"earlier", before.empty() ? "" : "The columns of an earlier GPU: m" + before.substr(1)},
                             {"command", command},
                             {"scopes", scopes},
                             {"claims", claims_table(figure, records, earlier, digits)},
                             {"goals", goals_table(figure, records, earlier)},
                             {"finding", finding(figure, records)},
                             {"transfers", transfers(figure, records, digits)},
                             {"charts", charts},
                             {"values", values_table(figure, records, earlier, digits)},
                             {"not_measured", failures(figure, records)},
                             {"csv", records.csv_name()}});
}

bool compares(const PaperSeries& series) {
    return series.value == FigureValue::speedup || series.value == FigureValue::saving;
}

/// Whether a line is a vendor's own: dashed, and grey where it is the only one.
bool is_vendors(const PaperSeries& series) {
    return series.plotted && !compares(series) && series.of.front().starts_with("cudnn");
}

/// The scale of an axis: an improvement, where its series are compared in different ways.
PlotScale scale_of(const PaperFigure& figure, bool right) {
    std::optional<PlotScale> scale;
    for (const PaperSeries& series : figure.series) {
        if (!series.plotted || series.right_axis != right) continue;
        const AxisWords words = axis_words(series.value);
        if (scale && scale->name != words.name) return {"improvement", "x"};
        scale = {words.name, words.unit};
    }
    return scale.value_or(PlotScale{});
}

/// Where each point stands: an empty place wherever another pattern of zeros begins, so that no line joins two of them.
std::vector<double> places_of(const PaperFigure& figure) {
    std::vector<double> places;
    for (std::size_t i = 0; i < figure.points.size(); ++i) {
        const bool apart = i > 0 && figure.points[i].spec.source != figure.points[i - 1].spec.source;
        places.push_back(places.empty() ? 0 : places.back() + (apart ? 2 : 1));
    }
    return places;
}

Plot plot_of(const PaperFigure& figure, const FigureRecords& records, const FigureTiming& timing) {
    Plot plot;
    plot.title = figure.title;
    plot.subtitle = fmt::format("{}, {}; scope {}", figure.paper, figure.shows, to_string(timing));
    if (!records.all().empty()) plot.subtitle += "; " + records.all().front().device_name;
    plot.x.name = figure.points_label;
    const std::vector<double> places = places_of(figure);
    for (std::size_t i = 0; i < places.size(); ++i) {
        plot.x.names.resize(static_cast<std::size_t>(places[i]) + 1);
        plot.x.names.back() = figure.points[i].label;
    }
    plot.y = scale_of(figure, false);
    plot.y.log = figure.logarithmic;
    plot.right = scale_of(figure, true);
    plot.y.from_zero = plot.right.from_zero = true;
    const PointRecords points = records.of(timing);
    const auto vendors = std::ranges::count_if(figure.series, is_vendors);
    int colors = 0;
    for (const PaperSeries& series : figure.series) {
        if (!series.plotted) continue;
        if (compares(series)) plot.reference = 1;
        PlotSeries one;
        one.vendor = is_vendors(series) && vendors == 1;
        one.dashed = is_vendors(series);
        if (!one.vendor) one.color = colors++;
        one.right = series.right_axis;
        one.marks = figure.lines ? PlotSeries::Marks::line_and_dots : PlotSeries::Marks::bars;
        const auto add = [&](const std::string& name, const std::vector<std::optional<double>>& values, bool outlined) {
            one.name = name;
            one.outlined = outlined;
            one.x.clear(), one.y.clear();
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (i > 0 && places[i] - places[i - 1] > 1) one.x.push_back(places[i] - 1), one.y.push_back(NAN);
                one.x.push_back(places[i]);
                one.y.push_back(values[i].value_or(NAN));
            }
            plot.series.push_back(one);
        };
        if (!series.printed.empty()) add(series.label + ", printed", series.printed, true);
        add(series.label, values_of(series, figure, points), false);
    }
    if (plot.series.size() == 1) plot.subtitle += "; " + plot.series.front().name;
    set_side_by_side(plot);
    return plot;
}

}  // namespace

void write_figure_page(const PaperFigure& figure, const FigureRecords& records, const std::string& command,
                       const std::filesystem::path& folder, Digits digits) {
    if (digits == Digits::few)
        for (const FigureTiming& timing : figure.timings)
            write_plot_page(plot_of(figure, records, timing), folder / (chart_name(figure, timing) + ".svg"));
    const FigureRecords earlier(figure, folder, earlier_folder);
    write_text_file(folder / (figure.name + ".md"), page(figure, records, earlier, command, digits));
}

std::string zeros_paragraph(const PaperFigure& figure) {
    return figure.zeros.empty() ? std::string() : "Zeros: " + figure.zeros;
}

}  // namespace convscope::reproduce
