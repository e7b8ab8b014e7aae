#include "app/cli/figure_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/cli/goal_page.h"
#include "app/cli/markdown.h"
#include "kernels/core/format_units.h"
#include "kernels/measure/text_file.h"
#include "visualizers/charts/chart.h"
#include "visualizers/plot_axis.h"

namespace convscope::cli {
namespace {

std::string cell(FigureValue kind, const std::optional<double>& value) {
    return value ? figure_text(kind, *value) : "-";
}

std::string scope_in_words(TimingScope scope) {
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
            return "`alloc` and making and destroying library handles: what the papers' programs timed";
    }
    return {};
}

struct Column {
    std::string head;
    FigureValue kind;
    std::vector<std::optional<double>> values;
};

/// Each series: what the paper prints, then ours in each scope.
std::vector<Column> columns_of(const PaperFigure& figure, const FigureRecords& records) {
    std::vector<Column> columns;
    for (const PaperSeries& series : figure.series) {
        if (!series.printed.empty()) columns.push_back({series.label + ", printed", series.value, series.printed});
        for (const TimingScope scope : figure.scopes) {
            const std::string head =
                figure.scopes.size() > 1 ? fmt::format("{}, {}", series.label, to_string(scope)) : series.label;
            columns.push_back({head, series.value, values_of(series, figure, records.of(scope))});
        }
    }
    return columns;
}

std::string values_table(const PaperFigure& figure, const FigureRecords& records) {
    const std::vector<Column> columns = columns_of(figure, records);
    std::vector<std::vector<std::string>> body;
    if (figure.points.size() == 1) {  // one point reads better downwards
        for (const Column& column : columns) body.push_back({column.head, cell(column.kind, column.values.front())});
        return markdown_table({figure.points.front().label, ""}, body);
    }
    std::vector<std::string> head{figure.points_label, "shape", "zeros"};
    for (const Column& column : columns) head.push_back(column.head);
    for (std::size_t i = 0; i < figure.points.size(); ++i) {
        const PaperPoint& point = figure.points[i];
        const std::string times = point.weight > 1 ? fmt::format(" ({} times)", point.weight) : "";
        body.push_back({point.label + times, to_string(point.spec.shape), fmt::format("{:.2g}", point.spec.sparsity)});
        for (const Column& column : columns) body.back().push_back(cell(column.kind, column.values[i]));
    }
    return markdown_table(head, body);
}

std::string claims_table(const PaperFigure& figure, const FigureRecords& records) {
    if (figure.claims.empty()) return {};
    // A figure of our own states nothing to be held against.
    const bool printed =
        std::ranges::any_of(figure.claims, [](const PaperClaim& claim) { return claim.printed != "-"; });
    std::vector<std::string> head{printed ? "What the paper says" : "In short"};
    if (printed) head.emplace_back("printed");
    for (const TimingScope scope : figure.scopes) head.push_back(fmt::format("ours, {}", to_string(scope)));
    std::vector<std::vector<std::string>> body;
    for (const PaperClaim& claim : figure.claims) {
        const auto series = std::ranges::find(figure.series, claim.series, &PaperSeries::label);
        body.push_back({claim.says});
        if (printed) body.back().push_back(claim.printed);
        for (const TimingScope scope : figure.scopes)
            body.back().push_back(cell(series->value, summary_of(*series, claim.take, figure, records.of(scope))));
    }
    return markdown_table(head, body);
}

/// Rows that did not pass, each reason once.
std::string failures(const PaperFigure& figure, const FigureRecords& records) {
    std::map<std::string, std::vector<std::string>> by_reason;
    for (const TimingScope scope : figure.scopes) {
        const PointRecords points = records.of(scope);
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

std::string page(const PaperFigure& figure, const FigureRecords& records) {
    std::string text = fmt::format("# {}, {}: {}\n\n{}\n\n", figure.paper, figure.shows, figure.title, figure.text);
    text += where_and_when(records.all());
    text += fmt::format("    convscope reproduce {} --out DIR\n\n", figure.name);
    for (const TimingScope scope : figure.scopes)
        text += fmt::format("- Scope `{}`: {}.\n", to_string(scope), scope_in_words(scope));
    text += '\n';
    text += claims_table(figure, records);
    text += goals_table(figure, records);
    for (const TimingScope scope : figure.scopes)
        text += fmt::format("![{}, scope {}]({}-{}.svg)\n\n", figure.title, to_string(scope), figure.name,
                            to_string(scope));
    return text + values_table(figure, records) + failures(figure, records) +
           fmt::format("Every measurement: [{0}.csv]({0}.csv).\n", figure.name);
}

bool compares(const PaperSeries& series) {
    return series.value == FigureValue::speedup || series.value == FigureValue::saving;
}

/// What an axis says, and what its values are divided by: times are shown in the unit that suits the longest.
struct AxisUnit {
    std::string label;
    double size = 1;
};

AxisUnit axis_unit(const PaperFigure& figure, const PointRecords& points, bool right) {
    std::string label;
    bool mixed = false;
    double longest_us = 0;
    for (const PaperSeries& series : figure.series) {
        if (!series.plotted || series.right_axis != right) continue;
        mixed |= !label.empty() && label != axis_label(series.value);
        label = axis_label(series.value);
        if (series.value != FigureValue::time_us) continue;
        for (const auto& values : {values_of(series, figure, points), series.printed})
            for (const std::optional<double>& value : values) longest_us = std::max(longest_us, value.value_or(0));
    }
    if (mixed) return {"improvement (x)"};
    if (longest_us == 0) return {label};
    const TimeUnit unit = time_unit_for(longest_us);
    return {fmt::format("time ({})", unit.name), unit.us};
}

std::vector<std::optional<double>> in_unit(std::vector<std::optional<double>> values, double size) {
    for (std::optional<double>& value : values)
        if (value) *value /= size;
    return values;
}

Chart chart_of(const PaperFigure& figure, const FigureRecords& records, TimingScope scope) {
    Chart chart;
    chart.kind = figure.lines ? Chart::Kind::lines : Chart::Kind::bars;
    chart.title = figure.title;
    chart.subtitle = fmt::format("{}, {}; scope {}", figure.paper, figure.shows, to_string(scope));
    if (!records.all().empty()) chart.subtitle += "; " + records.all().front().device_name;
    chart.x_label = figure.points_label;
    chart.logarithmic = figure.logarithmic;
    for (const PaperPoint& point : figure.points) chart.points.push_back(point.label);
    const PointRecords points = records.of(scope);
    const AxisUnit left = axis_unit(figure, points, false), right = axis_unit(figure, points, true);
    chart.y_label = left.label;
    chart.right_label = right.label;
    std::size_t colors = 0;
    for (const PaperSeries& series : figure.series) {
        if (!series.plotted) continue;
        if (compares(series)) chart.reference = 1;
        const bool vendor = !compares(series) && series.of.starts_with("cudnn");
        const Rgba color = vendor ? chart_vendor_color() : chart_color(colors++);
        const double size = series.right_axis ? right.size : left.size;
        if (!series.printed.empty())
            chart.series.push_back(
                {series.label + ", printed", in_unit(series.printed, size), color, false, true, series.right_axis});
        chart.series.push_back(
            {series.label, in_unit(values_of(series, figure, points), size), color, vendor, false, series.right_axis});
    }
    return chart;
}

}  // namespace

void write_figure_page(const PaperFigure& figure, const FigureRecords& records, const std::filesystem::path& folder) {
    for (const TimingScope scope : figure.scopes) {
        const Chart chart = chart_of(figure, records, scope);
        const std::string name = fmt::format("{}-{}", figure.name, to_string(scope));
        write_svg(chart, folder / (name + ".svg"));
        write_png(chart, folder / (name + ".png"));
    }
    write_text_file(folder / (figure.name + ".md"), page(figure, records));
}

}  // namespace convscope::cli
