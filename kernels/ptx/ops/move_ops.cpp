// mov, cvta, isspacep: PTX ISA, 'Data Movement and Conversion Instructions'.
#include <algorithm>
#include <chrono>

#include "kernels/ptx/run/block_run.h"
#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/lane_loops.h"

namespace convscope::ptx {
namespace {

struct Copy {
    template <class T>
    static T of(T a) {
        return a;
    }
};

void copy_predicate(Warp& warp, const Op& op) {
    warp.set_predicate(op.d, warp.predicate(op.a));
}

// mov.b32 d, {a, b} and the like; the parts are in Program::operands.
template <class D, class Part>
void pack(Warp& warp, const Op& op) {
    const std::uint32_t* reg_offsets = &warp.program().operands[op.extra_operands];
    D joined[lanes] = {};
    for (unsigned part = 0; part < sizeof(D) / sizeof(Part); ++part) {
        const Part* values = warp.values<Part>(reg_offsets[part]);
        for (unsigned i = 0; i < lanes; ++i)
            joined[i] =
                static_cast<D>(joined[i] | static_cast<D>(static_cast<D>(values[i]) << 8 * sizeof(Part) * part));
    }
    each_lane(warp.mask, warp.values<D>(op.d), [&](unsigned i) { return joined[i]; });
}
template <class A, class Part>
void unpack(Warp& warp, const Op& op) {
    const std::uint32_t* reg_offsets = &warp.program().operands[op.extra_operands];
    A whole[lanes];
    std::copy_n(warp.values<A>(op.a), lanes, whole);
    for (unsigned part = 0; part < sizeof(A) / sizeof(Part); ++part)
        each_lane(warp.mask, warp.values<Part>(reg_offsets[part]),
                  [&](unsigned i) { return static_cast<Part>(whole[i] >> 8 * sizeof(Part) * part); });
}

bool decode_vector(Decoder& decoder, InstructionDecoder& instr, Op& op, Type type) {
    const bool packs = instr.operand(1).kind == Operand::Kind::vector;
    const std::vector<Operand>& parts = instr.operand(packs ? 1 : 0).parts;
    const unsigned whole = bytes_of(type);
    if (parts.empty() || whole % parts.size() != 0) return false;
    const auto each = static_cast<unsigned>(whole / parts.size());
    if (each < 2) return false;
    const Type part = each == 2 ? Type::b16 : each == 4 ? Type::b32 : Type::b64;
    std::vector<std::uint32_t> reg_offsets;
    for (const Operand& operand : parts)
        reg_offsets.push_back(packs ? decoder.source(operand, part) : decoder.result(operand, part));
    op.extra_operands = decoder.add_operands(reg_offsets);
    (packs ? op.d : op.a) = packs ? decoder.result(instr.operand(0), type) : decoder.source(instr.operand(1), type);
    if (whole == 4 && each == 2)
        op.run = packs ? Run{pack<std::uint32_t, std::uint16_t>} : unpack<std::uint32_t, std::uint16_t>;
    else if (whole == 8 && each == 4)
        op.run = packs ? Run{pack<std::uint64_t, std::uint32_t>} : unpack<std::uint64_t, std::uint32_t>;
    else if (whole == 8 && each == 2)
        op.run = packs ? Run{pack<std::uint64_t, std::uint16_t>} : unpack<std::uint64_t, std::uint16_t>;
    return op.run != nullptr;
}

/// %clock and its kin: nanoseconds.
template <class T>
void read_clock(Warp& warp, const Op& op) {
    const auto now = static_cast<T>(std::chrono::steady_clock::now().time_since_epoch().count());
    each_lane(warp.mask, warp.values<T>(op.d), [=](unsigned) { return now; });
}

Run copy_of(Type type) {
    if (type == Type::pred) return copy_predicate;
    switch (bytes_of(type)) {
        case 2:
            return unary<Copy, std::uint16_t>;
        case 4:
            return unary<Copy, std::uint32_t>;
        case 8:
            return unary<Copy, std::uint64_t>;
        default:
            return nullptr;
    }
}

bool decode_mov(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::move;
    const Type type = instr.take_type();
    if (instr.operands() != 2 || type == Type::none) return false;
    if (instr.operand(0).kind == Operand::Kind::vector || instr.operand(1).kind == Operand::Kind::vector)
        return decode_vector(decoder, instr, op, type);
    const std::string& name = instr.operand(1).name;
    if (instr.operand(1).kind == Operand::Kind::special &&
        (name.starts_with("%clock") || name.starts_with("%globaltimer"))) {
        op.run = bytes_of(type) == 8 ? read_clock<std::uint64_t> : read_clock<std::uint32_t>;
        op.d = decoder.result(instr.operand(0), type);
        return true;
    }
    op.run = copy_of(type);
    if (op.run) decoder.take_operands(instr, op, type, {type});
    return op.run != nullptr;
}

// Addresses. Those of global, constant and parameter memory are generic already.
template <class T, bool ToGeneric>
void change_window(Warp& warp, const Op& op) {
    const auto* a = warp.values<T>(op.a);
    const std::uint64_t window = op.space == Space::shared ? shared_window : local_window;
    each_lane(warp.mask, warp.values<T>(op.d),
              [=](unsigned i) { return static_cast<T>(ToGeneric ? a[i] + window : a[i] - window); });
}
Space take_space(InstructionDecoder& instr) {
    if (instr.take_one({"shared", "shared::cta", "shared::cluster"}) >= 0) return Space::shared;
    if (instr.take("local")) return Space::local;
    return instr.take_one({"global", "const", "param", "param::entry"}) >= 0 ? Space::global : Space::generic;
}
bool decode_cvta(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::move;
    const bool to_space = instr.take("to");
    op.space = take_space(instr);
    const Type type = instr.take_type();
    if (bytes_of(type) != 8 || op.space == Space::generic) return false;
    if (op.space == Space::global)
        op.run = unary<Copy, std::uint64_t>;
    else
        op.run = to_space ? change_window<std::uint64_t, false> : change_window<std::uint64_t, true>;
    decoder.take_operands(instr, op, type, {type});
    return true;
}

void is_in_space(Warp& warp, const Op& op) {
    const auto* a = warp.values<std::uint64_t>(op.a);
    warp.set_predicate(op.d, lanes_where([&](unsigned i) {
                           const std::uint64_t segment = a[i] >> segment_bits;
                           if (op.space == Space::shared) return segment == shared_segment;
                           return op.space == Space::local ? segment == local_segment : segment >= first_global_segment;
                       }));
}
bool decode_isspacep(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.space = take_space(instr);
    op.run = is_in_space;
    decoder.take_operands(instr, op, Type::pred, {Type::b64});
    return op.space != Space::generic;
}

constexpr OpcodeRow rows_of_moves[] = {{"mov", decode_mov}, {"cvta", decode_cvta}, {"isspacep", decode_isspacep}};

}  // namespace

std::span<const OpcodeRow> move_opcodes() {
    return rows_of_moves;
}

}  // namespace convscope::ptx
