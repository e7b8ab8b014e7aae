// wgmma: PTX ISA, 'Asynchronous Warpgroup Level Matrix Instructions'. D (64 x n) += A (64 x k) B (k x n) by four warps:
// warp i of them has rows 16 i to 16 i + 15, and is done with them by itself. The product is there at once; who reads
// its sums before they have been waited for is found, as is who writes over a factor in shared memory.
//
// In 8 columns of D from 8 j on, with lane = 4 group + place, registers 4 j to 4 j + 3 hold columns 2 place, 2 place +
// 1 of row 'group', then of row group + 8; f16 packs two of them in a register. A in registers is as in mma
// (matrix_ops.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/ptx/run/async_access.h"
#include "kernels/ptx/run/cluster_run.h"
#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/half.h"
#include "kernels/ptx/run/lane_loops.h"

namespace convscope::ptx {
namespace {

constexpr unsigned warp_rows = 16, warpgroup = 4, max_columns = 256, max_k = 32, chunk = 16;
constexpr unsigned k_bytes = 32;  ///< of a row of a factor

/// In Op::bits.
struct Product {
    Type a, b, sum;
    unsigned columns;
    bool a_in_registers, a_across, b_across;  ///< across: consecutive elements are of one k
    bool minus_a, minus_b;

    static Product of(std::uint64_t bits) {
        const auto flag = [&](unsigned i) { return (bits >> (40 + i) & 1) != 0; };
        return {static_cast<Type>(bits & 255),
                static_cast<Type>(bits >> 8 & 255),
                static_cast<Type>(bits >> 16 & 255),
                static_cast<unsigned>(bits >> 24 & 65535),
                flag(0),
                flag(1),
                flag(2),
                flag(3),
                flag(4)};
    }
    std::uint64_t bits() const {
        std::uint64_t all = static_cast<std::uint64_t>(a) | static_cast<std::uint64_t>(b) << 8 |
                            static_cast<std::uint64_t>(sum) << 16 | std::uint64_t{columns} << 24;
        unsigned at = 40;
        for (const bool flag : {a_in_registers, a_across, b_across, minus_a, minus_b})
            all |= std::uint64_t{flag} << at++;
        return all;
    }
    unsigned k() const { return k_bytes / bytes_of(a); }
    unsigned sums() const { return columns / (sum == Type::f16 ? 4 : 2); }
};

double number_at(const std::byte* memory, Type type) {
    std::uint32_t word = 0;
    std::memcpy(&word, memory, bytes_of(type));
    switch (type) {
        case Type::f16:
            return float_of_f16(static_cast<std::uint16_t>(word));
        case Type::bf16:
            return float_of_bf16(static_cast<std::uint16_t>(word));
        case Type::s8:
            return static_cast<std::int8_t>(word);
        case Type::u8:
            return static_cast<std::uint8_t>(word);
        default:
            return tf32_bits(std::bit_cast<float>(word));
    }
}

/// A factor in shared memory, as its descriptor has it ('Matrix Descriptor Format', 'Canonical layouts'): in chunks of
/// 16 bytes, whose offsets depend on row and k; 'row' is a column of B.
class Matrix {
public:
    Matrix(std::uint64_t descriptor, bool across)
        : start_((descriptor & 0x3fff) << 4),
          leading_((descriptor >> 16 & 0x3fff) << 4),
          stride_((descriptor >> 32 & 0x3fff) << 4),
          swizzle_(static_cast<unsigned>(descriptor >> 62)),
          across_(across) {}

    /// The chunk with this element: along k, or, where consecutive elements have the same k, along the rows.
    std::uint64_t shared_offset(unsigned row, unsigned k, unsigned bytes) const {
        constexpr unsigned widths[] = {1, 8, 4, 2};  // chunks of a swizzle's row
        const unsigned width = widths[swizzle_], per = chunk / bytes;
        std::uint64_t at = start_;
        if (!across_) {
            at += std::uint64_t{row % 8} * chunk * width + row / 8 * stride_;
            at += k / per * (swizzle_ == 0 ? leading_ : chunk);
        } else {
            const unsigned chunks = row / per;
            at += std::uint64_t{chunks % width} * chunk + std::uint64_t{k % 8} * chunk * width;
            at += chunks / width * (swizzle_ == 0 ? stride_ : leading_) + k / 8 * (swizzle_ == 0 ? leading_ : stride_);
        }
        at %= shared_bytes_addressed;
        return at ^ (at >> 7 & (width - 1)) << 4;
    }
    std::uint64_t start() const { return start_; }
    bool across() const { return across_; }

private:
    std::uint64_t start_, leading_, stride_;
    unsigned swizzle_;
    bool across_;
};

/// Reads rows 'first' to first + count - 1 into values[k][row], the rows being max_columns apart.
void read_factor(Warp& warp, const Op& op, const Matrix& matrix, Type type, unsigned first, unsigned count,
                 double* values) {
    const unsigned bytes = bytes_of(type), per = chunk / bytes, k_size = k_bytes / bytes;
    const unsigned row_step = matrix.across() ? per : 1, k_step = matrix.across() ? 1 : per;
    AsyncAccess access = AsyncAccess(warp, op, chunk, AccessKind::read).of_warpgroup();
    const Located in = warp.block().locate_in_shared(matrix.start());
    if (!in.array)
        warp.block().report({.kind = FindingKind::out_of_bounds,
                             .found = warp.block().location(warp, 0, op.line),
                             .element = {},
                             .what = "multiplies a matrix in shared memory, where the kernel has no array",
                             .other = {},
                             .other_action = {}});
    const std::uint64_t begin = in.begin % shared_bytes_addressed;
    for (unsigned row = 0; row < count; row += row_step)
        for (unsigned k = 0; k < k_size; k += k_step) {
            const std::uint64_t at = in.begin + matrix.shared_offset(first + row, k, bytes) - begin;
            const std::byte* memory = in.array ? access.reach(0, at) : nullptr;
            for (unsigned i = 0; i < per; ++i)
                values[(matrix.across() ? k : k + i) * max_columns + (matrix.across() ? row + i : row)] =
                    memory ? number_at(memory + i * bytes, type) : 0;
        }
}

CONVSCOPE_PTX_CLONES void multiply(const double* a, const double* b, unsigned k_size, unsigned columns, double* sums) {
    for (unsigned row = 0; row < warp_rows; ++row)
        for (unsigned k = 0; k < k_size; ++k) {
            const double factor = a[k * max_columns + row];
#pragma GCC ivdep
            for (unsigned column = 0; column < columns; ++column)
                sums[row * max_columns + column] += factor * b[k * max_columns + column];
        }
}

void report_product(Warp& warp, const Op& op, FindingKind kind, const char* what) {
    warp.block().report({.kind = kind,
                         .found = warp.block().location(warp, 0, op.line),
                         .element = {},
                         .what = what,
                         .other = {},
                         .other_action = {}});
}

/// Adds the product to the registers of the sums, or puts it there.
void add_to_sums(Warp& warp, const Product& product, const std::uint32_t* reg_offsets, const double* sums, bool adds) {
    for (unsigned lane = 0; lane < lanes; ++lane)
        for (unsigned i = 0; i < product.columns / 2; ++i) {
            const unsigned row = lane / 4 + 8 * (i / 2 % 2), column = i / 4 * 8 + 2 * (lane % 4) + i % 2;
            const double value = sums[row * max_columns + column];
            if (product.sum == Type::f16) {
                std::uint32_t& d = warp.values<std::uint32_t>(reg_offsets[i / 2])[lane];
                const unsigned shift = 16 * (i % 2);
                const float old = adds ? float_of_f16(static_cast<std::uint16_t>(d >> shift)) : 0;
                d = (d & ~(0xffffu << shift)) |
                    static_cast<std::uint32_t>(f16_of_float(static_cast<float>(value + old))) << shift;
            } else if (product.sum == Type::s32) {
                std::uint32_t& d = warp.values<std::uint32_t>(reg_offsets[i])[lane];
                d = (adds ? d : 0) + static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
            } else {
                float& d = warp.values<float>(reg_offsets[i])[lane];
                d = static_cast<float>(value + (adds ? d : 0));
            }
        }
}

/// Program::operands: registers of D; registers of A, or its descriptor; the descriptor of B; whether D is added to.
void start_product(Warp& warp, const Op& op) {
    if (!warp.gather(all_lanes)) return;
    const Product product = Product::of(op.bits);
    if (warp.index() / warpgroup * warpgroup + warpgroup > warp.block().warps().size())
        report_product(warp, op, FindingKind::divergent_barrier, "multiplies, and its warpgroup has not four warps");
    if (!warp.wgmma.fenced) report_product(warp, op, FindingKind::race, "multiplies, and no wgmma.fence comes before");
    warp.wgmma.fenced = true;
    const std::uint32_t* reg_offsets = &warp.program().operands[op.extra_operands];
    const std::uint32_t* factors = reg_offsets + product.sums();
    double a[max_k * max_columns], b[max_k * max_columns], sums[warp_rows * max_columns] = {};
    if (product.a_in_registers) {
        const unsigned bytes = bytes_of(product.a), per = 4 / bytes;
        for (unsigned lane = 0; lane < lanes; ++lane)
            for (unsigned i = 0; i < 4; ++i)
                for (unsigned j = 0; j < per; ++j)
                    a[(lane % 4 * per + 4 * per * (i / 2) + j) * max_columns + lane / 4 + 8 * (i % 2)] = number_at(
                        reinterpret_cast<std::byte*>(warp.values<std::uint32_t>(factors[i]) + lane) + j * bytes,
                        product.a);
        factors += 4;
    } else {
        const Matrix matrix(warp.values<std::uint64_t>(*factors++)[0], product.a_across);
        read_factor(warp, op, matrix, product.a, warp_rows * (warp.index() % warpgroup), warp_rows, a);
    }
    const Matrix matrix(warp.values<std::uint64_t>(*factors++)[0], product.b_across);
    read_factor(warp, op, matrix, product.b, 0, product.columns, b);
    multiply(a, b, product.k(), product.columns, sums);
    if (product.minus_a != product.minus_b)
        for (double& sum : sums) sum = -sum;
    add_to_sums(warp, product, reg_offsets, sums, (warp.predicate(*factors) & 1) != 0);
    for (unsigned i = 0; i < product.sums(); ++i) warp.note_accumulator(reg_offsets[i], op.line);
}

void fence_products(Warp& warp, const Op&) {
    warp.wgmma.fenced = true;
}

void commit_products(Warp& warp, const Op&) {
    warp.wgmma.committed.push_back(warp.block().race_detector().arrive());
    warp.block().cluster().wake();
}

/// All groups but the newest op.bits. A product is the whole warpgroup's: it is over for all of its warps, or for none.
void wait_for_products(Warp& warp, const Op& op) {
    const std::size_t groups = warp.wgmma.committed.size();
    if (groups <= op.bits) return;
    const std::size_t ended = groups - op.bits;
    const unsigned first = warp.index() / warpgroup * warpgroup;
    std::uint32_t epoch = 0;
    const auto& warps = warp.block().warps();
    for (unsigned i = first; i < std::min<std::size_t>(first + warpgroup, warps.size()); ++i) {
        const std::vector<std::uint32_t>& committed = warps[i]->wgmma.committed;
        if (committed.size() >= ended)
            epoch = std::max(epoch, committed[ended - 1]);
        else if (!warps[i]->ended())
            return warp.wait_for_event(Warp::warpgroup);
    }
    warp.block().race_detector().end_started(warp.number(), warps[first]->number(), epoch);
    warp.forget_accumulators(static_cast<std::uint32_t>(ended));
}

std::optional<unsigned> number_between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t from = text.find(before) + before.size(), to = text.find(after, from);
    if (!text.starts_with("m64n") || to == std::string_view::npos || to == from || to - from > 3) return std::nullopt;
    if (text.substr(from, to - from).find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    return static_cast<unsigned>(std::stoul(std::string(text.substr(from, to - from))));
}

bool decode_product(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    Product product{};
    for (const std::string& modifier : instr.instruction.modifiers)
        if (const auto columns = number_between(modifier, "m64n", "k"); columns && instr.take(modifier)) {
            product.columns = *columns;
            if (modifier.substr(modifier.find('k')) == "k8") op.variant = 8;
            if (modifier.substr(modifier.find('k')) == "k16") op.variant = 16;
            if (modifier.substr(modifier.find('k')) == "k32") op.variant = 32;
        }
    product.sum = instr.take_type();
    product.a = instr.take_type();
    product.b = instr.take_type();
    const bool bytes = bytes_of(product.a) == 1 && bytes_of(product.b) == 1 && product.sum == Type::s32;
    const bool halves = product.a == Type::f16 || product.a == Type::bf16;
    const bool reals = product.a == product.b && (halves || product.a == Type::tf32) &&
                       (product.sum == Type::f32 || (product.sum == Type::f16 && product.a == Type::f16));
    if (!(bytes || reals) || product.columns == 0 || product.columns > max_columns || product.columns % 8 != 0 ||
        op.variant != product.k() || instr.operands() < 4)
        return false;
    product.a_in_registers = instr.operand(1).kind == Operand::Kind::vector;
    const auto whole = [&](std::size_t i) {
        const Operand& operand = instr.operand(i);
        if (operand.kind != Operand::Kind::integer) decoder.fail("a whole number was expected");
        return static_cast<std::int64_t>(operand.bits);
    };
    std::size_t next = 4;
    if (reals) {
        if (instr.operands() != 6 + (halves ? 2u : 0u) - (halves && product.a_in_registers ? 1u : 0u)) return false;
        product.minus_a = whole(next++) < 0;
        product.minus_b = whole(next++) < 0;
        if (halves && !product.a_in_registers) product.a_across = whole(next++) != 0;
        if (halves) product.b_across = whole(next++) != 0;
    } else {
        instr.ignore({"satfinite"});
    }
    if (next != instr.operands() || instr.operand(0).parts.size() != product.sums() ||
        (product.a_in_registers && instr.operand(1).parts.size() != 4))
        return false;
    std::vector<std::uint32_t> reg_offsets;
    const Type sum = product.sum == Type::f16 ? Type::b32 : product.sum;
    for (const Operand& part : instr.operand(0).parts) reg_offsets.push_back(decoder.result(part, sum));
    if (product.a_in_registers)
        for (const Operand& part : instr.operand(1).parts) reg_offsets.push_back(decoder.source(part, Type::b32));
    else
        reg_offsets.push_back(decoder.source(instr.operand(1), Type::b64));
    reg_offsets.push_back(decoder.source(instr.operand(2), Type::b64));
    reg_offsets.push_back(decoder.source(instr.operand(3), Type::pred));
    op.extra_operands = decoder.add_operands(reg_offsets);
    op.bits = product.bits();
    op.run = start_product;
    return true;
}

bool decode_wgmma(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::matrix;
    if (!instr.take("sync")) return false;
    instr.ignore({"aligned"});
    if (instr.take("mma_async")) return decode_product(decoder, instr, op);
    if (instr.take("fence")) {
        op.run = fence_products;
    } else if (instr.take("commit_group")) {
        op.run = commit_products;
    } else if (instr.take("wait_group")) {
        if (instr.operands() != 1 || instr.operand(0).kind != Operand::Kind::integer) return false;
        op.bits = instr.operand(0).bits;
        op.run = wait_for_products;
    }
    return op.run != nullptr;
}

constexpr OpcodeRow rows_of_products[] = {{"wgmma", decode_wgmma}};

}  // namespace

std::span<const OpcodeRow> wgmma_opcodes() {
    return rows_of_products;
}

}  // namespace convscope::ptx
