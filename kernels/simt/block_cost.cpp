#include "kernels/simt/block_cost.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "kernels/core/warp_request.h"

namespace convscope::simt {
namespace {

constexpr unsigned word_bytes = 4, line_bytes = 128;

using Lanes = std::vector<const TraceEvent*>;

unsigned lane_of(const TraceEvent& event) {
    return event.thread % warp_size;
}

/// As the hardware is given them.
struct ByLane {
    explicit ByLane(const Lanes& lanes) {
        for (const TraceEvent* event : lanes) {
            addresses[lane_of(*event)] = event->address;
            mask |= 1u << lane_of(*event);
        }
    }
    std::array<std::uint64_t, warp_size> addresses{};
    std::uint32_t mask = 0;
};

Request request_of(const BlockTrace& trace, const WarpStep& step) {
    const TraceEvent& first = *step.lanes.front();
    const ByLane all(step.lanes);
    Request request{.warp = step.warp,
                    .kind = first.kind,
                    .space = trace.arrays[static_cast<std::size_t>(first.array)].space,
                    .source = first.source,
                    .array = first.array,
                    .lanes = all.mask,
                    .bytes_wanted = word_bytes * pieces_of(all.addresses.data(), all.mask, first.bytes, word_bytes)};
    const bool load = first.kind == EventKind::load, atomic = first.kind == EventKind::atomic;
    if (request.space == Space::shared) {
        request.wavefronts = wavefronts_of(all.addresses.data(), all.mask, first.bytes, load, atomic);
    } else {
        request.sectors = sectors_of(all.addresses.data(), all.mask, first.bytes, atomic);
        request.lines = pieces_of(all.addresses.data(), all.mask, first.bytes, line_bytes);
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
    wavefronts += request.wavefronts.count;
    bank_conflicts += request.wavefronts.conflicts;
}

unsigned lanes_at_once(const Lanes& lanes) {
    const TraceEvent& first = *lanes.front();
    const ByLane all(lanes);
    return convscope::lanes_at_once(all.addresses.data(), all.mask, first.bytes, first.kind == EventKind::load);
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
