// wmma.load, wmma.store and wmma.mma: PTX ISA, 'Matrix multiply-accumulate operation using wmma instructions'; what
// nvcuda::wmma is made of.
//
// Which lane holds which element is left open there. Here the elements of A and B, in the order in which they lie in
// memory, are dealt out to the lanes, to each as many as there are for it, side by side; where its registers have room
// for more it holds them several times. The sums lie as those of mma.sync do, in tiles of 16 x 8 (of 8 x 16 where there
// are only eight rows).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "kernels/ptx/ops/matrix_element.h"
#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/lane_access.h"

namespace convscope::ptx {
namespace {

struct WmmaShape {
    std::string_view name;
    unsigned m, n, k;
};
constexpr WmmaShape wmma_shapes[] = {{"m16n16k16", 16, 16, 16},
                                     {"m8n32k16", 8, 32, 16},
                                     {"m32n8k16", 32, 8, 16},
                                     {"m16n16k8", 16, 16, 8},
                                     {"m8n8k4", 8, 8, 4}};
constexpr unsigned max_wmma_rows = 32, max_wmma_columns = 32, max_wmma_depth = 16, max_lane_bytes = 64;

enum class WmmaMatrix : std::uint8_t { a, b, sum };

/// A lane's part of a matrix.
class Fragment {
public:
    Fragment(WmmaMatrix matrix, unsigned shape, Type type, bool column_major)
        : matrix_(matrix), shape_(shape), type_(type), column_major_(column_major) {}
    /// As bits() has it.
    explicit Fragment(std::uint32_t bits)
        : Fragment(static_cast<WmmaMatrix>(bits & 3), bits >> 2 & 15, static_cast<Type>(bits >> 6 & 255),
                   bits >> 14 & 1) {}
    std::uint32_t bits() const {
        return static_cast<std::uint32_t>(matrix_) | shape_ << 2 | static_cast<std::uint32_t>(type_) << 6 |
               static_cast<std::uint32_t>(column_major_) << 14;
    }

    Type type() const { return type_; }
    const WmmaShape& shape() const { return wmma_shapes[shape_]; }
    unsigned rows() const { return matrix_ == WmmaMatrix::b ? shape().k : shape().m; }
    unsigned columns() const { return matrix_ == WmmaMatrix::a ? shape().k : shape().n; }
    unsigned element_bytes() const { return bytes_of(type_); }
    unsigned register_bytes() const { return std::max(4u, element_bytes()); }
    unsigned elements() const { return rows() * columns() / lanes; }  ///< of a lane, each once
    unsigned line() const { return column_major_ ? rows() : columns(); }
    unsigned registers() const {
        // Every f16 fragment of A and B has 16 elements.
        const bool repeats = matrix_ != WmmaMatrix::sum && type_ == Type::f16;
        return (repeats ? 16 : elements()) * element_bytes() / register_bytes();
    }
    /// Elements that lie side by side in memory, and that a lane reads or writes at once.
    unsigned run() const {
        if (matrix_ != WmmaMatrix::sum) return std::min(elements(), 16 / element_bytes());
        return column_major_ == by_columns() ? 2 : 1;
    }
    struct Place {
        unsigned row, column;
    };
    Place place(unsigned lane, unsigned i) const {
        if (matrix_ != WmmaMatrix::sum) {
            const unsigned at = lane * elements() + i;
            return column_major_ ? Place{at % line(), at / line()} : Place{at / line(), at % line()};
        }
        Place in{lane / 4 + 8 * (i / 2 % 2), 2 * (lane % 4) + i % 2};
        (rows() == 16 ? in.column : in.row) += (rows() == 16 ? 8 : 16) * (i / 4);
        return by_columns() ? Place{in.column, in.row} : in;
    }
    std::uint64_t offset(unsigned lane, unsigned i, std::uint64_t stride) const {
        const Place at = place(lane, i);
        return element_bytes() * (column_major_ ? at.column * stride + at.row : at.row * stride + at.column);
    }

private:
    bool by_columns() const { return shape().m == 8 && shape().n == 32; }

    WmmaMatrix matrix_;
    unsigned shape_;
    Type type_;
    bool column_major_;
};

using LaneBytes = std::array<std::byte, max_lane_bytes>;

LaneBytes fragment_of(Warp& warp, const std::uint32_t* reg_offsets, const Fragment& fragment, unsigned lane) {
    LaneBytes bytes{};
    const unsigned each = fragment.register_bytes();
    for (unsigned i = 0; i < fragment.registers(); ++i)
        std::memcpy(&bytes[each * i], warp.values<std::byte>(reg_offsets[i]) + each * lane, each);
    return bytes;
}
void set_fragment(Warp& warp, const std::uint32_t* reg_offsets, const Fragment& fragment, unsigned lane,
                  const LaneBytes& bytes) {
    const unsigned each = fragment.register_bytes(), known = fragment.elements() * fragment.element_bytes();
    for (unsigned i = 0; i < fragment.registers(); ++i)
        std::memcpy(warp.values<std::byte>(reg_offsets[i]) + each * lane, &bytes[each * i % known], each);
}

/// A matrix is a whole warp's.
bool whole_warp(Warp& warp, const Op& op) {
    if (!warp.gather(all_lanes)) return false;
    if (warp.mask == all_lanes) return true;
    const auto lane = static_cast<unsigned>(std::countr_zero(warp.mask));
    warp.block().report(
        {.kind = FindingKind::divergent_barrier,
         .found = warp.block().location(warp, lane, op.line),
         .element = {},
         .what = fmt::format("takes part in an operation on a matrix with {} threads of its warp; all {} "
                             "have to",
                             std::popcount(warp.mask), lanes),
         .other = {},
         .other_action = {}});
    return true;
}

/// Program::operands: the fragment's bits, its registers. op.c: the stride, in elements.
template <AccessKind Kind>
void access_fragment(Warp& warp, const Op& op) {
    if (!whole_warp(warp, op)) return;
    const std::uint32_t* const operands = &warp.program().operands[op.extra_operands];
    const Fragment fragment(operands[0]);
    std::uint64_t begins[lanes], addresses[lanes];
    addresses_of(warp, op, begins);
    const auto* strides = warp.values<std::uint32_t>(op.c);
    LaneBytes content[lanes];
    for (unsigned lane = 0; lane < lanes; ++lane)
        content[lane] = Kind == AccessKind::write ? fragment_of(warp, operands + 1, fragment, lane) : LaneBytes{};
    const unsigned run = fragment.run(), bytes = run * fragment.element_bytes();
    for (unsigned i = 0; i < fragment.elements(); i += run) {
        for (unsigned lane = 0; lane < lanes; ++lane)
            addresses[lane] = begins[lane] + fragment.offset(lane, i, strides[lane]);
        count_request(warp, op, addresses, bytes, Kind);
        LaneAccess access(warp, op, bytes, Kind);
        for (unsigned lane = 0; lane < lanes; ++lane) {
            if (!(warp.mask >> lane & 1)) continue;
            std::byte* const memory = access.reach(lane, addresses[lane]);
            std::byte* const mine = &content[lane][i * fragment.element_bytes()];
            if (memory && Kind == AccessKind::read) std::memcpy(mine, memory, bytes);
            if (memory && Kind == AccessKind::write) std::memcpy(memory, mine, bytes);
        }
    }
    for (unsigned lane = 0; lane < lanes && Kind == AccessKind::read; ++lane)
        if (warp.mask >> lane & 1) set_fragment(warp, operands + 1, fragment, lane, content[lane]);
}

double real_element(const LaneBytes& bytes, Type type, unsigned i) {
    if (type == Type::f64) {
        double value = 0;
        std::memcpy(&value, &bytes[8 * i], sizeof value);
        return value;
    }
    const unsigned per = 4 / bytes_of(type);
    std::uint32_t word = 0;
    std::memcpy(&word, &bytes[4 * (i / per)], sizeof word);
    if (type == Type::f32) return std::bit_cast<float>(word);
    if (type == Type::s32) return static_cast<std::int32_t>(word);
    return matrix_element(word, type, i % per);
}

void set_element(LaneBytes& bytes, Type type, unsigned i, double value, bool saturates) {
    const auto put = [&](auto bits) { std::memcpy(&bytes[sizeof bits * i], &bits, sizeof bits); };
    if (type == Type::f64) return put(value);
    if (type == Type::f32) return put(static_cast<float>(value));
    if (type == Type::f16) return put(f16_of_float(static_cast<float>(value)));
    using Limits = std::numeric_limits<std::int32_t>;
    if (saturates) value = std::clamp<double>(value, Limits::min(), Limits::max());
    put(static_cast<std::uint32_t>(static_cast<std::int64_t>(value)));
}

/// Program::operands: the bits of the fragments d, a, b, c, then their registers in this order. op.variant: the sums of
/// integers stop at the limits of their type.
void multiply_fragments(Warp& warp, const Op& op) {
    if (!whole_warp(warp, op)) return;
    const std::uint32_t* const operands = &warp.program().operands[op.extra_operands];
    const Fragment d(operands[0]), of_a(operands[1]), of_b(operands[2]), of_c(operands[3]);
    const std::uint32_t *to_d = operands + 4, *to_a = to_d + d.registers(), *to_b = to_a + of_a.registers(),
                        *to_c = to_b + of_b.registers();
    double a[max_wmma_rows][max_wmma_depth], b[max_wmma_depth][max_wmma_columns], sums[max_wmma_rows][max_wmma_columns];
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const auto take = [&](auto& matrix, const std::uint32_t* reg_offsets, const Fragment& fragment) {
            const LaneBytes bytes = fragment_of(warp, reg_offsets, fragment, lane);
            for (unsigned i = 0; i < fragment.elements(); ++i) {
                const Fragment::Place at = fragment.place(lane, i);
                matrix[at.row][at.column] = real_element(bytes, fragment.type(), i);
            }
        };
        take(a, to_a, of_a);
        take(b, to_b, of_b);
        take(sums, to_c, of_c);
    }
    const bool in_double = d.type() == Type::f64;
    for (unsigned row = 0; row < d.rows(); ++row)
        for (unsigned column = 0; column < d.columns(); ++column) {
            double product = in_double ? sums[row][column] : 0;
            for (unsigned depth = 0; depth < of_a.columns(); ++depth)
                product = std::fma(a[row][depth], b[depth][column], product);
            sums[row][column] = in_double ? product : product + sums[row][column];
        }
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(warp.mask >> lane & 1)) continue;
        LaneBytes bytes{};
        for (unsigned i = 0; i < d.elements(); ++i) {
            const Fragment::Place at = d.place(lane, i);
            set_element(bytes, d.type(), i, sums[at.row][at.column], op.variant != 0);
        }
        set_fragment(warp, to_d, d, lane, bytes);
    }
}

std::optional<unsigned> take_shape(InstructionDecoder& instr) {
    for (unsigned i = 0; i < std::size(wmma_shapes); ++i)
        if (instr.take(wmma_shapes[i].name)) return i;
    return std::nullopt;
}

/// In their order: whether it is "col".
std::vector<bool> take_layouts(InstructionDecoder& instr) {
    std::vector<bool> layouts;
    for (const std::string& modifier : instr.instruction.modifiers)
        if ((modifier == "row" || modifier == "col") && instr.take(modifier)) layouts.push_back(modifier == "col");
    return layouts;
}

/// Whether there is such a factor.
bool is_factor(unsigned shape, Type type) {
    if (type == Type::tf32) return wmma_shapes[shape].name == "m16n16k8";
    if (type == Type::f64) return wmma_shapes[shape].name == "m8n8k4";
    const bool small = type == Type::f16 || type == Type::bf16 || type == Type::s8 || type == Type::u8;
    return small && wmma_shapes[shape].k == 16;
}

bool take_registers(Decoder& decoder, const Operand& operand, const Fragment& fragment, bool results,
                    std::vector<std::uint32_t>& operands) {
    const std::vector<Operand> parts =
        operand.kind == Operand::Kind::vector ? operand.parts : std::vector<Operand>{operand};
    if (parts.size() != fragment.registers()) return false;
    const Type type = fragment.register_bytes() == 8 ? Type::b64 : Type::b32;
    for (const Operand& part : parts)
        operands.push_back(results ? decoder.result(part, type) : decoder.source(part, type));
    return true;
}

bool decode_access(Decoder& decoder, InstructionDecoder& instr, Op& op, bool stores) {
    const int which = stores ? (instr.take("d") ? 2 : -1) : instr.take_one({"a", "b", "c"});
    const std::optional<unsigned> shape = take_shape(instr);
    const std::vector<bool> layouts = take_layouts(instr);
    op.space = take_memory_space(instr);
    const Type type = instr.take_type();
    if (which < 0 || !shape || layouts.size() != 1 || instr.operands() < 2 || instr.operands() > 3) return false;
    const bool is_sum = type == Type::f32 || type == Type::s32 || type == Type::f16 || type == Type::f64;
    if (which == 2 ? !is_sum : !is_factor(*shape, type)) return false;
    const Fragment fragment(static_cast<WmmaMatrix>(which), *shape, type, layouts[0]);
    std::vector<std::uint32_t> operands{fragment.bits()};
    if (!take_registers(decoder, instr.operand(stores ? 1 : 0), fragment, !stores, operands)) return false;
    op.extra_operands = decoder.add_operands(operands);
    op.bytes = static_cast<std::uint8_t>(fragment.element_bytes());
    decoder.take_address(instr.operand(stores ? 0 : 1), op);
    op.c = instr.operands() == 3 ? decoder.source(instr.operand(2), Type::b32) : decoder.constant(fragment.line(), 4);
    op.kind = stores ? Kind::store : Kind::load;
    op.run = stores ? access_fragment<AccessKind::write> : access_fragment<AccessKind::read>;
    return true;
}

bool decode_multiply(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const std::optional<unsigned> shape = take_shape(instr);
    const std::vector<bool> layouts = take_layouts(instr);
    instr.ignore({"rn"});
    op.variant = instr.take("satfinite");
    std::vector<Type> types;
    for (Type type = instr.take_type(); type != Type::none; type = instr.take_type()) types.push_back(type);
    if (types.size() == 2)
        types = {types[0], Type::f16, Type::f16, types[1]};  // those of the factors go without saying
    if (!shape || layouts.size() != 2 || types.size() != 4 || instr.operands() != 4) return false;
    const auto [d, a, b, c] = std::array{types[0], types[1], types[2], types[3]};
    const bool integers = bytes_of(a) == 1;
    const auto is_sum = [&](Type sum) {
        if (a == Type::f64) return sum == Type::f64;
        if (integers) return sum == Type::s32;
        return sum == Type::f32 || (sum == Type::f16 && a == Type::f16);
    };
    if (!is_factor(*shape, a) || a != b || !is_sum(d) || !is_sum(c)) return false;
    const Fragment fragments[] = {{WmmaMatrix::sum, *shape, d, false},
                                  {WmmaMatrix::a, *shape, a, layouts[0]},
                                  {WmmaMatrix::b, *shape, b, layouts[1]},
                                  {WmmaMatrix::sum, *shape, c, false}};
    std::vector<std::uint32_t> operands;
    for (const Fragment& fragment : fragments) operands.push_back(fragment.bits());
    for (std::size_t i = 0; i < 4; ++i)
        if (!take_registers(decoder, instr.operand(i), fragments[i], i == 0, operands)) return false;
    op.extra_operands = decoder.add_operands(operands);
    op.kind = Kind::matrix;
    op.run = multiply_fragments;
    return true;
}

bool decode_wmma(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    instr.ignore({"sync", "aligned"});
    if (instr.take("mma")) return decode_multiply(decoder, instr, op);
    if (instr.take("load")) return decode_access(decoder, instr, op, false);
    return instr.take("store") && decode_access(decoder, instr, op, true);
}

constexpr OpcodeRow rows_of_wmma[] = {{"wmma", decode_wmma}};

}  // namespace

std::span<const OpcodeRow> wmma_opcodes() {
    return rows_of_wmma;
}

}  // namespace convscope::ptx
