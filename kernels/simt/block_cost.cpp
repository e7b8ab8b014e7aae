#include "kernels/simt/block_cost.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

namespace convscope::simt {
namespace {

constexpr unsigned bank_bytes = 4, banks = 32, sector_bytes = 32, line_bytes = 128;

using Lanes = std::vector<const TraceEvent*>;

/// How many different aligned pieces of 'piece' bytes the lanes touch.
unsigned pieces(const Lanes& lanes, unsigned piece) {
    std::vector<std::uint64_t> touched;
    for (const TraceEvent* event : lanes)
        for (std::uint64_t at = event->address / piece; at <= (event->address + event->bytes - 1) / piece; ++at)
            touched.push_back(at);
    std::sort(touched.begin(), touched.end());
    return static_cast<unsigned>(std::unique(touched.begin(), touched.end()) - touched.begin());
}

unsigned lane_of(const TraceEvent& event) {
    return event.thread % warp_size;
}

/// The most that one bank has to serve of lanes [first, end): different words, which lanes share, or, for atomics,
/// which take turns at a word, the lanes themselves.
unsigned busiest_bank(const Lanes& lanes, unsigned first, unsigned end) {
    std::array<std::vector<std::uint64_t>, banks> words;
    for (const TraceEvent* event : lanes) {
        if (lane_of(*event) < first || lane_of(*event) >= end) continue;
        for (std::uint64_t word = event->address / bank_bytes; word * bank_bytes < event->address + event->bytes;
             ++word) {
            std::vector<std::uint64_t>& of_bank = words[word % banks];
            if (event->kind == EventKind::atomic || std::find(of_bank.begin(), of_bank.end(), word) == of_bank.end())
                of_bank.push_back(word);
        }
    }
    std::size_t most = 0;
    for (const auto& of_bank : words) most = std::max(most, of_bank.size());
    return static_cast<unsigned>(most);
}

/// Whether every active lane wants the element that the lane 'apart' from it wants, where that one is active.
bool paired(const Lanes& lanes, unsigned apart) {
    std::array<const TraceEvent*, warp_size> by_lane{};
    for (const TraceEvent* event : lanes) by_lane[lane_of(*event)] = event;
    return std::all_of(lanes.begin(), lanes.end(), [&](const TraceEvent* event) {
        const TraceEvent* other = by_lane[lane_of(*event) ^ apart];
        return !other || other->address == event->address;
    });
}

/// Passes over the banks.
unsigned wavefronts(const Lanes& lanes) {
    const unsigned at_once = lanes_at_once(lanes);
    unsigned sum = 0;
    for (unsigned first = 0; first < warp_size; first += at_once) sum += busiest_bank(lanes, first, first + at_once);
    return sum;
}

/// Pieces of 32 bytes that move. Atomics take turns at a word, and move its sector each time.
unsigned sectors(const Lanes& lanes) {
    if (lanes.front()->kind != EventKind::atomic) return pieces(lanes, sector_bytes);
    std::map<std::uint64_t, unsigned> lanes_of_element, turns_of_sector;
    for (const TraceEvent* event : lanes) {
        unsigned& turns = turns_of_sector[event->address / sector_bytes];
        turns = std::max(turns, ++lanes_of_element[event->address]);
    }
    unsigned sum = 0;
    for (const auto& [sector, turns] : turns_of_sector) sum += turns;
    return sum;
}

Request request_of(const BlockTrace& trace, const WarpStep& step) {
    const TraceEvent& first = *step.lanes.front();
    Request request{.warp = step.warp,
                    .kind = first.kind,
                    .space = trace.arrays[static_cast<std::size_t>(first.array)].space,
                    .source = first.source,
                    .array = first.array};
    for (const TraceEvent* event : step.lanes) request.lanes |= 1u << lane_of(*event);
    request.bytes_wanted = bank_bytes * pieces(step.lanes, bank_bytes);
    if (request.space == Space::shared) {
        request.wavefronts = wavefronts(step.lanes);
    } else {
        request.sectors = sectors(step.lanes);
        request.lines = pieces(step.lanes, line_bytes);
    }
    return request;
}

}  // namespace

void MemoryCost::add(const Request& request) {
    ++requests;
    active_lanes += std::popcount(request.lanes);
    bytes_wanted += request.bytes_wanted;
    sectors += request.sectors;
    lines += request.lines;
    wavefronts += request.wavefronts;
}

/// Elements of 8 and 16 bytes are served to a half and a quarter of the warp at a time; loads to twice as many lanes,
/// where all neighbours, or all second neighbours, share their elements. So an NVIDIA H100 counts
/// (docs/measurements/h100-counters.md).
unsigned lanes_at_once(const Lanes& lanes) {
    const unsigned at_once = warp_size / std::max(1u, lanes.front()->bytes / bank_bytes);
    const bool wide_load = at_once < warp_size && lanes.front()->kind == EventKind::load;
    return wide_load && (paired(lanes, 1) || paired(lanes, 2)) ? 2 * at_once : at_once;
}

BlockCost cost_of(const BlockTrace& trace) {
    BlockCost cost;
    for (unsigned first = 0; first < trace.threads(); first += warp_size) {
        cost.warps.emplace_back();
        cost.warps.back().multiplications.assign(std::min(warp_size, trace.threads() - first), 0);
    }
    for (const WarpStep& step : in_lockstep(trace)) {
        WarpCost& warp = cost.warps[step.warp];
        if (step.lanes.front()->kind == EventKind::multiply_add) {
            for (const TraceEvent* event : step.lanes) ++warp.multiplications[event->thread % warp_size];
            ++warp.multiply_steps;
            cost.multiplications += static_cast<std::int64_t>(step.lanes.size());
            continue;
        }
        const Request request = request_of(trace, step);
        (request.space == Space::shared ? warp.shared : warp.global).add(request);
        cost.requests.push_back(request);
    }
    std::set<std::uint64_t> written;
    for (const TraceEvent& event : trace.events) {
        if (event.kind == EventKind::barrier && event.thread == 0) ++cost.barriers;
        if (event.kind == EventKind::store &&
            trace.arrays[static_cast<std::size_t>(event.array)].space == Space::global)
            written.insert(event.address);
    }
    cost.outputs_written = static_cast<std::int64_t>(written.size());
    return cost;
}

}  // namespace convscope::simt
