// mma.sync, mma.sp, ldmatrix and stmatrix: PTX ISA, 'Matrix multiply-accumulate operation using mma instruction', and
// '... using mma.sp instruction with sparse matrix A'.
//
// Every lane holds a part of a warp's matrices. With 'per' elements in a register, and lane = 4 group + place:
//   A (16 x k)  register i: row group + 8 (i % 2), columns place * per + 4 per (i / 2) and on
//   B (k x 8)   register i: rows place * per + 4 per i and on, column group
//   C, D (16 x 8)           rows group, group + 8; columns 2 place, 2 place + 1
// A sparse A has two values in each four columns of a row, so that it is stored as 16 x k / 2. The metadata has four
// bits for each four columns: the column of the first value and, above it, that of the second. A lane's 32 bits are
// those of 16 columns of row group, then of row group + 8; the selector says which lanes of a group's four give them:
// one where k is 16, two side by side where it is 32.
#include <algorithm>
#include <cstring>

#include "kernels/ptx/ops/matrix_element.h"
#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/lane_access.h"
#include "kernels/ptx/run/lane_loops.h"

namespace convscope::ptx {
namespace {

constexpr unsigned mma_rows = 16, mma_columns = 8, max_mma_depth = 32;

enum class Sparsity : std::uint8_t {
    none,
    any_order,  ///< of a four's two columns
    ascending   ///< mma.sp::ordered_metadata
};

/// Op::bits: the types of a, b and of the sums, k, the sparsity of A and the selector. Program::operands: registers of
/// d, a, b, c and of the metadata.
struct Shape {
    Type a, b, sum;
    unsigned k;
    Sparsity sparsity = Sparsity::none;
    unsigned selector = 0;

    explicit Shape(std::uint64_t bits)
        : a(static_cast<Type>(bits & 255)),
          b(static_cast<Type>(bits >> 8 & 255)),
          sum(static_cast<Type>(bits >> 16 & 255)),
          k(static_cast<unsigned>(bits >> 24 & 255)),
          sparsity(static_cast<Sparsity>(bits >> 32 & 255)),
          selector(static_cast<unsigned>(bits >> 40 & 255)) {}
    Shape(Type of_a, Type of_b, Type of_sum, unsigned depth) : a(of_a), b(of_b), sum(of_sum), k(depth) {}
    std::uint64_t bits() const {
        return static_cast<std::uint64_t>(a) | static_cast<std::uint64_t>(b) << 8 |
               static_cast<std::uint64_t>(sum) << 16 | std::uint64_t{k} << 24 |
               static_cast<std::uint64_t>(sparsity) << 32 | std::uint64_t{selector} << 40;
    }
    bool sparse() const { return sparsity != Sparsity::none; }
    unsigned per() const { return 4 / bytes_of(a); }
    unsigned b_registers() const { return k / (4 * per()); }
    unsigned a_registers() const { return sparse() ? b_registers() : 2 * b_registers(); }
    unsigned c_registers() const { return sum == Type::f16 ? 2 : 4; }
};

/// The element of C that lane and number i of four hold.
unsigned row_of(unsigned lane, unsigned i) {
    return lane / 4 + 8 * (i / 2);
}
unsigned column_of(unsigned lane, unsigned i) {
    return 2 * (lane % 4) + i % 2;
}

/// Spreads the stored columns of 'a', 16 x k / 2, over its k. What the metadata may not say is found once.
void spread_sparse(Warp& warp, const Op& op, const Shape& shape, const std::uint32_t* metadata,
                   double (&a)[mma_rows][max_mma_depth]) {
    bool found = false;
    for (unsigned row = 0; row < mma_rows; ++row) {
        double stored[max_mma_depth / 2];
        std::copy_n(a[row], shape.k / 2, stored);
        std::fill_n(a[row], shape.k, 0.0);
        for (unsigned four = 0; four < shape.k / 4; ++four) {
            const unsigned lane = 4 * (row % 8) + shape.selector * (shape.k / 16) + four / 4;
            const unsigned columns = metadata[lane] >> (16 * (row / 8) + 4 * (four % 4)) & 15;
            const unsigned first = columns & 3, second = columns >> 2;
            if (!found && (shape.sparsity == Sparsity::ascending ? first >= second : first == second)) {
                found = true;
                warp.block().report({.kind = FindingKind::out_of_bounds,
                                     .found = warp.block().location(warp, lane, op.line),
                                     .element = {},
                                     .what = shape.sparsity == Sparsity::ascending
                                                 ? "gives metadata whose two columns of four do not ascend"
                                                 : "gives metadata that names one column of four twice",
                                     .other = {},
                                     .other_action = {}});
            }
            a[row][4 * four + first] = stored[2 * four];
            a[row][4 * four + second] = stored[2 * four + 1];
        }
    }
}

void multiply_matrices(Warp& warp, const Op& op) {
    if (!warp.gather(all_lanes)) return;
    const Shape shape(op.bits);
    const std::uint32_t* reg_offsets = &warp.program().operands[op.extra_operands];
    const auto registers = [&](unsigned i) { return warp.values<std::uint32_t>(reg_offsets[i]); };
    const unsigned first_a = shape.c_registers(), first_b = first_a + shape.a_registers(),
                   first_c = first_b + shape.b_registers();
    double a[mma_rows][max_mma_depth], b[max_mma_depth][mma_columns];
    const unsigned per = shape.per();
    for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned j = 0; j < per; ++j) {
            for (unsigned i = 0; i < shape.a_registers(); ++i)
                a[lane / 4 + 8 * (i % 2)][lane % 4 * per + 4 * per * (i / 2) + j] =
                    matrix_element(registers(first_a + i)[lane], shape.a, j);
            for (unsigned i = 0; i < shape.b_registers(); ++i)
                b[lane % 4 * per + 4 * per * i + j][lane / 4] =
                    matrix_element(registers(first_b + i)[lane], shape.b, j);
        }
    if (shape.sparse()) spread_sparse(warp, op, shape, registers(first_c + shape.c_registers()), a);
    double sums[mma_rows][mma_columns] = {};
    for (unsigned row = 0; row < mma_rows; ++row)
        for (unsigned depth = 0; depth < shape.k; ++depth)
            for (unsigned column = 0; column < mma_columns; ++column)
                sums[row][column] += a[row][depth] * b[depth][column];
    for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned i = 0; i < 4; ++i) {
            const double product = sums[row_of(lane, i)][column_of(lane, i)];
            if (shape.sum == Type::f16) {
                const unsigned shift = 16 * (i % 2);
                const float c = float_of_f16(static_cast<std::uint16_t>(registers(first_c + i / 2)[lane] >> shift));
                std::uint32_t& d = registers(i / 2)[lane];
                d = (d & ~(0xffffu << shift)) |
                    static_cast<std::uint32_t>(f16_of_float(static_cast<float>(product + c))) << shift;
            } else if (shape.sum == Type::s32) {
                registers(i)[lane] =
                    registers(first_c + i)[lane] + static_cast<std::uint32_t>(static_cast<std::int64_t>(product));
            } else {
                const float c = std::bit_cast<float>(registers(first_c + i)[lane]);
                registers(i)[lane] = std::bit_cast<std::uint32_t>(static_cast<float>(product + c));
            }
        }
}

bool decode_mma(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::matrix;
    constexpr Sparsity sparsities[] = {Sparsity::any_order, Sparsity::ascending};
    const int sparsity = instr.take_one({"sp", "sp::ordered_metadata"});
    if (!instr.take("sync")) return false;
    instr.ignore({"aligned", "row", "col", "satfinite"});
    constexpr unsigned depths[] = {4, 8, 16, 32};
    const int depth = instr.take_one({"m16n8k4", "m16n8k8", "m16n8k16", "m16n8k32"});
    const Type d = instr.take_type(), a = instr.take_type(), b = instr.take_type(), c = instr.take_type();
    const bool integers = bytes_of(a) == 1 && bytes_of(b) == 1 && d == Type::s32;
    const bool reals = a == b && (a == Type::f16 || a == Type::bf16 || a == Type::tf32) &&
                       (d == Type::f32 || (d == Type::f16 && a == d));
    if (depth < 0 || d != c || !(integers || reals) || instr.operands() != (sparsity < 0 ? 4u : 6u)) return false;
    Shape shape(a, b, d, depths[depth]);
    if (sparsity >= 0) {
        shape.sparsity = sparsities[sparsity];
        // Only two of four: 16 bits.
        const Operand& selector = instr.operand(5);
        if (bytes_of(a) != 2 || shape.k < 16 || selector.kind != Operand::Kind::integer) return false;
        if (selector.bits >= 64 / shape.k) decoder.fail("the sparsity selector names no lanes of a group's four");
        shape.selector = static_cast<unsigned>(selector.bits);
    } else if (shape.b_registers() < 1 || shape.b_registers() > 2) {
        return false;
    }
    std::vector<std::uint32_t> reg_offsets;
    const unsigned counts[] = {shape.c_registers(), shape.a_registers(), shape.b_registers(), shape.c_registers()};
    for (std::size_t i = 0; i < 4; ++i) {
        const std::vector<Operand>& parts = instr.operand(i).parts;
        if (parts.size() != counts[i]) return false;
        for (const Operand& part : parts)
            reg_offsets.push_back(i == 0 ? decoder.result(part, Type::b32) : decoder.source(part, Type::b32));
    }
    if (shape.sparse()) reg_offsets.push_back(decoder.source(instr.operand(4), Type::b32));
    // The result may go where a factor is: lanes are done one after the other, factors are read before.
    op.extra_operands = decoder.add_operands(reg_offsets);
    op.bits = shape.bits();
    op.run = multiply_matrices;
    return true;
}

/// Each 8 x 8 matrix of 16 bits comes from eight rows, whose addresses eight lanes have.
template <bool Transposed>
void load_matrices(Warp& warp, const Op& op) {
    if (!warp.gather(all_lanes)) return;
    std::uint64_t addresses[lanes];
    addresses_of(warp, op, addresses);
    const unsigned matrices = op.elements;
    if (matrices < 4) warp.mask = (1u << 8 * matrices) - 1;  // the other lanes' addresses are not used
    count_request(warp, op, addresses, 16, AccessKind::read);
    LaneAccess access(warp, op, 16, AccessKind::read);
    std::uint16_t content[4][8][8] = {};
    for (unsigned lane = 0; lane < 8 * matrices; ++lane)
        if (const std::byte* memory = access.reach(lane, addresses[lane]))
            std::memcpy(content[lane / 8][lane % 8], memory, 16);
    for (unsigned matrix = 0; matrix < matrices; ++matrix) {
        auto* d = warp.values<std::uint32_t>(warp.program().operands[op.extra_operands + matrix]);
        for (unsigned lane = 0; lane < lanes; ++lane) {
            const auto& m = content[matrix];
            const unsigned row = lane / 4, column = 2 * (lane % 4);
            const std::uint32_t low = Transposed ? m[column][row] : m[row][column];
            const std::uint32_t high = Transposed ? m[column + 1][row] : m[row][column + 1];
            d[lane] = high << 16 | low;
        }
    }
}
template <bool Transposed>
void store_matrices(Warp& warp, const Op& op) {
    if (!warp.gather(all_lanes)) return;
    std::uint64_t addresses[lanes];
    addresses_of(warp, op, addresses);
    const unsigned matrices = op.elements;
    if (matrices < 4) warp.mask = (1u << 8 * matrices) - 1;
    count_request(warp, op, addresses, 16, AccessKind::write);
    std::uint16_t content[4][8][8];
    for (unsigned matrix = 0; matrix < matrices; ++matrix) {
        const auto* values = warp.values<std::uint32_t>(warp.program().operands[op.extra_operands + matrix]);
        for (unsigned lane = 0; lane < lanes; ++lane)
            for (unsigned i = 0; i < 2; ++i) {
                const unsigned row = lane / 4, column = 2 * (lane % 4) + i;
                content[matrix][Transposed ? column : row][Transposed ? row : column] =
                    static_cast<std::uint16_t>(values[lane] >> 16 * i);
            }
    }
    LaneAccess access(warp, op, 16, AccessKind::write);
    for (unsigned lane = 0; lane < 8 * matrices; ++lane)
        if (std::byte* memory = access.reach(lane, addresses[lane]))
            std::memcpy(memory, content[lane / 8][lane % 8], 16);
}

/// ldmatrix and stmatrix.
bool decode_ldmatrix(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const bool stores = instr.instruction.opcode == "stmatrix";
    op.kind = stores ? Kind::store : Kind::load;
    if (!instr.take("sync") || !instr.take("m8n8")) return false;
    instr.ignore({"aligned"});
    const int count = instr.take_one({"x1", "x2", "x4"});
    const bool transposed = instr.take("trans");
    op.space = take_memory_space(instr);
    if (count < 0 || instr.take_type() != Type::b16 || instr.operands() != 2) return false;
    op.elements = static_cast<std::uint8_t>(1 << count);
    op.bytes = 2;
    const Operand& d = instr.operand(stores ? 1 : 0);
    const std::vector<Operand> parts = d.kind == Operand::Kind::vector ? d.parts : std::vector<Operand>{d};
    if (parts.size() != op.elements) return false;
    std::vector<std::uint32_t> reg_offsets;
    for (const Operand& part : parts)
        reg_offsets.push_back(stores ? decoder.source(part, Type::b32) : decoder.result(part, Type::b32));
    op.extra_operands = decoder.add_operands(reg_offsets);
    decoder.take_address(instr.operand(stores ? 0 : 1), op);
    if (stores)
        op.run = transposed ? store_matrices<true> : store_matrices<false>;
    else
        op.run = transposed ? load_matrices<true> : load_matrices<false>;
    return true;
}

constexpr OpcodeRow rows_of_matrices[] = {
    {"mma", decode_mma}, {"ldmatrix", decode_ldmatrix}, {"stmatrix", decode_ldmatrix}};

}  // namespace

std::span<const OpcodeRow> matrix_opcodes() {
    return rows_of_matrices;
}

}  // namespace convscope::ptx
