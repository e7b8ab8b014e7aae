// cp.async.bulk: PTX ISA, 'Data Movement and Conversion Instructions: Bulk copy'. A copy reads its source at once. It
// writes shared memory when somebody waits for its mbarrier; it writes global memory at once, and a thread that touches
// this before the copy is known to be over is found.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/ptx/ops/bulk_copy.h"
#include "kernels/ptx/run/async_access.h"
#include "kernels/ptx/run/cluster_run.h"
#include "kernels/ptx/run/decode.h"

namespace convscope::ptx {
namespace {

constexpr unsigned bulk_alignment = 16;

void report_bulk(Warp& warp, const Op& op, unsigned lane, FindingKind kind, std::string what) {
    warp.block().report({.kind = kind,
                         .found = warp.block().location(warp, lane, op.line),
                         .element = {},
                         .what = std::move(what),
                         .other = {},
                         .other_action = {}});
}

/// Whether a copy can be made so.
bool is_aligned(Warp& warp, const Op& op, unsigned lane, std::uint64_t to, std::uint64_t from, std::uint32_t bytes) {
    const auto check = [&](std::uint64_t value, const char* what) {
        if (value % bulk_alignment == 0) return true;
        report_bulk(warp, op, lane, FindingKind::misaligned,
                    fmt::format("copies {} bytes, and {} is not a multiple of {}", bytes, what, bulk_alignment));
        return false;
    };
    if (bytes > shared_bytes_addressed) {
        report_bulk(warp, op, lane, FindingKind::out_of_bounds,
                    fmt::format("copies {} bytes, more than shared memory has", bytes));
        return false;
    }
    return check(bytes, "their number") && check(to, "where they go") && check(from, "where they come from");
}

/// Program::operands at op.extra_operands: the other address, the mbarrier's, the blocks of the cluster that get a
/// copy.
enum : std::size_t { other_address = 0, barrier_address = address_operands, blocks_mask = 2 * address_operands };

void copy_to_shared(Warp& warp, const Op& op) {
    std::uint64_t to[lanes], from[lanes], barrier[lanes];
    addresses_of(warp, op, to);
    const auto* operands = &warp.program().operands[op.extra_operands];
    addresses_at(warp, operands + other_address, from);
    addresses_at(warp, operands + barrier_address, barrier);
    const auto* sizes = warp.values<std::uint32_t>(op.c);
    const std::uint32_t here = warp.mask;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(here >> lane & 1)) continue;
        const std::uint32_t bytes = sizes[lane];
        std::vector<std::byte> content(std::min<std::uint64_t>(bytes, shared_bytes_addressed));
        const bool aligned = is_aligned(warp, op, lane, to[lane], from[lane], bytes);
        if (aligned && bytes > 0)
            if (const std::byte* source = AsyncAccess(warp, op, bytes, AccessKind::read).reach(lane, from[lane]))
                std::memcpy(content.data(), source, bytes);
        const std::uint32_t mask =
            operands[blocks_mask] == no_reg ? 0 : warp.values<std::uint16_t>(operands[blocks_mask])[lane];
        start_bulk_copy(warp, op, lane, aligned, to[lane], barrier[lane], mask, content);
    }
}

/// Program::operands at op.extra_operands: the mbarrier's address, then registers of op.bytes.
void store_later(Warp& warp, const Op& op) {
    std::uint64_t to[lanes], barrier[lanes];
    addresses_of(warp, op, to);
    const auto* operands = &warp.program().operands[op.extra_operands];
    addresses_at(warp, operands, barrier);
    const std::uint32_t here = warp.mask;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(here >> lane & 1)) continue;
        std::vector<std::byte> content(std::size_t{op.bytes} * op.elements);
        for (unsigned i = 0; i < op.elements; ++i)
            std::memcpy(content.data() + i * op.bytes,
                        warp.values<std::byte>(operands[address_operands + i]) + lane * op.bytes, op.bytes);
        const bool aligned = to[lane] % content.size() == 0;
        if (!aligned)
            report_bulk(warp, op, lane, FindingKind::misaligned,
                        fmt::format("writes {} bytes to where is no multiple of that", content.size()));
        start_bulk_copy(warp, op, lane, aligned, to[lane], barrier[lane], 0, content);
    }
}

void copy_to_global(Warp& warp, const Op& op) {
    std::uint64_t to[lanes], from[lanes];
    addresses_of(warp, op, from);
    addresses_at(warp, &warp.program().operands[op.extra_operands + other_address], to);
    const auto* sizes = warp.values<std::uint32_t>(op.c);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(warp.mask >> lane & 1) || sizes[lane] == 0) continue;
        if (!is_aligned(warp, op, lane, to[lane], from[lane], sizes[lane])) continue;
        const std::byte* source = AsyncAccess(warp, op, sizes[lane], AccessKind::read).reach(lane, from[lane]);
        std::byte* target = AsyncAccess(warp, op, sizes[lane], AccessKind::write).reach(lane, to[lane]);
        if (source && target) std::memcpy(target, source, sizes[lane]);
        note_bulk_read(warp, op, lane);
    }
}

void commit_bulk(Warp& warp, const Op&) {
    const std::uint32_t epoch = warp.block().race_detector().arrive();
    warp.bulk_begun = true;
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (warp.mask >> lane & 1)
            warp.bulk[lane].committed.push_back({epoch, std::exchange(warp.bulk[lane].reads, false)});
}

/// All groups but the newest op.bits; where op.variant is set until they have been read, and may be written.
void wait_for_bulk(Warp& warp, const Op& op) {
    RaceDetector& detector = warp.block().race_detector();
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(warp.mask >> lane & 1)) continue;
        auto& groups = warp.bulk[lane].committed;
        for (std::size_t i = 0; i + op.bits < groups.size(); ++i) {
            groups[i].reads = false;
            detector.end_started(warp.number(), warp.number(), groups[i].epoch);
        }
        if (!op.variant && groups.size() > op.bits)
            groups.erase(groups.begin(), groups.end() - static_cast<std::ptrdiff_t>(op.bits));
    }
}

}  // namespace

void addresses_at(Warp& warp, const std::uint32_t* operands, std::uint64_t* addresses) {
    Op op;
    op.a = operands[0];
    op.bits = warp.values<std::uint64_t>(operands[1])[0];
    op.wide = operands[2] & 1;
    op.space = operands[2] & 2 ? Space::shared : Space::generic;
    addresses_of(warp, op, addresses);
}

void add_address(Decoder& decoder, const Operand& operand, Space space, std::vector<std::uint32_t>& operands) {
    Op op;
    decoder.take_address(operand, op);
    operands.insert(operands.end(),
                    {op.a, decoder.constant(op.bits, 8), (op.wide ? 1u : 0u) | (space == Space::shared ? 2u : 0u)});
}

void start_bulk_copy(Warp& warp, const Op& op, unsigned lane, bool lands, std::uint64_t to, std::uint64_t barrier,
                     std::uint32_t mask, const std::vector<std::byte>& content) {
    const std::uint64_t rank_bits = ~own_shared_mask & 0xffffffff;
    const std::uint32_t ranks = mask == 0 ? 1 : mask;
    for (unsigned rank = 0; rank < 32; ++rank) {
        if (!(ranks >> rank & 1)) continue;
        const std::uint64_t block = std::uint64_t{rank + 1} << shared_rank_bits;
        const auto of_block = [&](std::uint64_t address) {
            return mask == 0 ? address : (address & ~rank_bits) | block;
        };
        Mbarrier* const told = mbarrier_at(warp, op, lane, of_block(barrier));
        if (!told) continue;
        BlockRun& running = warp.block();
        if (!told->proxy_fenced) {
            running.report({.kind = FindingKind::race,
                            .found = running.location(warp, lane, op.line),
                            .element = {},
                            .what = "a copy is to arrive at an mbarrier, and no fence comes between",
                            .other = running.location_of(told->created),
                            .other_action = "initialises it"});
            told->proxy_fenced = true;
        }
        const auto bytes = static_cast<unsigned>(content.size());
        if (lands && bytes > 0 && AsyncAccess(warp, op, bytes, AccessKind::write).begin(lane, of_block(to)))
            told->in_flight.push_back({&warp, lane, &op, of_block(to), content, 0});
        else
            told->tx_count -= bytes;  // no one need wait for what was found
        note_change(warp, *told);
        running.cluster().wake();
    }
}

void note_bulk_read(Warp& warp, const Op& op, unsigned lane) {
    warp.bulk_begun = true;
    warp.bulk[lane].reads = true;
    warp.bulk[lane].line = op.line;
}

bool decode_async_store(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    instr.ignore({"weak"});
    op.space = take_memory_space(instr);
    op.elements = instr.take("v2") ? 2 : instr.take("v4") ? 4 : 1;
    const bool tells = instr.take("mbarrier::complete_tx::bytes");
    const Type type = instr.take_type();
    if (!tells || op.space != Space::shared || instr.operands() != 3 || bytes_of(type) < 4) return false;
    op.bytes = static_cast<std::uint8_t>(bytes_of(type));
    const Operand& value = instr.operand(1);
    const std::vector<Operand> parts = value.kind == Operand::Kind::vector ? value.parts : std::vector<Operand>{value};
    if (parts.size() != op.elements) return false;
    std::vector<std::uint32_t> operands;
    add_address(decoder, instr.operand(2), Space::shared, operands);
    for (const Operand& part : parts) operands.push_back(decoder.source(part, type));
    decoder.take_address(instr.operand(0), op);
    op.extra_operands = decoder.add_operands(operands);
    op.kind = Kind::load;  // of nothing that the thread itself gets
    op.run = store_later;
    return true;
}

bool decode_bulk(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::control;
    if (instr.take("commit_group")) {
        op.run = commit_bulk;
        return true;
    }
    if (instr.take("wait_group")) {
        if (instr.operands() != 1 || instr.operand(0).kind != Operand::Kind::integer) return false;
        op.variant = instr.take("read");
        op.bits = instr.operand(0).bits;
        op.run = wait_for_bulk;
        return true;
    }
    if (instr.take("prefetch")) {
        for (const std::string& modifier : instr.instruction.modifiers) instr.take(modifier);
        return true;
    }
    if (instr.take("tensor")) return decode_tensor(decoder, instr, op);
    instr.ignore({"L2::cache_hint"});
    const bool many = instr.take("multicast::cluster"), group = instr.take("bulk_group");
    const bool tells = instr.take("mbarrier::complete_tx::bytes"), global = instr.take("global");
    if (group == tells || instr.operands() < (group ? 3u : many ? 5u : 4u)) return false;
    op.space = take_memory_space(instr);
    instr.ignore({"shared::cta", "shared::cluster"});
    if (op.space != Space::shared) return false;
    op.c = decoder.source(instr.operand(2), Type::u32);
    std::vector<std::uint32_t> operands;
    if (group) {
        decoder.take_address(instr.operand(1), op);
        add_address(decoder, instr.operand(0), Space::generic, operands);
        op.kind = Kind::store;
        op.run = copy_to_global;
    } else {
        decoder.take_address(instr.operand(0), op);
        add_address(decoder, instr.operand(1), global ? Space::generic : Space::shared, operands);
        add_address(decoder, instr.operand(3), Space::shared, operands);
        operands.push_back(many ? decoder.source(instr.operand(4), Type::b16) : no_reg);
        op.kind = Kind::load;
        op.run = copy_to_shared;
    }
    op.extra_operands = decoder.add_operands(operands);
    return true;
}

}  // namespace convscope::ptx
