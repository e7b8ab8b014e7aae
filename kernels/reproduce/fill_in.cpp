#include "kernels/reproduce/fill_in.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.h"

namespace convscope {
namespace {

std::vector<std::string> split_at_bars(const std::string& text) {
    std::vector<std::string> parts{""};
    for (const char letter : text) {
        if (letter == '|')
            parts.emplace_back();
        else
            parts.back() += letter;
    }
    return parts;
}

[[noreturn]] void reject_placeholder(const PaperFigure& figure, const std::vector<std::string>& parts,
                                     const std::string& why) {
    throw Error(ErrorKind::file, fmt::format("{}: the placeholder {{{}}} {}", figure.name, fmt::join(parts, "|"), why));
}

std::optional<double> value_of(const std::string& take, const PaperSeries& series, const PaperFigure& figure,
                               const PointRecords& records, const std::vector<std::string>& parts) {
    if (take.starts_with("at ")) {
        const auto point = std::ranges::find(figure.points, take.substr(3), &PaperPoint::label);
        if (point == figure.points.end()) reject_placeholder(figure, parts, "names no point of the figure");
        return values_of(series, figure, records)[static_cast<std::size_t>(point - figure.points.begin())];
    }
    for (const auto& [word, summary] : figure_summaries())
        if (take == word) return summary_of(series, summary, figure, records);
    reject_placeholder(figure, parts, "has no summary, as 'mean', and no 'at POINT'");
}

}  // namespace

std::string fill_in(const std::string& text, const std::function<std::string(const std::vector<std::string>&)>& value) {
    std::string filled;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t open = text.find('{', at);
        filled += text.substr(at, open - at);
        if (open == std::string::npos) break;
        const std::size_t close = text.find('}', open);
        if (close == std::string::npos)
            throw Error(ErrorKind::file, fmt::format("a brace is not closed in '{}'", text.substr(open)));
        filled += value(split_at_bars(text.substr(open + 1, close - open - 1)));
        at = close + 1;
    }
    return filled;
}

std::string placeholder_value(const std::vector<std::string>& parts, const PaperFigure& figure,
                              const std::function<PointRecords(const FigureTiming&)>& records) {
    if (parts.size() != 3) reject_placeholder(figure, parts, "must be {SERIES|TIMING|TAKE}");
    const PaperSeries* series = find_series(figure, parts[0]);
    if (!series) reject_placeholder(figure, parts, "names no series of the figure");
    const auto timing = std::ranges::find(figure.timings, parts[1], [](const FigureTiming& t) { return to_string(t); });
    if (timing == figure.timings.end()) reject_placeholder(figure, parts, "names no scope of the figure");
    const auto value = value_of(parts[2], *series, figure, records(*timing), parts);
    return value ? figure_text(series->value, *value) : "(not measured)";
}

}  // namespace convscope
