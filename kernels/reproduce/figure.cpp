#include "kernels/reproduce/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kernels/core/error.h"
#include "kernels/method/former_names.h"

namespace convscope {

const std::vector<std::pair<const char*, FigureSummary>>& figure_summaries() {
    static const std::vector<std::pair<const char*, FigureSummary>> summaries{
        {"mean", FigureSummary::mean},       {"geometric mean", FigureSummary::geometric_mean},
        {"largest", FigureSummary::largest}, {"smallest", FigureSummary::smallest},
        {"last", FigureSummary::last},       {"total", FigureSummary::total}};
    return summaries;
}

const std::vector<std::pair<const char*, GoalPage>>& goal_pages() {
    static const std::vector<std::pair<const char*, GoalPage>> pages{{"fast", GoalPage::fast},
                                                                     {"zeros", GoalPage::zeros}};
    return pages;
}

std::string to_string(const FigureTiming& timing) {
    return std::string(to_string(timing.scope)) + (timing.cache == CacheMode::cold ? " cold" : "");
}

FigureMethod parse_figure_method(const std::string& text) {
    const std::size_t space = text.find(' '), equals = text.find('=');
    if (space == std::string::npos) return {text, {}};
    FigureMethod method{text.substr(0, space), {}};
    std::int64_t value = 0;
    if (equals == std::string::npos || equals < space + 2 ||
        std::from_chars(text.data() + equals + 1, text.data() + text.size(), value).ptr != text.data() + text.size())
        throw Error(ErrorKind::usage, fmt::format("'{}' must be a method, or METHOD NAME=VALUE", text));
    method.launch.tunables[std::string(current_tunable(text.substr(space + 1, equals - space - 1)))] = value;
    return method;
}

bool is_of(const Record& record, const std::string& method) {
    const std::size_t space = method.find(' ');
    if (method.compare(0, space, record.method) != 0) return false;
    // Where the shape is not supported nothing was set.
    return space == std::string::npos || record.status == Status::not_supported ||
           fmt::format(";{};", record.tunables).find(fmt::format(";{};", current_tunables(method.substr(space + 1)))) !=
               std::string::npos;
}

const PaperSeries* find_series(const PaperFigure& figure, const std::string& label) {
    const auto found = std::ranges::find(figure.series, label, &PaperSeries::label);
    return found == figure.series.end() ? nullptr : &*found;
}

FigureTiming parse_figure_timing(const std::string& text) {
    const std::size_t space = text.find(' ');
    return {parse_scope(text.substr(0, space)),
            space == std::string::npos ? CacheMode::hot : parse_cache(text.substr(space + 1))};
}

}  // namespace convscope
