// mbarrier: PTX ISA, 'Parallel Synchronization and Communication Instructions: mbarrier'. A thread that waits is parked
// until the phase has ended; copies that arrive there land when somebody waits for them, as late as a GPU may.
#include "kernels/ptx/run/mbarrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "kernels/ptx/run/async_access.h"
#include "kernels/ptx/run/cluster_run.h"
#include "kernels/ptx/run/decode.h"

namespace convscope::ptx {
namespace {

constexpr unsigned mbarrier_bytes = 8;
constexpr std::uint32_t max_arrivals = (1u << 20) - 1;

std::uint32_t shared_offset(std::uint64_t address) {
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
                         .found = warp.block().location(warp, lane, op.line),
                         .element = name_of(warp, lane, address),
                         .what = std::move(what),
                         .other = {},
                         .other_action = {}});
}

/// Whoever uses it comes after the thread that has initialised it.
void check_created(Warp& warp, const Op& op, unsigned lane, std::uint64_t address, const Mbarrier& barrier) {
    BlockRun& block = warp.block();
    block.race_detector().set_warp(warp.number());
    ShadowCell cell;
    cell.plain = barrier.created;
    const AccessRecord mine = block.race_detector().record(warp.thread(lane), op.line, 15, 0);
    if (block.race_detector().note_read(cell, nullptr, mine, true).other == 0) return;
    block.report({.kind = FindingKind::race,
                  .found = block.location(warp, lane, op.line),
                  .element = name_of(warp, lane, address),
                  .what = "uses it, and no barrier comes between",
                  .other = block.location_of(barrier.created),
                  .other_action = "initialises it"});
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

std::uint32_t value_at(Warp& warp, std::uint32_t reg_offset, unsigned lane) {
    return reg_offset == no_reg ? 1 : warp.values<std::uint32_t>(reg_offset)[lane];
}

/// op.b: arrivals of each phase.
void initialise(Warp& warp, const Op& op) {
    each_barrier(warp, op, [&](unsigned lane, std::uint64_t address) {
        const std::uint32_t count = value_at(warp, op.b, lane);
        if (count == 0 || count > max_arrivals)
            return report_barrier(warp, op, lane, address, FindingKind::divergent_barrier,
                                  fmt::format("is to wait for {} arrivals; it can for 1 to {}", count, max_arrivals));
        LaneAccess access(warp, op, mbarrier_bytes, AccessKind::write);
        if (!access.reach(lane, address)) return;
        RaceDetector& detector = warp.block().race_detector();
        Mbarrier& barrier = warp.block().locate(address, 0).block->mbarriers[shared_offset(address)];
        barrier = {};
        barrier.expected = barrier.pending_arrivals = count;
        barrier.arriving = barrier.done = detector.empty_clock();
        barrier.created = detector.record(warp.thread(lane), op.line, 15, 0);
    });
}

/// By whoever is the last to use it, which atomics tell.
void invalidate(Warp& warp, const Op& op) {
    each_barrier(warp, op, [&](unsigned lane, std::uint64_t address) {
        LaneAccess access(warp, op, mbarrier_bytes, AccessKind::write, op.line, true);
        if (mbarrier_at(warp, op, lane, address) && access.reach(lane, address))
            warp.block().locate(address, 0).block->mbarriers.erase(shared_offset(address));
    });
}

/// Bits of Op::variant.
enum : std::uint8_t { drops = 1, announces = 2, is_relaxed = 4 };

/// op.b: the arrivals, or the bytes that are announced; op.d: the state before.
void arrive_at(Warp& warp, const Op& op) {
    LaneAccess access(warp, op, mbarrier_bytes, AccessKind::update);
    each_barrier(warp, op, [&](unsigned lane, std::uint64_t address) {
        Mbarrier* const barrier = mbarrier_at(warp, op, lane, address);
        if (!barrier || !access.reach(lane, address)) return;
        const bool bytes = (op.variant & announces) != 0;
        const std::uint32_t value = value_at(warp, op.b, lane), count = bytes ? 1 : value;
        if (op.d != no_reg)
            warp.values<std::uint64_t>(op.d)[lane] = std::uint64_t{barrier->pending_arrivals} << 32 | barrier->phase;
        if (count > barrier->pending_arrivals)
            return report_barrier(warp, op, lane, address, FindingKind::divergent_barrier,
                                  fmt::format("arrives {} times at its phase {}, which lacks {} of {} arrivals", count,
                                              barrier->phase, barrier->pending_arrivals, barrier->expected));
        if (bytes) barrier->tx_count += value;
        if (op.variant & drops) barrier->expected -= count;
        if (!(op.variant & is_relaxed)) warp.block().race_detector().release(warp.number(), barrier->arriving);
        barrier->pending_arrivals -= count;
        note_change(warp, *barrier);
    });
}

/// mbarrier.expect_tx, and complete_tx where op.variant is set.
void change_bytes(Warp& warp, const Op& op) {
    LaneAccess access(warp, op, mbarrier_bytes, AccessKind::update);
    each_barrier(warp, op, [&](unsigned lane, std::uint64_t address) {
        Mbarrier* const barrier = mbarrier_at(warp, op, lane, address);
        if (!barrier || !access.reach(lane, address)) return;
        const std::int64_t bytes = value_at(warp, op.b, lane);
        barrier->tx_count += op.variant ? -bytes : bytes;
        note_change(warp, *barrier);
    });
}

/// Completes the copies in flight to the barrier.
void land(Warp& warp, Mbarrier& barrier) {
    if (barrier.in_flight.empty()) return;
    RaceDetector& detector = warp.block().race_detector();
    for (const InFlight& each : std::exchange(barrier.in_flight, {})) {
        if (each.content.empty()) {
            end_copies(*each.warp, *each.op, each.lane, each.copies);
            detector.release(each.warp->number(), barrier.arriving);
            --barrier.pending_arrivals;
        } else {
            const auto bytes = static_cast<unsigned>(each.content.size());
            AsyncAccess(*each.warp, *each.op, bytes, AccessKind::write).land(each.lane, each.to, each.content.data());
            detector.end_started(each.warp->number(), detector.arrive(), barrier.arriving);
            barrier.tx_count -= bytes;
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
        Mbarrier* const barrier = mbarrier_at(warp, op, lane, address);
        const std::uint32_t parity =
            op.variant ? warp.values<std::uint32_t>(op.c)[lane] & 1 : warp.values<std::uint64_t>(op.c)[lane] & 1;
        if (barrier && !barrier->has_completed(parity)) {
            const auto later = std::ranges::count_if(barrier->in_flight, [](auto& f) { return f.content.empty(); });
            if (barrier->pending_arrivals == later) land(warp, *barrier);
        }
        if (!barrier || barrier->has_completed(parity))
            ended |= 1u << lane;
        else
            waited_for = shared_offset(address);
    });
    if (ended == 0 && !warp.gives_up()) return warp.wait_for_event(waited_for);
    LaneAccess access(warp, op, mbarrier_bytes, AccessKind::read, op.line, true);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(ended >> lane & 1)) continue;
        const Mbarriers& barriers = warp.block().mbarriers;
        const auto barrier = barriers.find(shared_offset(addresses[lane]));
        if (barrier == barriers.end() || !access.reach(lane, addresses[lane])) continue;
        warp.block().race_detector().acquire(warp.number(), barrier->second.done);
    }
    warp.set_predicate(op.d, ended);
}

void arrive_after_copies(Warp& warp, const Op& op) {
    LaneAccess access(warp, op, mbarrier_bytes, AccessKind::update);
    each_barrier(warp, op, [&](unsigned lane, std::uint64_t address) {
        Mbarrier* const barrier = mbarrier_at(warp, op, lane, address);
        if (!barrier || !access.reach(lane, address)) return;
        if (!op.variant) ++barrier->pending_arrivals;
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

bool decode_arrive(Decoder& decoder, InstructionDecoder& instr, Op& op, bool drop) {
    const bool bytes = instr.take("expect_tx");
    instr.ignore({"noComplete"});
    if (instr.operands() < 2 || instr.operands() > 3 || (bytes && instr.operands() != 3)) return false;
    op.variant = static_cast<std::uint8_t>((drop ? drops : 0) | (bytes ? announces : 0) |
                                           (instr.take("relaxed") ? is_relaxed : 0));
    if (instr.operand(0).kind != Operand::Kind::nothing) op.d = decoder.result(instr.operand(0), Type::b64);
    decoder.take_address(instr.operand(1), op);
    if (instr.operands() == 3) op.b = decoder.source(instr.operand(2), Type::u32);
    op.run = arrive_at;
    return true;
}

bool decode_wait(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.operands() < 3 || instr.operands() > 4) return false;  // the fourth: for how long
    op.variant = instr.take("parity");
    op.d = decoder.result(instr.operand(0), Type::pred);
    decoder.take_address(instr.operand(1), op);
    op.c = decoder.source(instr.operand(2), op.variant ? Type::u32 : Type::b64);
    op.run = wait_for_phase;
    return true;
}

bool decode_mbarrier(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::barrier;
    if (instr.take("pending_count")) {
        instr.ignore({"b64"});
        op.run = count_pending;
        decoder.take_operands(instr, op, Type::u32, {Type::b64});
        return true;
    }
    instr.ignore({"release", "acquire", "cta", "cluster", "b64"});
    op.space = take_memory_space(instr);
    op.bytes = mbarrier_bytes;
    if (instr.take("arrive")) return decode_arrive(decoder, instr, op, false);
    if (instr.take("arrive_drop")) return decode_arrive(decoder, instr, op, true);
    if (instr.take("test_wait") || instr.take("try_wait")) {
        instr.ignore({"relaxed"});
        return decode_wait(decoder, instr, op);
    }
    instr.ignore({"relaxed"});
    if (instr.take("inval")) {
        op.run = invalidate;
    } else if (instr.take("init")) {
        op.run = initialise;
    } else if (const int how = instr.take_one({"expect_tx", "complete_tx"}); how >= 0) {
        op.run = change_bytes;
        op.variant = how == 1;
    }
    if (!op.run || instr.operands() != (op.run == invalidate ? 1u : 2u)) return false;
    decoder.take_address(instr.operand(0), op);
    if (instr.operands() == 2) op.b = decoder.source(instr.operand(1), Type::u32);
    return true;
}

constexpr OpcodeRow rows_of_mbarriers[] = {{"mbarrier", decode_mbarrier}};

}  // namespace

Mbarrier* mbarrier_at(Warp& warp, const Op& op, unsigned lane, std::uint64_t address) {
    const Located in = warp.block().locate(address, warp.thread(lane));
    if (in.block) {
        const auto found = in.block->mbarriers.find(shared_offset(address));
        if (found != in.block->mbarriers.end()) {
            check_created(warp, op, lane, address, found->second);
            return &found->second;
        }
    }
    report_barrier(warp, op, lane, address, FindingKind::uninitialised,
                   in.block ? "is no mbarrier: nobody has initialised it" : "there is no mbarrier in shared memory");
    return nullptr;
}

void note_change(Warp& warp, Mbarrier& barrier) {
    ClusterRun& cluster = warp.block().cluster();
    const bool arrived = barrier.pending_arrivals == 0;
    if (arrived && barrier.tx_count == 0) {
        ++barrier.phase;
        barrier.pending_arrivals = barrier.expected;
        barrier.done = std::exchange(barrier.arriving, cluster.race_detector().empty_clock());
    }
    if (arrived)
        cluster.wake();
    else
        cluster.note_progress();
}

bool decode_arrive_after_copies(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (!instr.take("arrive") || instr.operands() != 1) return false;
    op.variant = instr.take("noinc");
    instr.ignore({"b64"});
    op.space = take_memory_space(instr);
    op.bytes = mbarrier_bytes;
    op.kind = Kind::barrier;
    decoder.take_address(instr.operand(0), op);
    op.run = arrive_after_copies;
    return true;
}

std::span<const OpcodeRow> mbarrier_opcodes() {
    return rows_of_mbarriers;
}

}  // namespace convscope::ptx
