#include "app/compare/recorded_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "app/compare/compare_data.h"
#include "kernels/core/format_units.h"
#include "kernels/layers/network.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_lines_of_card = 4, max_points_of_line = 32;

/// "NVIDIA H100 80GB HBM3" by the name that people use.
std::string short_device(const std::string& name) {
    std::size_t end = 0;
    for (int word = 0; word < 2 && end != std::string::npos; ++word) end = name.find(' ', end + (word > 0));
    return name.substr(0, end);
}

/// Those with most rows, each thinned to a few points.
std::vector<RecordedCard::Line> lines_of(const CompareData& data) {
    const CompareColumns& c = compare_columns();
    std::map<std::string, RecordedCard::Line> by_method;
    float low = HUGE_VALF, high = -HUGE_VALF;
    for (std::size_t row = 0; row < data.table.rows(); ++row) {
        const double time = data.number(row, c.time);
        if (!data.passed(row) || !(time > 0)) continue;
        const std::string method(data.text(row, c.method));
        RecordedCard::Line& line = by_method[method];
        line.method = method;
        line.vendor = data.vendor(row);
        line.heights.push_back(static_cast<float>(std::log(time)));
        low = std::min(low, line.heights.back());
        high = std::max(high, line.heights.back());
    }
    std::vector<RecordedCard::Line> lines;
    for (auto& [method, line] : by_method) lines.push_back(std::move(line));
    std::ranges::stable_sort(lines, {}, [](const auto& line) { return -static_cast<double>(line.heights.size()); });
    lines.resize(std::min(lines.size(), max_lines_of_card));
    for (RecordedCard::Line& line : lines) {
        const std::size_t count = line.heights.size(), kept = std::min(count, max_points_of_line);
        for (std::size_t i = 0; i < kept; ++i)
            line.heights[i] = (line.heights[i * count / kept] - low) / std::max(high - low, 1e-6F);
        line.heights.resize(kept);
    }
    return lines;
}

RecordedCard card_of(const std::filesystem::path& path, const std::stop_token& stop) {
    RecordedCard card;
    card.path = path;
    card.name = path.stem().string();
    card.sweep = card.name.starts_with("blocks-") || card.name.starts_with("tunables-");
    card.group = paper_or_network(card.name);
    const auto data = open_compare_data({{path}, true}, stop);
    if (!data || data->table.empty()) return card;
    const CompareColumns& c = compare_columns();
    std::set<std::string> methods;
    for (std::size_t row = 0; row < data->table.rows(); ++row) methods.emplace(data->text(row, c.method));
    const std::vector<std::string> first(
        methods.begin(),
        std::next(methods.begin(), std::min<std::ptrdiff_t>(3, static_cast<std::ptrdiff_t>(methods.size()))));
    card.sentence = fmt::format("{}: {}", counted(data->table.rows(), "row"), fmt::join(first, ", "));
    if (methods.size() > first.size()) card.sentence += fmt::format(" and {} more", methods.size() - first.size());
    card.sentence += data->layer_names.size() == 1 ? " on " + data->layer_names.front()
                                                   : fmt::format(" on {} layers", data->layer_names.size());
    card.device = short_device(std::string(data->text(0, c.device_name)));
    card.date = std::string(data->text(0, table_column("timestamp_utc"))).substr(0, 10);
    card.lines = lines_of(*data);
    return card;
}

}  // namespace

std::vector<RecordedCard> read_recorded_catalogue(const std::stop_token& stop) {
    std::vector<RecordedCard> cards;
    for (const std::filesystem::path& path : recorded_sessions()) {
        if (stop.stop_requested()) break;
        cards.push_back(card_of(path, stop));
    }
    std::ranges::sort(cards, {}, [](const RecordedCard& card) { return std::tuple(card.group, card.name); });
    return cards;
}

std::string paper_or_network(const std::string& name) {
    constexpr std::pair<const char*, const char*> papers[] = {{"examples", "Worked examples"},
                                                              {"xu2019", "Xu 2019"},
                                                              {"xu2022", "Xu 2022"},
                                                              {"mec", "Cho & Brand 2017"},
                                                              {"chang", "Chang et al."},
                                                              {"grisett", "Grisett"},
                                                              {"blocks", "Sweeps of launches"},
                                                              {"tunables", "Sweeps of launches"},
                                                              {"size", "Maps of sizes"},
                                                              {"zeros", "Does skipping zeros pay?"}};
    const std::string family = name.substr(0, name.find_first_of("/-"));
    for (const auto& [word, title] : papers)
        if (family == word) return title;
    for (const Network& network : all_networks())
        if (network.name == family) return network.head.title;
    return family;
}

}  // namespace convscope::app
