#include "kernels/simt/requests.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

namespace convscope::simt {
namespace {

constexpr unsigned warp_size = 32, bank_bytes = 4, banks = 32, sector_bytes = 32, line_bytes = 128;

/// How many different aligned pieces of 'piece' bytes the lanes touch.
unsigned pieces(const std::vector<const TraceEvent*>& lanes, unsigned piece) {
    std::vector<std::uint64_t> touched;
    for (const TraceEvent* event : lanes)
        for (std::uint64_t at = event->address / piece; at <= (event->address + event->bytes - 1) / piece; ++at)
            touched.push_back(at);
    std::sort(touched.begin(), touched.end());
    return static_cast<unsigned>(std::unique(touched.begin(), touched.end()) - touched.begin());
}

/// The most different words that one bank has to give; lanes with the same word share it. Elements of 8 and 16 bytes
/// are served to a half and a quarter of the warp at a time.
unsigned wavefronts(const std::vector<const TraceEvent*>& lanes) {
    const unsigned at_once = warp_size / std::max(1u, lanes.front()->bytes / bank_bytes);
    unsigned sum = 0;
    for (unsigned first = 0; first < warp_size; first += at_once) {
        std::array<std::set<std::uint64_t>, banks> words;
        for (const TraceEvent* event : lanes) {
            const unsigned lane = event->thread % warp_size;
            if (lane < first || lane >= first + at_once) continue;
            for (std::uint64_t word = event->address / bank_bytes; word * bank_bytes < event->address + event->bytes;
                 ++word)
                words[word % banks].insert(word);
        }
        std::size_t most = 0;
        for (const auto& bank : words) most = std::max(most, bank.size());
        sum += static_cast<unsigned>(most);
    }
    return sum;
}

Request request_of(const BlockTrace& trace, const WarpStep& step) {
    const TraceEvent& first = *step.lanes.front();
    Request request{.warp = step.warp,
                    .kind = first.kind,
                    .space = trace.arrays[static_cast<std::size_t>(first.array)].space,
                    .source = first.source,
                    .array = first.array};
    for (const TraceEvent* event : step.lanes) request.lanes |= 1u << event->thread % warp_size;
    request.bytes_wanted = bank_bytes * pieces(step.lanes, bank_bytes);
    if (request.space == Space::shared) {
        request.wavefronts = wavefronts(step.lanes);
    } else {
        request.sectors = pieces(step.lanes, sector_bytes);
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
