#include "kernels/ptx/ops/heap_ops.h"

#include <fmt/format.h>

#include <cstring>

#include "kernels/ptx/run/lane_access.h"
#include "kernels/ptx/run/malloc_heap.h"

namespace convscope::ptx {
namespace {

/// The argument of a lane's call.
std::uint64_t call_argument(Warp& warp, const Op& op, unsigned lane) {
    std::uint64_t value = 0;
    LaneAccess access(warp, op, sizeof value, AccessKind::read);
    if (const std::byte* memory = access.reach(lane, warp.values<std::uint64_t>(op.a)[lane]))
        std::memcpy(&value, memory, sizeof value);
    return value;
}

/// Reports threads that may still use the freed bytes: freeing counts as a write of all of them.
void check_races(Warp& warp, const Op& op, unsigned lane, MallocHeap::Allocation& freed) {
    BlockRun& block = warp.block();
    RaceDetector& detector = block.race_detector();
    Array& array = freed.array;
    const AccessRecord mine = detector.record(warp.thread(lane), op.line, 15, 0);
    for (std::uint64_t word = 0; word < array.words(); ++word) {
        const RaceDetector::Race race =
            detector.note_write(array.shadow[word], array.updated ? &array.updates[word] : nullptr, mine, false);
        if (race.other == 0) continue;
        const ThreadLocation here = block.location(warp, lane, op.line), other = block.location_of(race.other);
        return block.report(
            {.kind = FindingKind::race,
             .found = here,
             .element = array.element(4 * word, 4),
             .what = fmt::format("frees it, and {}", here.block == other.block ? "no barrier comes between"
                                                                               : "blocks of one launch have no order"),
             .other = other,
             .other_action = race.wrote ? "writes it" : "reads it"});
    }
}

void release_of_lane(Warp& warp, const Op& op, unsigned lane) {
    const std::uint64_t address = call_argument(warp, op, lane);
    if (address == 0) return;
    BlockRun& block = warp.block();
    MallocHeap& heap = block.launch().heap;
    std::uint64_t begin = 0;
    MallocHeap::Allocation* const found = in_malloc_heap(address) ? heap.find(address, begin) : nullptr;
    const ThreadLocation here = block.location(warp, lane, op.line);
    Finding finding{
        .kind = FindingKind::invalid_free, .found = here, .element = {}, .what = {}, .other = {}, .other_action = {}};
    if (!found) {
        const Located in = in_malloc_heap(address) ? Located{} : block.locate(address, warp.thread(lane));
        finding.what = in.array ? fmt::format("frees {}, which malloc() of a kernel has not returned", in.array->name)
                                : "frees what malloc() of a kernel has not returned";
    } else if (found->array.freed) {
        finding.element = found->array.name;
        finding.what = "frees it again";
        finding.other = found->freed_by;
        finding.other_action = "freed it";
        if (!finding.other) finding.what += "; it was freed in an earlier launch";
    } else if (address != begin) {
        finding.element = found->array.name;
        finding.what =
            fmt::format("frees a place {} bytes {} its begin", address < begin ? begin - address : address - begin,
                        address < begin ? "before" : "behind");
    } else {
        check_races(warp, op, lane, *found);
        return heap.free(*found, begin, here);
    }
    block.report(std::move(finding));
}

}  // namespace

void allocate(Warp& warp, const Op& op) {
    BlockRun& block = warp.block();
    MallocHeap& heap = block.launch().heap;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(warp.mask >> lane & 1)) continue;
        const ThreadLocation here = block.location(warp, lane, op.line);
        const std::uint64_t address =
            heap.allocate(call_argument(warp, op, lane),
                          fmt::format("malloc({})", source_location(*block.program().module, here.at)), here);
        LaneAccess result(warp, op, sizeof address, AccessKind::write);
        if (std::byte* memory = result.reach(lane, warp.values<std::uint64_t>(op.c)[lane]))
            std::memcpy(memory, &address, sizeof address);
    }
}

void release(Warp& warp, const Op& op) {
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (warp.mask >> lane & 1) release_of_lane(warp, op, lane);
}

}  // namespace convscope::ptx
