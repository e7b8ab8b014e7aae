// atom and red. Blocks run on several host threads, so each is a compare-and-swap of the host.
#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/ptx/ops/integer_functions.h"
#include "kernels/ptx/ops/real_functions.h"
#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/grid_run.h"
#include "kernels/ptx/run/lane_access.h"
#include "kernels/ptx/run/lane_loops.h"

namespace convscope::ptx {
namespace {

// The value left in memory, from the old one and the operand, where no instruction of its own computes it.
struct AtomicExchange {
    template <class T>
    static T of(T, T by) {
        return by;
    }
};
struct AtomicInc {
    template <class T>
    static T of(T old, T limit) {
        return old >= limit ? T{0} : old + 1;
    }
};
struct AtomicDec {
    template <class T>
    static T of(T old, T limit) {
        return old == 0 || old > limit ? limit : old - 1;
    }
};

template <std::size_t Bytes>
using Bits =
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>;

/// For each lane in turn: change(lane, old value) is what is left, 'exchanges': whatever the old value is. Old values
/// go to 'd'.
template <class T, bool Exchanges = false, class Change>
void update(Warp& warp, const Op& op, const Change& change) {
    using B = Bits<sizeof(T)>;
    std::uint64_t addresses[lanes];
    addresses_of(warp, op, addresses);
    count_request(warp, op, addresses, sizeof(T), AccessKind::update);
    LaneAccess access(warp, op, sizeof(T), AccessKind::update);
    if (Exchanges) access.follow_unwritten();
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(warp.mask >> lane & 1)) continue;
        B old{};
        if (auto* memory = reinterpret_cast<B*>(access.reach(lane, addresses[lane]))) {
            __atomic_load(memory, &old, __ATOMIC_RELAXED);
            B next;
            do next = std::bit_cast<B>(change(lane, std::bit_cast<T>(old)));
            while (!__atomic_compare_exchange(memory, &old, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        }
        if (op.d != no_reg) warp.values<B>(op.d)[lane] = old;
    }
    if (op.d != no_reg) access.mark_results(addresses);
}

template <class F, class T>
void atomic(Warp& warp, const Op& op) {
    T by[lanes];  // the result may go where an operand is
    std::copy_n(warp.values<T>(op.b), lanes, by);
    update<T, std::is_same_v<F, AtomicExchange>>(warp, op, [&](unsigned lane, T old) { return F::of(old, by[lane]); });
}
template <class T>
void compare_and_swap(Warp& warp, const Op& op) {
    T expected[lanes], by[lanes];
    std::copy_n(warp.values<T>(op.b), lanes, expected);
    std::copy_n(warp.values<T>(op.c), lanes, by);
    update<T>(warp, op, [&](unsigned lane, T old) { return old == expected[lane] ? by[lane] : old; });
}

template <class F>
Run of_integers(Type type) {
    switch (type) {
        case Type::b32:
        case Type::u32:
            return atomic<F, std::uint32_t>;
        case Type::s32:
            return atomic<F, std::int32_t>;
        case Type::b64:
        case Type::u64:
            return atomic<F, std::uint64_t>;
        case Type::s64:
            return atomic<F, std::int64_t>;
        default:
            return nullptr;
    }
}
Run choose_add(Type type) {
    using OfF16 = Half<F16, Add>;
    using OfBf16 = Half<Bf16, Add>;
    switch (type) {
        case Type::f32:
            return atomic<Add, float>;
        case Type::f64:
            return atomic<Add, double>;
        case Type::f16:
            return atomic<OfF16, std::uint16_t>;
        case Type::f16x2:
            return atomic<Pair<OfF16>, std::uint32_t>;
        case Type::bf16:
            return atomic<OfBf16, std::uint16_t>;
        case Type::bf16x2:
            return atomic<Pair<OfBf16>, std::uint32_t>;
        default:
            return of_integers<Add>(type);
    }
}
Run choose_operation(int operation, Type type) {
    switch (operation) {
        case 0:
            return choose_add(type);
        case 1:
            return of_integers<Min>(type);
        case 2:
            return of_integers<Max>(type);
        case 3:
            return of_integers<And>(type);
        case 4:
            return of_integers<Or>(type);
        case 5:
            return of_integers<Xor>(type);
        case 6:
            return of_integers<AtomicExchange>(type);
        case 7:
            return type == Type::u32 ? Run{atomic<AtomicInc, std::uint32_t>} : nullptr;
        case 8:
            return type == Type::u32 ? Run{atomic<AtomicDec, std::uint32_t>} : nullptr;
        default:
            break;
    }
    switch (bytes_of(type)) {
        case 2:
            return compare_and_swap<std::uint16_t>;
        case 4:
            return compare_and_swap<std::uint32_t>;
        case 8:
            return compare_and_swap<std::uint64_t>;
        default:
            return nullptr;
    }
}

bool decode_atomic(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const bool returns = instr.instruction.opcode == "atom";
    const bool releases = instr.take_one({"release", "acq_rel"}) >= 0, block = instr.take("cta");
    if (releases) op.fence = block ? Fence::block : Fence::device;
    instr.ignore({"relaxed", "acquire", "cluster", "gpu", "sys", "noftz"});
    op.space = take_memory_space(instr);
    const int operation = instr.take_one({"add", "min", "max", "and", "or", "xor", "exch", "inc", "dec", "cas"});
    const Type type = instr.take_type();
    const bool compares = operation == 9;
    op.run = operation < 0 ? nullptr : choose_operation(operation, type);
    const std::size_t first = returns ? 1 : 0;
    if (!op.run || instr.operands() != first + (compares ? 3 : 2)) return false;
    op.bytes = static_cast<std::uint8_t>(bytes_of(type));
    op.kind = Kind::atomic;
    decoder.take_address(instr.operand(first), op);
    op.b = decoder.source(instr.operand(first + 1), type);
    if (compares) op.c = decoder.source(instr.operand(first + 2), type);
    if (returns) op.d = decoder.result(instr.operand(0), type);
    if (decoder.uses_grid() && returns && operation == 0 && type == Type::u32)
        op.inner = std::exchange(op.run, arrive_at_grid);
    return true;
}

constexpr OpcodeRow rows_of_atomics[] = {{"atom", decode_atomic}, {"red", decode_atomic}};

}  // namespace

std::span<const OpcodeRow> atomic_opcodes() {
    return rows_of_atomics;
}

}  // namespace convscope::ptx
