#include "kernels/simt/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "kernels/core/format_units.h"

namespace convscope::simt {
namespace {

double ratio(std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

std::string many(std::int64_t count, std::string_view one, std::string_view more) {
    return fmt::format("{} {}", format_count(count), count == 1 ? one : more);
}

/// "2" or "1.33"
std::string average(std::int64_t sum, std::int64_t count) {
    return sum % count == 0 ? format_count(sum / count) : format_digits(ratio(sum, count));
}

/// A kernel that skips zeros: a thread that touches this array has windows of its own, even if it multiplies nothing.
struct SkippingKernel {
    std::string_view kernel, array;
    bool one_window;  ///< for each thread, so that the window has the thread's name
};
constexpr SkippingKernel skipping_kernels[] = {
    {"ecr1", "Ptr", true}, {"ecr2", "Ptr", true},           {"pecr1", "all_Count", false},
    {"pecr2", "x", true},  {"ecr3_multiply", "Ptr", false}, {"pecr3_multiply", "Count", false},
};

std::vector<std::int64_t> multiplications(const BlockCost& cost) {
    std::vector<std::int64_t> all;
    for (const WarpCost& warp : cost.warps)
        all.insert(all.end(), warp.multiplications.begin(), warp.multiplications.end());
    return all;
}

std::vector<std::int64_t> accesses(const BlockTrace& trace, std::string_view array) {
    std::vector<std::int64_t> counts(trace.threads());
    for (const TraceEvent& event : trace.events)
        if (event.array >= 0 && (array.empty() || trace.arrays[static_cast<std::size_t>(event.array)].name == array))
            ++counts[event.thread];
    return counts;
}

/// Null for a kernel that multiplies whatever comes, or nothing.
const SkippingKernel* skipping(const BlockTrace& trace) {
    const auto* found = std::find_if(std::begin(skipping_kernels), std::end(skipping_kernels),
                                     [&](const SkippingKernel& each) { return each.kernel == trace.launch.kernel; });
    return found == std::end(skipping_kernels) ? nullptr : found;
}

std::string work(const BlockTrace& trace, const BlockCost& cost, std::int64_t per_output) {
    const std::int64_t dense = per_output * cost.outputs_written;
    if (cost.multiplications == 0)
        return skipping(trace) ? fmt::format("No multiplications done, all {} skipped", format_count(dense))
                               : "No multiply-adds in this block";
    const std::string done = many(cost.multiplications, "multiplication", "multiplications") + " done";
    if (dense == 0) return done;
    if (dense < cost.multiplications)
        return fmt::format("{} the dense work: {} where {} would do",
                           share_of_dense(static_cast<double>(cost.multiplications), static_cast<double>(dense)), done,
                           format_count(dense));
    if (dense == cost.multiplications)
        return fmt::format("All {} multiplications done, none skipped", format_count(dense));
    return fmt::format("{} of {} multiplications done, {} skipped", format_count(cost.multiplications),
                       format_count(dense), format_percent(ratio(dense - cost.multiplications, dense)));
}

/// Why some lanes of the block's warps do nothing of what the others do; empty where all are busy.
std::string idle(const BlockTrace& trace, const BlockCost& cost) {
    const std::int64_t threads = trace.threads(), lanes = std::int64_t{warp_size} * std::ssize(cost.warps);
    std::vector<std::string> reasons;
    if (threads < lanes) reasons.push_back("the block has " + many(threads, "thread", "threads"));
    const SkippingKernel* const skips = skipping(trace);
    const bool multiplies = skips || cost.multiplications > 0;
    const std::vector<std::int64_t> busy = multiplies ? multiplications(cost) : accesses(trace, {});
    const std::vector<std::int64_t> evidence = skips ? accesses(trace, skips->array) : std::vector<std::int64_t>();
    std::vector<unsigned> zero, without;
    for (unsigned thread = 0; thread < trace.threads(); ++thread)
        if (busy[thread] == 0) (skips && evidence[thread] > 0 ? zero : without).push_back(thread);
    if (!zero.empty()) {
        const bool one = zero.size() == 1 && skips->one_window;
        reasons.push_back(fmt::format("{} {} {} all zero",
                                      skips->one_window ? one ? "window" : "windows" : "the windows of",
                                      thread_names(zero), one ? "is" : "are"));
    }
    if (!without.empty())
        reasons.push_back(fmt::format("{} {} nothing to {}", thread_names(without),
                                      without.size() == 1 ? "has" : "have", multiplies ? "multiply" : "do"));
    if (reasons.empty()) return {};
    const auto idle_threads = static_cast<std::int64_t>(zero.size() + without.size());
    return fmt::format("{} of {} lanes idle: {}", lanes - threads + idle_threads, lanes, fmt::join(reasons, "; "));
}

std::string balance(const BlockCost& cost) {
    const std::vector<std::int64_t> each = multiplications(cost);
    const std::int64_t most = *std::max_element(each.begin(), each.end());
    std::vector<unsigned> longest;
    for (unsigned thread = 0; thread < each.size(); ++thread)
        if (each[thread] == most) longest.push_back(thread);
    if (longest.size() == each.size())
        return each.size() == 1 ? ""
                                : fmt::format("Even work: every thread multiplies {}", many(most, "time", "times"));
    std::int64_t slots = 0;
    for (const WarpCost& warp : cost.warps)
        slots += warp.multiply_steps * static_cast<std::int64_t>(warp.multiplications.size());
    return fmt::format("Uneven work: {} {} {}, a thread {} on average; lanes sit out {} of their warp's multiply-adds",
                       thread_names(longest), longest.size() == 1 ? "multiplies" : "multiply",
                       many(most, "time", "times"),
                       average(cost.multiplications, static_cast<std::int64_t>(each.size())),
                       format_percent(1 - ratio(cost.multiplications, slots)));
}

std::int64_t min_sectors(const Request& request) {
    return (request.bytes_wanted + 31) / 32;
}

/// Where the sum of what requests take beyond the least is largest: "most of it at x".
std::string worst_array(const BlockTrace& trace, const BlockCost& cost, Space space) {
    std::vector<std::int64_t> excess(trace.arrays.size());
    for (const Request& request : cost.requests)
        if (request.space == space)
            excess[static_cast<std::size_t>(request.array)] +=
                space == Space::shared ? request.wavefronts.conflicts : request.sectors - min_sectors(request);
    return trace.arrays[static_cast<std::size_t>(std::max_element(excess.begin(), excess.end()) - excess.begin())].name;
}

std::string coalescing(const BlockTrace& trace, const BlockCost& cost) {
    MemoryCost all;
    std::int64_t least = 0;
    for (const Request& request : cost.requests)
        if (request.space == Space::global) {
            all.add(request);
            least += min_sectors(request);
        }
    if (all.requests == 0) return {};
    const std::string wanted =
        fmt::format("{} of the {} moved are wanted", format_percent(ratio(all.bytes_wanted, all.bytes_moved())),
                    format_bytes(all.bytes_moved()));
    const std::string sectors =
        average(all.sectors, all.requests) + (all.sectors == all.requests ? " sector" : " sectors");
    // Requests for a few bytes each cannot take fewer sectors, and still waste most of them.
    if (all.sectors == least && 2 * all.bytes_wanted < all.bytes_moved())
        return fmt::format(
            "Global memory takes {} per request, as few as its addresses allow, but most of what moves "
            "is unused: a request wants {} B on average; {}",
            sectors, average(all.bytes_wanted, all.requests), wanted);
    if (all.sectors == least)
        return fmt::format("Global memory is coalesced: {} per request, the least possible; {}", sectors, wanted);
    return fmt::format("Global memory takes {} per request, {} would be enough; {} takes most of the others; {}",
                       sectors, average(least, all.requests), worst_array(trace, cost, Space::global), wanted);
}

std::string conflicts(const BlockTrace& trace, const BlockCost& cost) {
    std::int64_t requests = 0, conflicts = 0;
    for (const WarpCost& warp : cost.warps) {
        requests += warp.shared.requests;
        conflicts += warp.shared.bank_conflicts;
    }
    if (requests == 0) return {};
    const std::string made = many(requests, "request", "requests");
    if (conflicts == 0) return fmt::format("No bank conflicts in {} to shared memory", made);
    return fmt::format("{} in {} to shared memory, most of them in {}",
                       many(conflicts, "bank conflict", "bank conflicts"), made,
                       worst_array(trace, cost, Space::shared));
}

std::string occupied(const BlockTrace& trace, const DeviceModel& model) {
    const Occupancy of_block = occupancy(model, trace.launch);
    return fmt::format("{}: occupancy {}", of_block.sentence, format_percent(of_block.percent / 100));
}

}  // namespace

std::string share_of_dense(double done, double dense) {
    return done > dense ? format_digits(done / dense) + "x" : format_percent(done / dense);
}

std::string thread_names(const std::vector<unsigned>& threads) {
    std::vector<std::string> parts;
    std::vector<std::size_t> behind;  // how many threads come after each part
    for (std::size_t i = 0; i < threads.size();) {
        std::size_t end = i + 1;
        while (end < threads.size() && threads[end] == threads[end - 1] + 1) ++end;
        if (end - i < 3) end = i + 1;
        parts.push_back(end - i == 1 ? fmt::format("T{}", threads[i] + 1)
                                     : fmt::format("T{} to T{}", threads[i] + 1, threads[end - 1] + 1));
        behind.push_back(threads.size() - end);
        i = end;
    }
    constexpr std::size_t most = 4, shown = 2;
    if (parts.size() > most) {
        parts.resize(shown);
        parts.push_back(fmt::format("{} more", behind[shown - 1]));
    }
    if (parts.size() == 1) return parts.front();
    const std::string last = parts.back();
    parts.pop_back();
    return fmt::format("{} and {}", fmt::join(parts, ", "), last);
}

std::vector<std::string> describe(const BlockTrace& trace, const BlockCost& cost, const DeviceModel& model,
                                  std::int64_t multiplications_per_output) {
    std::vector<std::string> sentences;
    if (trace.whole) {
        sentences.push_back(work(trace, cost, multiplications_per_output));
        sentences.push_back(idle(trace, cost));
        if (cost.multiplications > 0) sentences.push_back(balance(cost));
    }
    sentences.push_back(coalescing(trace, cost));
    sentences.push_back(conflicts(trace, cost));
    sentences.push_back(occupied(trace, model));
    std::erase(sentences, "");
    return sentences;
}

}  // namespace convscope::simt
