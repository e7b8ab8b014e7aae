// cp.async: what it copies is read at once, and written when the thread waits for it, as late as a GPU may. Until then
// whoever touches its destination, or writes its source, is found: a GPU copies at any time in between.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "kernels/ptx/run/async_access.h"
#include "kernels/ptx/run/decode.h"

namespace convscope::ptx {
namespace {

/// op.a, op.bits, op.wide: the address in shared memory; operands[0] that in global memory, op.c the bytes to copy
/// where that is said. The rest of op.bytes is zero.
void copy_later(Warp& warp, const Op& op) {
    std::uint64_t to[lanes], from[lanes];
    addresses_of(warp, op, to);
    const std::uint32_t* operands = &warp.program().operands[op.extra_operands];
    Op source = op;
    source.space = Space::generic;
    source.a = operands[0];
    source.bits = warp.values<std::uint64_t>(operands[1])[0];
    source.wide = true;
    addresses_of(warp, source, from);
    const unsigned wanted = op.bytes;
    const auto count_of = [&](unsigned lane) {
        return op.c == no_reg ? wanted : std::min(wanted, warp.values<std::uint32_t>(op.c)[lane]);
    };
    // A lane that only fills with zeros asks global memory for nothing.
    const std::uint32_t reading = warp.mask & lanes_where([&](unsigned lane) { return count_of(lane) > 0; });
    if (reading != 0 && warp.block().counts_wanted()) {
        const std::uint32_t here = std::exchange(warp.mask, reading);
        // An NVIDIA H100 serves those of 16 bytes to a quarter of the warp at a time
        // (docs/measurements/h100-ptx-counters.md); plain loads move each sector once.
        count_request(warp, op, from, wanted, AccessKind::read, wanted == 16 ? lanes / 4 : lanes);
        warp.mask = here;
    }
    constexpr std::size_t max_pending = 4096;  // no GPU keeps so many
    if (warp.copies[std::countr_zero(warp.mask)].pending.size() >= max_pending)
        return warp.block().report_endless(
            warp, fmt::format("the thread has {} copies in flight and does not wait", max_pending));
    warp.block().copies_begun = true;
    LaneAccess access(warp, op, wanted, AccessKind::read), destination(warp, op, wanted, AccessKind::write);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(warp.mask >> lane & 1)) continue;
        PendingCopy copy;
        copy.to = to[lane];
        copy.from = from[lane];
        copy.line = op.line;
        copy.bytes = op.bytes;
        const unsigned count = count_of(lane);
        if (count == wanted) {
            if (const std::byte* memory = access.reach(lane, from[lane])) std::memcpy(copy.content, memory, wanted);
        } else if (count > 0) {
            LaneAccess byte(warp, op, 1, AccessKind::read);
            for (unsigned i = 0; i < count; ++i)
                if (const std::byte* memory = byte.reach(lane, from[lane] + i))
                    std::memcpy(copy.content + i, memory, 1);
        }
        copy.read = static_cast<std::uint8_t>(count);
        access.keep_source(lane, copy);
        copy.lands = destination.begin_copy(lane, copy.to);
        warp.copies[lane].pending.push_back(copy);
        ++warp.copies[lane].begun;
    }
}

void commit(Warp& warp, const Op&) {
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (warp.mask >> lane & 1) warp.copies[lane].groups.push_back(warp.copies[lane].begun);
}

/// All groups but the newest op.bits; all copies where op.variant is set.
void wait_for_copies(Warp& warp, const Op& op) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(warp.mask >> lane & 1)) continue;
        LaneCopies& copies = warp.copies[lane];
        while (copies.groups.size() > op.bits) {
            end_copies(warp, op, lane, copies.groups.front());
            copies.groups.pop_front();
        }
        if (op.variant) end_copies(warp, op, lane, copies.begun);
    }
}

bool decode_cp(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (!instr.take("async")) return false;
    if (instr.take("bulk")) return decode_bulk(decoder, instr, op);
    if (instr.take("mbarrier")) return decode_arrive_after_copies(decoder, instr, op);
    op.kind = Kind::load;
    if (instr.take("commit_group")) {
        op.run = commit;
        op.kind = Kind::control;
        return true;
    }
    if (instr.take("wait_group") || instr.take("wait_all")) {
        op.run = wait_for_copies;
        op.kind = Kind::control;
        op.variant = instr.operands() == 0;
        if (!op.variant) op.bits = instr.operand(0).bits;
        return op.variant || instr.operand(0).kind == Operand::Kind::integer;
    }
    instr.ignore({"ca", "cg", "L2::64B", "L2::128B", "L2::256B"});
    op.space = take_memory_space(instr);
    if (op.space != Space::shared || instr.operands() < 3 || instr.operands() > 4) return false;
    instr.ignore({"global"});
    const Operand& size = instr.operand(2);
    if (size.kind != Operand::Kind::integer || (size.bits != 4 && size.bits != 8 && size.bits != 16)) return false;
    op.bytes = static_cast<std::uint8_t>(size.bits);
    if (instr.operands() == 4) {
        if (decoder.register_type(instr.operand(3)) == Type::pred) return false;
        op.c = decoder.source(instr.operand(3), Type::b32);
    }
    Op global;
    decoder.take_address(instr.operand(1), global);
    if (!global.wide) return false;
    op.extra_operands = decoder.add_operands({global.a, decoder.constant(global.bits, 8)});
    decoder.take_address(instr.operand(0), op);
    op.run = copy_later;
    return true;
}

constexpr OpcodeRow rows_of_copies[] = {{"cp", decode_cp}};

}  // namespace

void end_copies(Warp& warp, const Op& op, unsigned lane, std::uint64_t last) {
    LaneCopies& copies = warp.copies[lane];
    while (copies.begun - copies.pending.size() < last) {
        const PendingCopy copy = copies.pending.front();
        copies.pending.pop_front();
        LaneAccess(warp, op, copy.bytes, AccessKind::write, copy.line, false).end_copy(lane, copy);
    }
}

std::span<const OpcodeRow> copy_opcodes() {
    return rows_of_copies;
}

}  // namespace convscope::ptx
