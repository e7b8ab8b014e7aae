// The findings of recorded sessions, held against a recount of their files that shares no code with them.
#include "app/compare/recorded_finding.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "app/compare/recorded_catalogue.h"
#include "tests/app/compare/compare_rows.h"

namespace convscope::app {
namespace {

/// A line of a CSV by the names of its columns.
struct CsvRow {
    std::map<std::string, std::string> cells;
    std::string of(const std::string& column) const { return cells.contains(column) ? cells.at(column) : ""; }
    double number(const std::string& column) const { return of(column).empty() ? NAN : std::stod(of(column)); }
    double us() const { return of("status") == "passed" ? number("time_median_us") : NAN; }
    bool vendor() const { return of("family") == "vendor"; }
    std::string key(const std::vector<std::string>& without = {}) const {
        std::string key;
        for (const char* column : {"c",
                                   "h",
                                   "w",
                                   "k",
                                   "r",
                                   "s",
                                   "pad_h",
                                   "stride_h",
                                   "pool_h",
                                   "pool_stride",
                                   "groups",
                                   "n",
                                   "source",
                                   "seed",
                                   "timing_scope",
                                   "cache_mode",
                                   "weight_sparsity_target",
                                   "weight_pattern",
                                   "sparsity_target",
                                   "device_name"})
            if (std::ranges::find(without, column) == without.end()) key += of(column) + "|";
        return key;
    }
};
using Rows = std::vector<CsvRow>;

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char letter : line)
        if (letter == '"')
            quoted = !quoted;
        else if (letter == ',' && !quoted)
            cells.emplace_back();
        else if (letter != '\r')
            cells.back() += letter;
    return cells;
}

Rows rows_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> header = split(line);
    Rows rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> cells = split(line);
        for (rows.emplace_back(); const std::string& column : header)
            rows.back().cells[column] = cells.at(static_cast<std::size_t>(&column - header.data()));
    }
    return rows;
}

bool beats(const CsvRow& row, const CsvRow& other) {
    const double ratio = other.us() / row.us(), a = row.number("noise_pct"), b = other.number("noise_pct");
    return ratio - 1 > ratio * std::sqrt(a * a + b * b) / 100;  // false where a noise is NaN
}

/// The fastest row by the text that 'kind' gives; those for which it is empty are left out.
template <class Kind>
std::map<std::string, CsvRow> fastest(const Rows& rows, const Kind& kind) {
    std::map<std::string, CsvRow> best;
    for (const CsvRow& row : rows) {
        const std::string name = kind(row);
        if (name.empty() || std::isnan(row.us())) continue;
        if (!best.contains(name) || row.us() < best[name].us()) best[name] = row;
    }
    return best;
}

std::map<std::string, Rows> grouped(const Rows& rows, const std::vector<std::string>& without = {}) {
    std::map<std::string, Rows> groups;
    for (const CsvRow& row : rows)
        if (!std::isnan(row.us())) groups[row.key(without)].push_back(row);
    return groups;
}

void recount_winners(const Rows& all, const RecordedFinding& found) {
    Rows rows;
    std::ranges::copy_if(all, std::back_inserter(rows), [](const CsvRow& row) {
        return row.of("timing_scope") == "kernel" && row.of("dtype") == "fp32" && !row.of("noise_pct").empty();
    });
    std::map<std::string, int> wins;
    int cases = 0;
    for (const auto& [key, group] : grouped(rows)) {
        const auto methods = fastest(group, [](const CsvRow& row) { return row.of("method"); });
        if (methods.size() < 2) continue;
        ++cases;
        for (const auto& [name, row] : methods)
            wins[name] += std::ranges::all_of(
                methods, [&](const auto& other) { return other.first == name || beats(row, other.second); });
    }
    const auto best = std::ranges::max_element(wins, {}, &std::pair<const std::string, int>::second);
    ASSERT_NE(best, wins.end());
    if (cases == 1) {
        EXPECT_TRUE(found.headline.starts_with(best->second == 1 ? best->first + " is the fastest" : "No method"));
        return;
    }
    EXPECT_TRUE(found.headline.starts_with(fmt::format("{} wins {} of {} ", best->first, best->second, cases)))
        << best->first << " " << best->second << " of " << cases;
}

void recount_zeros(const Rows& rows, const RecordedFinding& found) {
    struct Count {
        int pays = 0, cases = 0;
    };
    std::map<std::string, Count> counts;
    int told = 0, against_all = 0;
    for (const auto& [key, group] : grouped(rows, {"sparsity_target"})) {
        // The work that a method executes without zeros and with them.
        std::map<std::string, std::map<double, double>> work;
        for (const CsvRow& row : group)
            if (!row.of("flops_executed").empty()) {
                double& least =
                    work[row.of("method")].try_emplace(row.number("sparsity_target"), INFINITY).first->second;
                least = std::min(least, row.number("flops_executed"));
            }
        const auto side = [&](const CsvRow& row) -> std::string {
            const double zeros = row.number("sparsity_target");
            std::string precision = row.of("arithmetic").substr(0, row.of("arithmetic").find('_'));
            for (char& letter : precision) letter = static_cast<char>(std::toupper(letter));
            if (zeros >= 1) return {};
            if (row.of("flops_executed").empty()) return row.vendor() ? precision : "";
            const auto& executed = work[row.of("method")];
            const double first = executed.begin()->second;
            if (executed.at(zeros) < 0.99 * first) return "skips";
            const bool less_later =
                std::ranges::any_of(executed, [&](const auto& at) { return at.second < 0.99 * first; });
            const bool less_than_all = executed.size() == 1 && first < 0.99 * row.number("flops_dense");
            return executed.begin()->first > 0 && (less_later || less_than_all) ? "" : precision;
        };
        std::map<double, std::map<std::string, CsvRow>> by_zeros;
        for (const auto& [name, row] : fastest(group, [&](const CsvRow& each) {
                 const std::string of = side(each);
                 return of.empty() ? of : of + " " + each.of("sparsity_target");
             }))
            by_zeros[row.number("sparsity_target")][name.substr(0, name.find(' '))] = row;
        std::erase_if(by_zeros, [](const auto& at) { return !at.second.contains("skips"); });
        if (by_zeros.empty()) continue;
        const auto& last = by_zeros.rbegin()->second;
        if (last.size() < 2) continue;
        ++told;
        bool all = true;
        for (const auto& [precision, dense] : last) {
            if (precision == "skips") continue;
            ++counts[precision].cases;
            const bool pays = beats(last.at("skips"), dense);
            counts[precision].pays += pays;
            all = all && pays;
        }
        against_all += all;
    }
    EXPECT_EQ(found.known(), told > 0);
    if (told == 0) return;
    EXPECT_NE(found.headline.find(fmt::format(" on {} of {} ", against_all, told)), std::string::npos);
    for (const auto& [precision, count] : counts)
        EXPECT_NE(found.detail.find(fmt::format("{} on {} of {}", precision, count.pays, count.cases)),
                  std::string::npos)
            << precision << " " << count.pays << " of " << count.cases;
}

void recount_scopes(const Rows& rows, const RecordedFinding& found) {
    std::map<std::string, std::pair<int, int>> counts;
    for (const auto& [key, group] : grouped(rows)) {
        const auto sides = fastest(group, [](const CsvRow& row) { return row.vendor() ? "vendor" : "ours"; });
        if (sides.size() < 2) continue;
        auto& [beaten, cases] = counts[group.front().of("timing_scope")];
        beaten += beats(sides.at("ours"), sides.at("vendor"));
        ++cases;
    }
    for (const auto& [scope, count] : counts)
        EXPECT_NE(found.detail.find(fmt::format("{} {} of {}", scope, count.first, count.second)), std::string::npos)
            << scope << " " << count.first << " of " << count.second;
    const bool always = std::ranges::all_of(counts, [](const auto& at) { return at.second.first == at.second.second; });
    EXPECT_EQ(found.headline.find("beaten on all") != std::string::npos, always);
}

void recount_launch(const Rows& rows, const RecordedFinding& found) {
    double most = 0;
    std::string times;
    for (const auto& [key, group] : grouped(rows))
        for (const auto& [method, fast] : fastest(group, [](const CsvRow& row) { return row.of("method"); })) {
            std::map<std::string, double> by_launch;
            for (const CsvRow& row : group)
                if (row.of("method") == method) {
                    std::string launch = row.of("tunables");
                    for (const char axis : {'x', 'y', 'z'}) launch += " " + row.of(std::string("block_size_") + axis);
                    double& us = by_launch.try_emplace(launch, INFINITY).first->second;
                    us = std::min(us, row.us());
                }
            for (const auto& [launch, us] : by_launch)
                if (us / fast.us() > most) {
                    most = us / fast.us();
                    times = method;
                }
        }
    EXPECT_EQ(found.headline, fmt::format("The launch matters up to {:.1f} times", most));
    EXPECT_TRUE(found.detail.starts_with(times + " takes ")) << times;
}

void recount_weights(const Rows& rows, const RecordedFinding& found) {
    double low = INFINITY, high = 0;
    int cases = 0, loses = 0;
    for (const auto& [key, group] : grouped(rows, {"weight_pattern"})) {
        const auto sides = fastest(group, [](const CsvRow& row) -> std::string {
            if (row.of("weight_pattern") == "2:4")
                return row.of("tunables").find("sparse=1") != std::string::npos ? "sparse" : "twin";
            return row.of("method") == "cudnn-fp16" ? "vendor" : "";
        });
        if (!sides.contains("sparse")) continue;
        ++cases;
        const double ratio = sides.at("twin").us() / sides.at("sparse").us();
        low = std::min(low, ratio);
        high = std::max(high, ratio);
        EXPECT_TRUE(beats(sides.at("sparse"), sides.at("twin")));
        loses += beats(sides.at("vendor"), sides.at("sparse"));
    }
    EXPECT_EQ(found.headline, fmt::format("2:4 buys {:.2f} to {:.2f} times; dense cudnn-fp16 wins {} of {} cases", low,
                                          high, loses, cases));
}

TEST(RecordedFinding, holds_in_every_recorded_session) {
    std::map<std::string, int> recounted;
    for (const std::filesystem::path& path : recorded_sessions()) {
        SCOPED_TRACE(path.stem().string());
        const std::optional<RecordedQuestion> question = question_of(session_of(path.stem().string()));
        ASSERT_TRUE(question);
        const RecordedFinding found = (*question)->answer(*open_compare_data({{path}, true}, {}));
        SCOPED_TRACE(found.headline + " / " + found.detail);
        const Rows rows = rows_of(path);
        ASSERT_FALSE(rows.empty());
        const std::string id = (*question)->id;
        if (id == "winners") recount_winners(rows, found);
        if (id == "zeros") recount_zeros(rows, found);
        if (id == "scopes") recount_scopes(rows, found);
        if (id == "launch") recount_launch(rows, found);
        if (id == "weights") recount_weights(rows, found);
        ++recounted[id];
        constexpr std::size_t one_line = 64;
        EXPECT_LE(found.headline.size(), one_line) << "it heads a card";
    }
    EXPECT_EQ(recounted.size(), RecordedQuestion::count);
    EXPECT_GE(recounted["zeros"], 8);
}

TEST(RecordedFinding, of_a_session_of_another_name_has_no_question) {
    EXPECT_FALSE(question_of("no-such-session"));
}

TEST(RecordedFinding, is_no_winner_within_the_interval) {
    Record close = row("im2col", 100.5), far = row("im2col", 110);
    EXPECT_EQ(finding::winners(*make_compare_data({row("ecr3", 100), close}, "")).headline,
              "No method of 2 is clearly the fastest");
    EXPECT_EQ(finding::winners(*make_compare_data({row("ecr3", 100), far}, "")).headline,
              "ecr3 is the fastest of 2 methods");
    far.noise_pct.reset();  // timed once
    EXPECT_FALSE(finding::winners(*make_compare_data({row("ecr3", 100), far}, "")).known());
}

TEST(RecordedFinding, says_no_where_zeros_do_not_pay) {
    const auto at = [](double sparse_us) {
        return finding::zeros(*make_compare_data(
            {row("ecr3", 100, 0), row("cudnn", 50, 0), row("ecr3", sparse_us, 0.9), row("cudnn", 50, 0.9)}, ""));
    };
    EXPECT_EQ(at(60).headline, "Skipping zeros beats dense FP32 on 0 of 1 layer");
    EXPECT_EQ(at(49.9).headline, "Skipping zeros beats dense FP32 on 0 of 1 layer") << "within the interval";
    EXPECT_EQ(at(40).headline, "Skipping zeros beats dense FP32 on 1 of 1 layer");
    EXPECT_EQ(at(40).detail, "FP32 on 1 of 1, from 90 % zeros");
}

TEST(RecordedCatalogue, has_one_card_with_one_question_for_both_devices) {
    const std::vector<RecordedCard> cards = read_recorded_catalogue({});
    std::set<std::string> names, files;
    std::size_t alone = 0;
    for (const RecordedCard& card : cards) {
        SCOPED_TRACE(card.name);
        EXPECT_TRUE(names.insert(card.name).second);
        ASSERT_FALSE(card.recordings.empty());
        EXPECT_EQ(card.recordings.front().name, card.name);
        for (std::size_t i = 0; i < card.recordings.size(); ++i) {
            const Recording& recording = card.recordings[i];
            files.insert(recording.name);
            const RecordedFinding answer = card.answer(i);
            EXPECT_TRUE(answer.known());
            if (recording.finding.known()) {
                EXPECT_EQ(answer.headline, recording.finding.headline);
                continue;
            }
            ++alone;
            EXPECT_EQ(answer.headline, "H200 alone: " + card.recordings.front().finding.headline);
            EXPECT_EQ(answer.detail, fmt::format("not known for the {}: {}", recording.device, card.question->unknown));
        }
    }
    EXPECT_EQ(files.size(), recorded_sessions().size());
    EXPECT_EQ(alone, 4U) << "H100 files from before flops_executed";
}

}  // namespace
}  // namespace convscope::app
