// ld, st and what goes with them.
#include <cstring>
#include <utility>

#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/grid_run.h"
#include "kernels/ptx/run/lane_access.h"
#include "kernels/ptx/run/lane_loops.h"

namespace convscope::ptx {
namespace {

constexpr unsigned max_bytes = 32;  ///< of a lane's access

/// The lanes' bytes on their way between memory and registers.
struct alignas(32) Bytes {
    std::byte of_lane[lanes][max_bytes];
};

template <unsigned N>
void fetch(Warp& warp, const Op& op, const std::uint64_t* addresses, Bytes& bytes) {
    LaneAccess access(warp, op, N, AccessKind::read);
    access.follow_unwritten();
    std::uint64_t last = 0;
    unsigned repeats = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(warp.mask >> lane & 1)) continue;
        // Lanes that read what two others did already add nothing to what is known.
        repeats = lane > 0 && addresses[lane] == last ? repeats + 1 : 0;
        last = addresses[lane];
        if (repeats >= 2 && (warp.mask >> (lane - 1) & 1) && last >> segment_bits != local_segment) {
            std::memcpy(bytes.of_lane[lane], bytes.of_lane[lane - 1], N);
            access.repeat(lane);
            continue;
        }
        if (const std::byte* memory = access.reach<N>(lane, addresses[lane]))
            std::memcpy(bytes.of_lane[lane], memory, N);
        else
            std::memset(bytes.of_lane[lane], 0, N);
    }
    access.mark_results(addresses);
}

template <unsigned N>
void keep(Warp& warp, const Op& op, const std::uint64_t* addresses, const Bytes& bytes) {
    LaneAccess access(warp, op, N, AccessKind::write);
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (warp.mask >> lane & 1)
            if (std::byte* memory = access.reach<N>(lane, addresses[lane])) std::memcpy(memory, bytes.of_lane[lane], N);
}

/// From memory to registers that may be wider.
template <class Memory, class Register>
void load(Warp& warp, const Op& op) {
    std::uint64_t addresses[lanes];
    Bytes bytes;
    addresses_of(warp, op, addresses);
    const unsigned all = sizeof(Memory) * op.elements;
    count_request(warp, op, addresses, all, AccessKind::read);
    switch (all) {
        case 1:
            fetch<1>(warp, op, addresses, bytes);
            break;
        case 2:
            fetch<2>(warp, op, addresses, bytes);
            break;
        case 4:
            fetch<4>(warp, op, addresses, bytes);
            break;
        case 8:
            fetch<8>(warp, op, addresses, bytes);
            break;
        case 16:
            fetch<16>(warp, op, addresses, bytes);
            break;
        default:
            fetch<32>(warp, op, addresses, bytes);
    }
    for (unsigned element = 0; element < op.elements; ++element) {
        const std::uint32_t reg_offset = op.elements == 1 ? op.d : warp.program().operands[op.extra_operands + element];
        each_lane(warp.mask, warp.values<Register>(reg_offset), [&](unsigned i) {
            Memory value;
            std::memcpy(&value, bytes.of_lane[i] + sizeof(Memory) * element, sizeof value);
            return static_cast<Register>(value);
        });
    }
}

template <class Memory, class Register>
void store(Warp& warp, const Op& op) {
    std::uint64_t addresses[lanes];
    Bytes bytes;
    addresses_of(warp, op, addresses);
    for (unsigned element = 0; element < op.elements; ++element) {
        const std::uint32_t reg_offset = op.elements == 1 ? op.b : warp.program().operands[op.extra_operands + element];
        const Register* values = warp.values<Register>(reg_offset);
        for (unsigned i = 0; i < lanes; ++i) {
            const auto value = static_cast<Memory>(values[i]);
            std::memcpy(bytes.of_lane[i] + sizeof(Memory) * element, &value, sizeof value);
        }
    }
    const unsigned all = sizeof(Memory) * op.elements;
    count_request(warp, op, addresses, all, AccessKind::write);
    switch (all) {
        case 1:
            keep<1>(warp, op, addresses, bytes);
            break;
        case 2:
            keep<2>(warp, op, addresses, bytes);
            break;
        case 4:
            keep<4>(warp, op, addresses, bytes);
            break;
        case 8:
            keep<8>(warp, op, addresses, bytes);
            break;
        case 16:
            keep<16>(warp, op, addresses, bytes);
            break;
        default:
            keep<32>(warp, op, addresses, bytes);
    }
    if (warp.undefined.any()) [[unlikely]]
        warp.undefined.stored(warp, op, addresses);
}

template <class Memory>
Run load_into(unsigned register_bytes) {
    if constexpr (sizeof(Memory) <= 2)
        if (register_bytes == 2) return load<Memory, std::uint16_t>;
    if constexpr (sizeof(Memory) <= 4)
        if (register_bytes == 4) return load<Memory, std::uint32_t>;
    return register_bytes == 8 ? load<Memory, std::uint64_t> : nullptr;
}
Run choose_load(Type type, unsigned register_bytes) {
    const bool sign = is_signed(type);
    switch (bytes_of(type)) {
        case 1:
            return sign ? load_into<std::int8_t>(register_bytes) : load_into<std::uint8_t>(register_bytes);
        case 2:
            return sign ? load_into<std::int16_t>(register_bytes) : load_into<std::uint16_t>(register_bytes);
        case 4:
            return sign ? load_into<std::int32_t>(register_bytes) : load_into<std::uint32_t>(register_bytes);
        case 8:
            return load_into<std::uint64_t>(register_bytes);
        default:
            return nullptr;
    }
}
template <class Memory>
Run store_from(unsigned register_bytes) {
    if constexpr (sizeof(Memory) <= 2)
        if (register_bytes == 2) return store<Memory, std::uint16_t>;
    if constexpr (sizeof(Memory) <= 4)
        if (register_bytes == 4) return store<Memory, std::uint32_t>;
    return register_bytes == 8 ? store<Memory, std::uint64_t> : nullptr;
}
Run choose_store(Type type, unsigned register_bytes) {
    switch (bytes_of(type)) {
        case 1:
            return store_from<std::uint8_t>(register_bytes);
        case 2:
            return store_from<std::uint16_t>(register_bytes);
        case 4:
            return store_from<std::uint32_t>(register_bytes);
        case 8:
            return store_from<std::uint64_t>(register_bytes);
        default:
            return nullptr;
    }
}

/// Everything before the type; what caches are told changes nothing here.
bool take_access(InstructionDecoder& instr, Op& op) {
    // Whatever the scope, the checks take the widest.
    const int order = instr.take_one({"volatile", "relaxed", "acquire", "release", "mmio"});
    op.strong = order >= 0;
    op.is_volatile = order == 0;
    if (order == 3) op.fence = instr.take("cta") ? Fence::block : Fence::device;
    instr.ignore({"weak", "cta", "cluster", "gpu", "sys"});
    op.space = take_memory_space(instr);
    instr.ignore({"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "L1::evict_normal", "L1::evict_unchanged",
                  "L1::evict_first", "L1::evict_last", "L1::no_allocate", "L2::64B", "L2::128B", "L2::256B",
                  "unified"});
    op.elements = instr.take("v2") ? 2 : instr.take("v4") ? 4 : instr.take("v8") ? 8 : 1;
    return true;
}

/// The registers of a vector, or the one.
const std::vector<Operand> parts_of(const Operand& operand) {
    return operand.kind == Operand::Kind::vector ? operand.parts : std::vector<Operand>{operand};
}

/// As wide as the widest register among them.
Type register_of(Decoder& decoder, const std::vector<Operand>& parts, Type type) {
    Type widest = bytes_of(type) == 1 ? Type::b16 : type;
    for (const Operand& part : parts)
        if (bytes_of(decoder.register_type(part)) > bytes_of(widest)) widest = decoder.register_type(part);
    return widest;
}

bool decode_ld(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    take_access(instr, op);
    const Type type = instr.take_type();
    if (instr.operands() != 2 || type == Type::none) return false;
    const std::vector<Operand> parts = parts_of(instr.operand(0));
    const Type wide = register_of(decoder, parts, type);
    op.run = choose_load(type, bytes_of(wide));
    if (!op.run || parts.size() != op.elements || op.elements * bytes_of(type) > max_bytes) return false;
    op.bytes = static_cast<std::uint8_t>(bytes_of(type));
    decoder.take_address(instr.operand(1), op);
    std::vector<std::uint32_t> reg_offsets;
    for (const Operand& part : parts) reg_offsets.push_back(decoder.result(part, wide));
    op.d = reg_offsets.front();
    if (op.elements > 1) op.extra_operands = decoder.add_operands(reg_offsets);
    op.kind = Kind::load;
    if (decoder.uses_grid() && op.strong && op.elements == 1 && bytes_of(wide) == 4)
        op.inner = std::exchange(op.run, poll_grid);
    return true;
}

bool decode_st(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    if (instr.take("async")) return decode_async_store(decoder, instr, op);
    take_access(instr, op);
    const Type type = instr.take_type();
    if (instr.operands() != 2 || type == Type::none) return false;
    const std::vector<Operand> parts = parts_of(instr.operand(1));
    const Type wide = register_of(decoder, parts, type);
    op.run = choose_store(type, bytes_of(wide));
    if (!op.run || parts.size() != op.elements || op.elements * bytes_of(type) > max_bytes) return false;
    op.bytes = static_cast<std::uint8_t>(bytes_of(type));
    decoder.take_address(instr.operand(0), op);
    std::vector<std::uint32_t> reg_offsets;
    for (const Operand& part : parts) reg_offsets.push_back(decoder.source(part, wide));
    op.b = reg_offsets.front();
    if (op.elements > 1) op.extra_operands = decoder.add_operands(reg_offsets);
    op.kind = Kind::store;
    return true;
}

/// Advice to caches.
bool decode_nothing(Decoder&, InstructionDecoder& instr, Op&) {
    for (const std::string& modifier : instr.instruction.modifiers) instr.take(modifier);
    return true;
}

constexpr OpcodeRow rows_of_memory[] = {{"ld", decode_ld},
                                        {"ldu", decode_ld},
                                        {"st", decode_st},
                                        {"prefetch", decode_nothing},
                                        {"prefetchu", decode_nothing}};

}  // namespace

Space take_memory_space(InstructionDecoder& instr) {
    if (instr.take_one({"shared", "shared::cta", "shared::cluster"}) >= 0) return Space::shared;
    if (instr.take("local")) return Space::local;
    if (instr.take("const")) return Space::constant;
    instr.ignore({"global", "param", "param::entry", "param::func"});
    return Space::generic;  // their addresses are
}

std::span<const OpcodeRow> memory_opcodes() {
    return rows_of_memory;
}

}  // namespace convscope::ptx
