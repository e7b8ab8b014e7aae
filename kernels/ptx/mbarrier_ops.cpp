// mbarrier: PTX ISA, 'Parallel Synchronization and Communication Instructions: mbarrier'. A thread that waits is parked
// until the phase has ended; copies that arrive there land when somebody waits for them, as late as a GPU may.
#include "kernels/ptx/mbarrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "kernels/ptx/async_access.h"
#include "kernels/ptx/cluster_run.h"
#include "kernels/ptx/decode.h"

namespace convscope::ptx {
namespace {

constexpr unsigned mbarrier_bytes = 8;
constexpr std::uint32_t max_arrivals = (1u << 20) - 1;

std::uint32_t place_of(std::uint64_t address) {
    return static_cast<std::uint32_t>(address & own_shared_mask);
}

std::string name_of(Warp& warp, unsigned lane, std::uint64_t address) {
    const Located in = warp.block().locate(address, warp.thread(lane));
    if (!in.array) return {};
    return fmt::format("{}[{}]", in.array->name, static_cast<std::int64_t>(address - in.begin) / mbarrier_bytes);
}

void report_barrier(Warp& warp, const Op& op, unsigned lane, std::uint64_t address, FindingKind kind,
                    std::string what) {
    warp.block().report({.kind = kind,
                         .found = warp.block().side(warp, lane, op.site),
                         .element = name_of(warp, lane, address),
                         .what = std::move(what),
                         .other = {},
                         .other_does = {}});
}

/// Whoever uses it comes after the thread that has initialised it.
void check_created(Warp& warp, const Op& op, unsigned lane, std::uint64_t address, const MBarrier& barrier) {
    BlockRun& block = warp.block();
    block.watch().set_warp(warp.number());
    Cell cell;
    cell.write = barrier.created;
    const Record mine = block.watch().record(warp.thread(lane), op.site, 15, 0);
    if (block.watch().note_read(cell, mine, true).other == 0) return;
    block.report({.kind = FindingKind::race,
                  .found = block.side(warp, lane, op.site),
                  .element = name_of(warp, lane, address),
                  .what = "uses it, and no barrier comes between",
                  .other = block.side_of(barrier.created),
                  .other_does = "initialises it"});
}

/// Calls visit(lane, address) for the active lanes.
template <class Visit>
void each_barrier(Warp& warp, const Op& op, const Visit& visit) {
    std::uint64_t addresses[lanes];
    addresses_of(warp, op, addresses);
    const std::uint32_t here = warp.mask;
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (here >> lane & 1) visit(lane, addresses[lane]);
}

std::uint32_t value_at(Warp& warp, std::uint32_t place, unsigned lane) {
    return place == no_place ? 1 : warp.values<std::uint32_t>(place)[lane];
}

/// op.b: arrivals of each phase.
void initialise(Warp& warp, const Op& op) {
    each_barrier(warp, op, [&](unsigned lane, std::uint64_t address) {
        const std::uint32_t count = value_at(warp, op.b, lane);
        if (count == 0 || count > max_arrivals)
            return report_barrier(warp, op, lane, address, FindingKind::divergent_barrier,
                                  fmt::format("is to wait for {} arrivals; it can for 1 to {}", count, max_arrivals));
        LaneAccess access(warp, op, mbarrier_bytes, Does::write);
        if (!access.reach(lane, address)) return;
        Watch& watch = warp.block().watch();
        MBarrier& barrier = warp.block().locate(address, 0).block->mbarriers[place_of(address)];
        barrier = {};
        barrier.expected = barrier.pending = count;
        barrier.arriving = barrier.done = watch.no_order();
        barrier.created = watch.record(warp.thread(lane), op.site, 15, 0);
    });
}

/// By whoever is the last to use it, which atomics tell.
void invalidate(Warp& warp, const Op& op) {
    each_barrier(warp, op, [&](unsigned lane, std::uint64_t address) {
        LaneAccess access(warp, op, mbarrier_bytes, Does::write, op.site, true);
        if (mbarrier_at(warp, op, lane, address) && access.reach(lane, address))
            warp.block().locate(address, 0).block->mbarriers.erase(place_of(address));
    });
}

/// Bits of Op::choice.
enum : std::uint8_t { drops = 1, announces = 2, is_relaxed = 4 };

/// op.b: the arrivals, or the bytes that are announced; op.d: the state before.
void arrive_at(Warp& warp, const Op& op) {
    LaneAccess access(warp, op, mbarrier_bytes, Does::update);
    each_barrier(warp, op, [&](unsigned lane, std::uint64_t address) {
        MBarrier* const barrier = mbarrier_at(warp, op, lane, address);
        if (!barrier || !access.reach(lane, address)) return;
        const bool bytes = (op.choice & announces) != 0;
        const std::uint32_t value = value_at(warp, op.b, lane), count = bytes ? 1 : value;
        if (op.d != no_place)
            warp.values<std::uint64_t>(op.d)[lane] = std::uint64_t{barrier->pending} << 32 | barrier->phase;
        if (count > barrier->pending)
            return report_barrier(warp, op, lane, address, FindingKind::divergent_barrier,
                                  fmt::format("arrives {} times at its phase {}, which lacks {} of {} arrivals", count,
                                              barrier->phase, barrier->pending, barrier->expected));
        if (bytes) barrier->bytes += value;
        if (op.choice & drops) barrier->expected -= count;
        if (!(op.choice & is_relaxed)) warp.block().watch().release(warp.number(), barrier->arriving);
        barrier->pending -= count;
        note_change(warp, *barrier);
    });
}

/// mbarrier.expect_tx, and complete_tx where op.choice is set.
void change_bytes(Warp& warp, const Op& op) {
    LaneAccess access(warp, op, mbarrier_bytes, Does::update);
    each_barrier(warp, op, [&](unsigned lane, std::uint64_t address) {
        MBarrier* const barrier = mbarrier_at(warp, op, lane, address);
        if (!barrier || !access.reach(lane, address)) return;
        const std::int64_t bytes = value_at(warp, op.b, lane);
        barrier->bytes += op.choice ? -bytes : bytes;
        note_change(warp, *barrier);
    });
}

/// What is under way to it comes to its end.
void land(Warp& warp, MBarrier& barrier) {
    if (barrier.in_flight.empty()) return;
    Watch& watch = warp.block().watch();
    for (const InFlight& each : std::exchange(barrier.in_flight, {})) {
        if (each.content.empty()) {
            end_copies(*each.warp, *each.op, each.lane, each.copies);
            watch.release(each.warp->number(), barrier.arriving);
            --barrier.pending;
        } else {
            const auto bytes = static_cast<unsigned>(each.content.size());
            AsyncAccess(*each.warp, *each.op, bytes, Does::write).land(each.lane, each.to, each.content.data());
            watch.end_started(each.warp->number(), watch.arrive(), barrier.arriving);
            barrier.bytes -= bytes;
        }
    }
    note_change(warp, barrier);
}

/// op.c: the phase's parity, or the state that an arrival gave; op.d is set where the phase has ended.
void wait_for_phase(Warp& warp, const Op& op) {
    std::uint32_t ended = 0, waited_for = 0;
    std::uint64_t addresses[lanes];
    each_barrier(warp, op, [&](unsigned lane, std::uint64_t address) {
        addresses[lane] = address;
        MBarrier* const barrier = mbarrier_at(warp, op, lane, address);
        const std::uint32_t parity =
            op.choice ? warp.values<std::uint32_t>(op.c)[lane] & 1 : warp.values<std::uint64_t>(op.c)[lane] & 1;
        if (barrier && !barrier->has_completed(parity)) {
            const auto later = std::ranges::count_if(barrier->in_flight, [](auto& f) { return f.content.empty(); });
            if (barrier->pending == later) land(warp, *barrier);
        }
        if (!barrier || barrier->has_completed(parity))
            ended |= 1u << lane;
        else
            waited_for = place_of(address);
    });
    if (ended == 0 && !warp.gives_up()) return warp.wait_for_event(waited_for);
    LaneAccess access(warp, op, mbarrier_bytes, Does::read, op.site, true);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(ended >> lane & 1)) continue;
        const MBarriers& barriers = warp.block().mbarriers;
        const auto barrier = barriers.find(place_of(addresses[lane]));
        if (barrier == barriers.end() || !access.reach(lane, addresses[lane])) continue;
        warp.block().watch().acquire(warp.number(), barrier->second.done);
    }
    warp.set_predicate(op.d, ended);
}

void arrive_after_copies(Warp& warp, const Op& op) {
    LaneAccess access(warp, op, mbarrier_bytes, Does::update);
    each_barrier(warp, op, [&](unsigned lane, std::uint64_t address) {
        MBarrier* const barrier = mbarrier_at(warp, op, lane, address);
        if (!barrier || !access.reach(lane, address)) return;
        if (!op.choice) ++barrier->pending;
        barrier->in_flight.push_back({&warp, lane, &op, 0, {}, warp.copies[lane].begun});
        warp.block().cluster().wake();
    });
}

void count_pending(Warp& warp, const Op& op) {
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (warp.mask >> lane & 1)
            warp.values<std::uint32_t>(op.d)[lane] =
                static_cast<std::uint32_t>(warp.values<std::uint64_t>(op.a)[lane] >> 32);
}

bool decode_arrive(Decoder& decoder, Reading& reading, Op& op, bool drop) {
    const bool bytes = reading.take("expect_tx");
    reading.ignore({"noComplete"});
    if (reading.operands() < 2 || reading.operands() > 3 || (bytes && reading.operands() != 3)) return false;
    op.choice = static_cast<std::uint8_t>((drop ? drops : 0) | (bytes ? announces : 0) |
                                          (reading.take("relaxed") ? is_relaxed : 0));
    if (reading.operand(0).kind != Operand::Kind::nothing) op.d = decoder.result(reading.operand(0), Type::b64);
    decoder.take_address(reading.operand(1), op);
    if (reading.operands() == 3) op.b = decoder.source(reading.operand(2), Type::u32);
    op.run = arrive_at;
    return true;
}

bool decode_wait(Decoder& decoder, Reading& reading, Op& op) {
    if (reading.operands() < 3 || reading.operands() > 4) return false;  // the fourth: for how long
    op.choice = reading.take("parity");
    op.d = decoder.result(reading.operand(0), Type::pred);
    decoder.take_address(reading.operand(1), op);
    op.c = decoder.source(reading.operand(2), op.choice ? Type::u32 : Type::b64);
    op.run = wait_for_phase;
    return true;
}

bool decode_mbarrier(Decoder& decoder, Reading& reading, Op& op) {
    op.kind = Kind::barrier;
    if (reading.take("pending_count")) {
        reading.ignore({"b64"});
        op.run = count_pending;
        decoder.take_operands(reading, op, Type::u32, {Type::b64});
        return true;
    }
    reading.ignore({"release", "acquire", "cta", "cluster", "b64"});
    op.space = take_memory_space(reading);
    op.bytes = mbarrier_bytes;
    if (reading.take("arrive")) return decode_arrive(decoder, reading, op, false);
    if (reading.take("arrive_drop")) return decode_arrive(decoder, reading, op, true);
    if (reading.take("test_wait") || reading.take("try_wait")) {
        reading.ignore({"relaxed"});
        return decode_wait(decoder, reading, op);
    }
    reading.ignore({"relaxed"});
    if (reading.take("inval")) {
        op.run = invalidate;
    } else if (reading.take("init")) {
        op.run = initialise;
    } else if (const int how = reading.take_one({"expect_tx", "complete_tx"}); how >= 0) {
        op.run = change_bytes;
        op.choice = how == 1;
    }
    if (!op.run || reading.operands() != (op.run == invalidate ? 1u : 2u)) return false;
    decoder.take_address(reading.operand(0), op);
    if (reading.operands() == 2) op.b = decoder.source(reading.operand(1), Type::u32);
    return true;
}

constexpr OpcodeRow rows_of_mbarriers[] = {{"mbarrier", decode_mbarrier}};

}  // namespace

MBarrier* mbarrier_at(Warp& warp, const Op& op, unsigned lane, std::uint64_t address) {
    const Located in = warp.block().locate(address, warp.thread(lane));
    if (in.block) {
        const auto found = in.block->mbarriers.find(place_of(address));
        if (found != in.block->mbarriers.end()) {
            check_created(warp, op, lane, address, found->second);
            return &found->second;
        }
    }
    report_barrier(warp, op, lane, address, FindingKind::uninitialised,
                   in.block ? "is no mbarrier: nobody has initialised it" : "there is no mbarrier in shared memory");
    return nullptr;
}

void note_change(Warp& warp, MBarrier& barrier) {
    ClusterRun& cluster = warp.block().cluster();
    const bool arrived = barrier.pending == 0;
    if (arrived && barrier.bytes == 0) {
        ++barrier.phase;
        barrier.pending = barrier.expected;
        barrier.done = std::exchange(barrier.arriving, cluster.watch().no_order());
    }
    if (arrived)
        cluster.wake();
    else
        cluster.note_progress();
}

bool decode_arrive_after_copies(Decoder& decoder, Reading& reading, Op& op) {
    if (!reading.take("arrive") || reading.operands() != 1) return false;
    op.choice = reading.take("noinc");
    reading.ignore({"b64"});
    op.space = take_memory_space(reading);
    op.bytes = mbarrier_bytes;
    op.kind = Kind::barrier;
    decoder.take_address(reading.operand(0), op);
    op.run = arrive_after_copies;
    return true;
}

std::span<const OpcodeRow> mbarrier_opcodes() {
    return rows_of_mbarriers;
}

}  // namespace convscope::ptx
