#include "app/compare/recorded_finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>
#include <vector>

#include "app/compare/compare_data.h"
#include "kernels/core/format_units.h"
#include "kernels/records/ratio_estimate.h"
#include "kernels/records/zeros_pay.h"

namespace convscope::app {
namespace {

struct SessionQuestion {
    std::string_view session;
    RecordedQuestion question;
};
constexpr SessionQuestion questions[] = {
    {"blocks-ecr-single", "launch"},
    {"blocks-ecr3", "launch"},
    {"blocks-fused", "launch"},
    {"blocks-pecr-single", "launch"},
    {"blocks-pecr3", "launch"},
    {"tunables-fcr", "launch"},
    {"tunables-tiled", "launch"},
    {"chang-figures", "winners"},
    {"chang-multi", "winners"},
    {"chang-single", "winners"},
    {"grisett-tables", "winners"},
    {"grisett-toy", "winners"},
    {"mec-cv", "winners"},
    {"mec-cv-batch32", "winners"},
    {"vgg19-layers", "winners"},
    {"size-sparsity-map", "zeros"},
    {"vgg19-conv5-batch", "zeros"},
    {"vgg19-conv5-sparsity", "zeros"},
    {"xu2022-sparsity", "zeros"},
    {"zeros-formats", "zeros"},
    {"zeros-live-channels", "zeros"},
    {"zeros-vgg19-conv5_1", "zeros"},
    {"zeros-vgg19-fc", "zeros"},
    {"zeros-weights", "weights"},
    {"xu2019-layers", "scopes"},
    {"xu2019-single-maps", "scopes"},
    {"xu2022-layers", "scopes"},
    {"xu2022-scopes", "scopes"},
    {"xu2022-sparsity-batch", "scopes"},
};

double time_of(const CompareData& data, std::size_t row) {
    return data.number(row, compare_columns().time);
}

/// Slower over faster, of the medians.
double ratio_of(const CompareData& data, std::size_t faster, std::size_t slower) {
    return time_of(data, slower) / time_of(data, faster);
}

/// By more than the 95 % interval of the ratio.
bool is_faster(const CompareData& data, std::size_t row, std::size_t than) {
    const std::size_t noise = compare_columns().noise;
    const double ratio = ratio_of(data, row, than);
    return ratio > 1 && differs_from_one(ratio, data.known(row, noise), data.known(than, noise));
}

std::string method_of(const CompareData& data, std::size_t row) {
    return std::string(data.text(row, compare_columns().method));
}

std::vector<std::size_t> timed_rows(
    const CompareData& data, const std::function<bool(std::size_t)>& meets = [](std::size_t) { return true; }) {
    std::vector<std::size_t> rows;
    data.latest.each([&](std::size_t row) {
        if (data.passed(row) && meets(row)) rows.push_back(row);
    });
    return rows;
}

/// The fastest row of each method under the same conditions, the fastest first.
using Case = std::vector<std::size_t>;
std::map<RowConditions, Case> cases_of(const CompareData& data, const std::vector<std::size_t>& rows) {
    std::map<RowConditions, std::map<std::string, std::size_t>> fastest;
    for (const std::size_t row : rows) {
        std::size_t& there = fastest[conditions_of(data, row)].try_emplace(method_of(data, row), row).first->second;
        if (time_of(data, row) < time_of(data, there)) there = row;
    }
    std::map<RowConditions, Case> cases;
    for (const auto& [conditions, methods] : fastest) {
        Case& order = cases[conditions];
        for (const auto& [method, row] : methods) order.push_back(row);
        std::ranges::stable_sort(order, {}, [&](std::size_t row) { return time_of(data, row); });
    }
    return cases;
}

/// The noun of cases, by what differs from one to the next: "layer", "batch size", or more than one of them.
const char* noun_of(const std::set<RowConditions>& cases) {
    std::set<double> layers, batches;
    for (const RowConditions& each : cases) {
        layers.insert(each.layer);
        batches.insert(each.n);
    }
    return layers.size() == cases.size() ? "layer" : batches.size() == cases.size() ? "batch size" : "case";
}

std::string noun_of_all(const std::set<RowConditions>& cases) {
    return noun_of(cases) + std::string(cases.size() == 1 ? "" : "s");
}

/// "1.05 to 1.18", or the one number that both are.
std::string range_text(double low, double high) {
    const std::string from = fmt::format("{:.2f}", low), to = fmt::format("{:.2f}", high);
    return from == to ? from : from + " to " + to;
}

/// Winners of cases, in words: "tensor3 wins 15 of 16 layers in FP32".
RecordedFinding tally_text(const std::map<std::string, std::size_t>& wins, std::size_t unclear, std::size_t all,
                           const std::string& noun, const char* among) {
    constexpr std::size_t max_named = 4;
    std::vector<std::pair<std::string, std::size_t>> order(wins.begin(), wins.end());
    std::ranges::stable_sort(order, std::greater(), &std::pair<std::string, std::size_t>::second);
    if (order.empty()) return {fmt::format("No method clearly wins any of {} {}{}", all, noun, among), {}};
    RecordedFinding found{
        fmt::format("{} wins {} of {} {}{}", order.front().first, order.front().second, all, noun, among), {}};
    std::vector<std::string> parts;
    std::size_t others = 0;
    for (std::size_t i = 1; i < order.size(); ++i)
        if (i < max_named)
            parts.push_back(fmt::format("{} {}", order[i].first, order[i].second));
        else
            others += order[i].second;
    if (others > 0) parts.push_back(fmt::format("others {}", others));
    if (unclear > 0) parts.push_back(fmt::format("too close to call {}", unclear));
    found.detail = fmt::format("{}", fmt::join(parts, ", "));
    return found;
}

/// Which of the methods in one case is the fastest.
RecordedFinding one_case_text(const CompareData& data, const Case& order, const char* among) {
    const std::size_t first = order[0];
    const auto named = [&](std::size_t row) {
        return fmt::format("{} ({})", method_of(data, row), format_time_us(time_of(data, row)));
    };
    std::vector<std::string> tied{named(first)};
    for (const std::size_t row : order | std::views::drop(1))
        if (!is_faster(data, first, row)) tied.push_back(named(row));
    if (tied.size() > 1)
        return {fmt::format("No method of {} is clearly the fastest{}", order.size(), among),
                fmt::format("{}", fmt::join(tied, " or "))};
    return {fmt::format("{} is the fastest of {} methods{}", method_of(data, first), order.size(), among),
            fmt::format("{}, {:.2f} times as fast as {}", format_time_us(time_of(data, first)),
                        ratio_of(data, first, order[1]), named(order[1]))};
}

/// Vendor methods of less precision that are faster than the winner of a case, and on how many cases.
std::string less_precise_text(const CompareData& data, const std::vector<std::size_t>& winners) {
    std::map<std::string, std::size_t> faster;
    for (const std::size_t winner : winners) {
        const std::optional<std::size_t> strongest = data.strongest.of(data, winner);
        if (!strongest || data.text(*strongest, compare_columns().dtype) == "fp32") continue;
        if (is_faster(data, *strongest, winner)) ++faster[method_of(data, *strongest)];
    }
    std::vector<std::string> parts;
    for (const auto& [method, count] : faster)
        parts.push_back(winners.size() == 1 ? method : fmt::format("{} on {}", method, count));
    return parts.empty() ? "" : fmt::format("faster in less precision: {}", fmt::join(parts, ", "));
}

/// The order in which precisions are named, and after them any other.
std::vector<std::string> in_order(const std::set<std::string>& precisions) {
    std::vector<std::string> order;
    for (const char* known : {"FP32", "TF32", "BF16", "FP16"})
        if (precisions.contains(known)) order.emplace_back(known);
    for (const std::string& each : precisions)
        if (std::ranges::find(order, each) == order.end()) order.push_back(each);
    return order;
}

std::string joined(const std::string& a, const std::string& b) {
    return a + (a.empty() || b.empty() ? "" : "; ") + b;
}

}  // namespace

std::string session_of(const std::string& file_name) {
    constexpr std::string_view other_device = "-h100";
    return file_name.ends_with(other_device) ? file_name.substr(0, file_name.size() - other_device.size()) : file_name;
}

std::optional<RecordedQuestion> question_of(std::string_view session) {
    const auto found = std::ranges::find(questions, session, &SessionQuestion::session);
    return found == std::end(questions) ? std::nullopt : std::optional(found->question);
}

RecordedFinding finding::zeros(const CompareData& data) {
    std::map<RowConditions, std::vector<Record>> groups;
    for (const std::size_t row : timed_rows(data)) {
        RowConditions conditions = conditions_of(data, row);
        conditions.zeros = 0;
        groups[conditions].push_back(data.table.record(row));
    }
    struct Tally {
        std::size_t pays = 0, cases = 0;
        double earliest = 1;
    };
    std::map<std::string, Tally> tallies;
    std::set<std::string> precisions;
    std::set<RowConditions> told;
    std::size_t against_all = 0;
    for (const auto& [conditions, records] : groups) {
        const std::optional<ZerosPay> pay = zeros_pay(records);
        if (!pay) continue;
        told.insert(conditions);
        against_all +=
            std::ranges::all_of(pay->dense, [](const auto& dense) { return dense.from.has_value(); }) ? 1 : 0;
        for (const ZerosPay::Dense& dense : pay->dense) {
            precisions.insert(dense.precision);
            Tally& tally = tallies[dense.precision];
            ++tally.cases;
            if (!dense.from) continue;
            ++tally.pays;
            tally.earliest = std::min(tally.earliest, *dense.from);
        }
    }
    if (told.empty()) return {};
    const std::string one = precisions.size() == 1 ? "dense " + *precisions.begin() : "every dense method";
    RecordedFinding found{
        fmt::format("Skipping zeros beats {} on {} of {} {}", one, against_all, told.size(), noun_of_all(told)), {}};
    for (const std::string& precision : in_order(precisions)) {
        const Tally& tally = tallies[precision];
        std::string part = fmt::format("{} on {} of {}", precision, tally.pays, tally.cases);
        if (tally.pays > 0)
            part += fmt::format(", {}from {} zeros", tally.pays > 1 ? "at the earliest " : "",
                                format_percent(tally.earliest));
        found.detail = joined(found.detail, part);
    }
    return found;
}

RecordedFinding finding::winners(const CompareData& data) {
    const auto in_kernel = [&](std::size_t row) { return data.text(row, compare_columns().scope) == "kernel"; };
    const auto is_fp32 = [&](std::size_t row) { return data.text(row, compare_columns().dtype) == "fp32"; };
    // A row that was timed once has no interval, and neither wins nor loses.
    const std::vector<std::size_t> all =
        timed_rows(data, [&](std::size_t row) { return in_kernel(row) && data.known(row, compare_columns().noise); });
    std::vector<std::size_t> fp32;
    std::ranges::copy_if(all, std::back_inserter(fp32), is_fp32);
    const char* const among = fp32.size() < all.size() ? " in FP32" : "";
    std::map<RowConditions, Case> cases = cases_of(data, fp32);
    const std::size_t timed = cases.size();
    std::erase_if(cases, [](const auto& one) { return one.second.size() < 2; });
    if (cases.empty()) return {};
    std::map<std::string, std::size_t> wins;
    std::vector<std::size_t> first;
    std::set<RowConditions> told;
    std::size_t unclear = 0;
    for (const auto& [conditions, order] : cases) {
        told.insert(conditions);
        first.push_back(order.front());
        if (std::ranges::all_of(order.begin() + 1, order.end(),
                                [&](std::size_t row) { return is_faster(data, order.front(), row); }))
            ++wins[method_of(data, order.front())];
        else
            ++unclear;
    }
    std::set<double> layers;
    for (std::size_t row = 0; row < data.table.rows(); ++row) layers.insert(data.layer[row]);
    const bool some_untimed = timed > cases.size() || layers.size() > told.size();
    RecordedFinding found = cases.size() == 1 ? one_case_text(data, cases.begin()->second, among)
                                              : tally_text(wins, unclear, cases.size(),
                                                           (some_untimed ? "timed " : "") + noun_of_all(told), among);
    found.detail = joined(found.detail, less_precise_text(data, first));
    return found;
}

RecordedFinding finding::scopes(const CompareData& data) {
    struct Tally {
        std::set<RowConditions> cases;
        std::size_t beaten = 0;
    };
    constexpr std::size_t all_cases = static_cast<std::size_t>(-1);
    std::map<std::string, Tally, std::less<>> by_scope;
    std::set<std::string> methods;
    const auto rows = timed_rows(data, [&](std::size_t row) { return !data.vendor(row); });
    for (const auto& [conditions, order] : cases_of(data, rows)) {
        const std::optional<std::size_t> vendor = data.strongest.of(data, order.front());
        if (!vendor) continue;
        for (const std::size_t row : order) methods.insert(method_of(data, row));
        Tally& tally = by_scope[std::string(data.text(order.front(), compare_columns().scope))];
        tally.cases.insert(conditions);
        tally.beaten += is_faster(data, order.front(), *vendor) ? 1 : 0;
    }
    std::vector<std::string> parts;
    std::set<std::size_t> counts;
    std::vector<std::pair<const char*, const Tally*>> in_turn;
    for (const char* scope : {"kernel", "launch", "copies", "alloc", "setup"}) {
        const auto at = by_scope.find(scope);
        if (at == by_scope.end()) continue;
        const Tally& tally = at->second;
        in_turn.emplace_back(scope, &tally);
        parts.push_back(fmt::format("{} {} of {}", scope, tally.beaten, tally.cases.size()));
        counts.insert(tally.beaten == tally.cases.size() ? all_cases : tally.beaten);
    }
    if (in_turn.size() < 2) return {};
    const auto& [shortest, first] = in_turn.front();
    const auto& [longest, last] = in_turn.back();
    RecordedFinding found;
    const std::string noun = noun_of_all(first->cases);
    const bool same_cases = std::ranges::all_of(
        in_turn, [&, &of = *first](const auto& one) { return one.second->cases.size() == of.cases.size(); });
    const std::string all = same_cases ? fmt::format("{} {}", first->cases.size(), noun) : "timed " + noun;
    if (counts == std::set<std::size_t>{all_cases})
        found.headline = fmt::format("The vendor is beaten on all {}, whatever is timed", all);
    else if (counts == std::set<std::size_t>{0})
        found.headline = fmt::format("The vendor is beaten on none of {}, whatever is timed", all);
    else
        found.headline = fmt::format("The vendor is beaten on {} of {} {} by {}, {}{} by {}", first->beaten,
                                     first->cases.size(), noun, shortest, last->beaten,
                                     same_cases ? "" : fmt::format(" of {}", last->cases.size()), longest);
    found.detail = fmt::format("by the best of {}: {}", fmt::join(methods, ", "), fmt::join(parts, ", "));
    return found;
}

RecordedFinding finding::launch(const CompareData& data) {
    static const std::size_t x = table_column("block_size_x"), y = table_column("block_size_y"),
                             z = table_column("block_size_z"), tunables = table_column("tunables");
    const auto rows = timed_rows(data);
    std::set<std::string> settings;
    for (const std::size_t row : rows) settings.insert(data.table.cell(row, tunables));
    // The blocks follow from tunables where these were varied.
    const auto launch_of = [&](std::size_t row) {
        const auto number = [&](std::size_t column) { return data.table.cell(row, column); };
        return settings.size() > 1 ? data.table.cell(row, tunables)
                                   : fmt::format("block {}x{}x{}", number(x), number(y), number(z));
    };
    std::map<std::string, std::map<RowConditions, std::map<std::string, std::size_t>>> by_method;
    for (const std::size_t row : rows) {
        std::size_t& there =
            by_method[method_of(data, row)][conditions_of(data, row)].try_emplace(launch_of(row), row).first->second;
        if (time_of(data, row) < time_of(data, there)) there = row;
    }
    std::optional<std::size_t> best, worst;  // of the case in which the launch matters most
    std::set<RowConditions> all;
    std::map<std::string, bool> everywhere;  // methods of several cases: whether one launch is beaten nowhere
    for (const auto& [method, cases] : by_method)
        for (const auto& [conditions, launches] : cases) all.insert(conditions);
    for (const auto& [method, cases] : by_method) {
        std::map<std::string, std::size_t> unbeaten;
        for (const auto& [conditions, launches] : cases) {
            const auto time = [&](const auto& one) { return time_of(data, one.second); };
            const std::size_t fast = std::ranges::min_element(launches, {}, time)->second,
                              slow = std::ranges::max_element(launches, {}, time)->second;
            for (const auto& [launch, row] : launches)
                if (!is_faster(data, fast, row)) ++unbeaten[launch];
            if (launches.size() < 2) continue;
            // A clear difference before a larger one within the noise.
            const bool clear = is_faster(data, fast, slow), best_clear = best && is_faster(data, *best, *worst);
            if (!best || clear > best_clear ||
                (clear == best_clear && ratio_of(data, fast, slow) > ratio_of(data, *best, *worst))) {
                best = fast;
                worst = slow;
            }
        }
        if (all.size() > 1 && cases.size() == all.size())
            everywhere[method] =
                std::ranges::any_of(unbeaten, [&](const auto& one) { return one.second == all.size(); });
    }
    if (!best) return {};
    if (!is_faster(data, *best, *worst)) return {"No launch is clearly faster than another", {}};
    RecordedFinding found{fmt::format("The launch matters up to {:.1f} times", ratio_of(data, *best, *worst)),
                          fmt::format("{} takes {} to {}", method_of(data, *best), format_time_us(time_of(data, *best)),
                                      format_time_us(time_of(data, *worst)))};
    if (everywhere.empty()) found.detail += ", fastest with " + launch_of(*best);
    for (const auto& [method, one] : everywhere)
        found.detail += fmt::format("; {} launch of {} is among the fastest on all {} {}", one ? "one" : "no", method,
                                    all.size(), noun_of_all(all));
    return found;
}

RecordedFinding finding::weights(const CompareData& data) {
    static const std::size_t pattern = table_column("weight_pattern");
    const CompareColumns& c = compare_columns();
    const auto is_24 = [&](std::size_t row) { return data.text(row, pattern) == "2:4"; };
    // Dense rows with the same share of zeros in w, whose places do not matter to them.
    std::map<RowConditions, std::map<std::string, std::size_t>> vendors;
    const auto anywhere = [&](std::size_t row) {
        RowConditions conditions = conditions_of(data, row);
        conditions.weight_pattern = 0;
        return conditions;
    };
    for (const std::size_t row : timed_rows(data, [&](std::size_t each) { return data.vendor(each); })) {
        std::size_t& there =
            vendors[anywhere(row)].try_emplace(std::string(data.text(row, c.dtype)), row).first->second;
        if (time_of(data, row) < time_of(data, there)) there = row;
    }
    // The same kernel with and without 2:4 differs in what it executes.
    struct Twins {
        std::optional<std::size_t> sparse, dense;
    };
    std::map<std::pair<std::string, RowConditions>, Twins> twins;
    for (const std::size_t row : timed_rows(data, is_24)) {
        const double share = data.number(row, c.flops_executed) / data.number(row, c.flops_dense);
        if (std::isnan(share)) continue;
        Twins& pair = twins[{method_of(data, row), conditions_of(data, row)}];
        std::optional<std::size_t>& there = share < 0.75 ? pair.sparse : pair.dense;
        if (!there || time_of(data, row) < time_of(data, *there)) there = row;
    }
    double low = std::numeric_limits<double>::infinity(), high = 0;
    std::size_t count = 0, gains = 0, compared = 0, loses = 0;
    std::set<std::string> names;
    for (const auto& [key, pair] : twins) {
        if (!pair.sparse || !pair.dense) continue;
        ++count;
        gains += is_faster(data, *pair.sparse, *pair.dense) ? 1 : 0;
        const double ratio = ratio_of(data, *pair.sparse, *pair.dense);
        low = std::min(low, ratio);
        high = std::max(high, ratio);
        const auto place = vendors.find(anywhere(*pair.sparse));
        if (place == vendors.end()) continue;
        const auto vendor = place->second.find(std::string(data.text(*pair.sparse, c.dtype)));
        if (vendor == place->second.end()) continue;
        ++compared;
        names.insert(method_of(data, vendor->second));
        loses += is_faster(data, vendor->second, *pair.sparse) ? 1 : 0;
    }
    if (count == 0) return {};
    RecordedFinding found;
    found.headline = gains == count ? fmt::format("2:4 buys {} times", range_text(low, high))
                                    : fmt::format("2:4 is clearly faster on {} of {}", gains, counted(count, "case"));
    if (compared > 0)
        found.headline += fmt::format("; dense {} wins {} of {}", fmt::join(names, " or "), loses,
                                      gains == count ? counted(compared, "case") : std::to_string(compared));
    found.detail = fmt::format("the same kernel with and without, on {} of layer and cache", counted(count, "case"));
    return found;
}

}  // namespace convscope::app
