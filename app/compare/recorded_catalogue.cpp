#include "app/compare/recorded_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "app/compare/compare_data.h"
#include "kernels/core/format_units.h"
#include "kernels/layers/network.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_lines_of_card = 4, max_points_of_line = 32;

/// "H100" of "NVIDIA H100 80GB HBM3".
std::string short_device(const std::string& name) {
    constexpr std::string_view maker = "NVIDIA ";
    const std::size_t from = name.starts_with(maker) ? maker.size() : 0;
    return name.substr(from, name.find(' ', from) - from);
}

/// Those with most rows, each thinned to a few points.
std::vector<Recording::Line> lines_of(const CompareData& data) {
    const CompareColumns& c = compare_columns();
    std::map<std::string, Recording::Line> by_method;
    float low = HUGE_VALF, high = -HUGE_VALF;
    for (std::size_t row = 0; row < data.table.rows(); ++row) {
        const double time = data.number(row, c.time);
        if (!data.passed(row) || !(time > 0)) continue;
        const std::string method(data.text(row, c.method));
        Recording::Line& line = by_method[method];
        line.method = method;
        line.vendor = data.vendor(row);
        line.heights.push_back(static_cast<float>(std::log(time)));
        low = std::min(low, line.heights.back());
        high = std::max(high, line.heights.back());
    }
    std::vector<Recording::Line> lines;
    for (auto& [method, line] : by_method) lines.push_back(std::move(line));
    std::ranges::stable_sort(lines, {}, [](const auto& line) { return -static_cast<double>(line.heights.size()); });
    lines.resize(std::min(lines.size(), max_lines_of_card));
    for (Recording::Line& line : lines) {
        const std::size_t count = line.heights.size(), kept = std::min(count, max_points_of_line);
        for (std::size_t i = 0; i < kept; ++i)
            line.heights[i] = (line.heights[i * count / kept] - low) / std::max(high - low, 1e-6F);
        line.heights.resize(kept);
    }
    return lines;
}

Recording recording_of(const std::filesystem::path& path, RecordedQuestion question, const std::stop_token& stop) {
    Recording recording;
    recording.name = path.stem().string();
    const auto data = open_compare_data({{path}, true}, stop);
    if (!data || data->table.empty()) return recording;
    const CompareColumns& c = compare_columns();
    std::set<std::string> methods;
    for (std::size_t row = 0; row < data->table.rows(); ++row) methods.emplace(data->text(row, c.method));
    recording.methods = fmt::format("{}", fmt::join(methods, " "));
    recording.content = fmt::format(
        "{} on {}", counted(data->table.rows(), "row"),
        data->layer_names.size() == 1 ? data->layer_names.front() : counted(data->layer_names.size(), "layer"));
    recording.device = short_device(std::string(data->text(0, c.device_name)));
    recording.date = std::string(data->text(0, table_column("timestamp_utc"))).substr(0, 10);
    recording.finding = question->answer(*data);
    recording.lines = lines_of(*data);
    return recording;
}

}  // namespace

RecordedFinding RecordedCard::answer(std::size_t recording) const {
    const Recording& own = recordings.at(recording);
    if (own.finding.known()) return own.finding;
    const std::string unknown = own.device.empty()
                                    ? fmt::format("{} does not read", own.name)
                                    : fmt::format("not known for the {}: {}", own.device, question->unknown);
    const auto other = std::ranges::find_if(recordings, [](const Recording& each) { return each.finding.known(); });
    if (other == recordings.end()) return {name, unknown};
    return {fmt::format("{} alone: {}", other->device, other->finding.headline), unknown};
}

std::vector<RecordedCard> read_recorded_catalogue(const std::stop_token& stop) {
    std::map<std::string, RecordedCard> sessions;
    for (const std::filesystem::path& path : recorded_sessions()) {
        if (stop.stop_requested()) break;
        const std::string name = session_of(path.stem().string());
        RecordedCard& card = sessions[name];
        card.name = name;
        card.sweep = name.starts_with("blocks-") || name.starts_with("tunables-");
        card.group = paper_or_network(name);
        card.question = question_of(name).value_or(RecordedQuestion("winners"));
        card.recordings.push_back(recording_of(path, card.question, stop));
    }
    std::vector<RecordedCard> cards;
    for (auto& [name, card] : sessions) {
        std::ranges::sort(card.recordings, {}, &Recording::name);
        cards.push_back(std::move(card));
    }
    std::ranges::stable_sort(cards, {}, &RecordedCard::group);
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
