// Decodes an instruction's tokens into an Op. Each file of instructions has a table of the opcodes that it decodes.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/run/memory.h"
#include "kernels/ptx/run/program.h"

namespace convscope::ptx {

class Decoder;

/// An instruction that is being decoded. Decoders take the modifiers that they support; one that is left is an error.
class InstructionDecoder {
public:
    explicit InstructionDecoder(const Instruction& read) : instruction(read), taken_(read.modifiers.size(), false) {}

    const Instruction& instruction;

    bool take(std::string_view modifier);
    /// Takes the first of these that is present and returns its index in the list, or -1.
    int take_one(std::initializer_list<std::string_view> list);
    /// Takes any number of these, which change nothing here.
    void ignore(std::initializer_list<std::string_view> list);
    /// Takes the first modifier that is a type; none where there is none left.
    Type take_type();
    bool all_taken() const;
    std::size_t operands() const { return instruction.operands.size(); }
    const Operand& operand(std::size_t i) const { return instruction.operands[i]; }

private:
    std::vector<bool> taken_;
};

/// Fills the Op, or emits several through the Decoder; false where this form of the instruction is not supported.
using Decode = bool (*)(Decoder&, InstructionDecoder&, Op&);
struct OpcodeRow {
    std::string_view opcode;
    Decode decode;
};
std::span<const OpcodeRow> integer_opcodes();
std::span<const OpcodeRow> bit_opcodes();
std::span<const OpcodeRow> real_opcodes();
std::span<const OpcodeRow> compare_opcodes();
std::span<const OpcodeRow> move_opcodes();
std::span<const OpcodeRow> convert_opcodes();
std::span<const OpcodeRow> memory_opcodes();
std::span<const OpcodeRow> atomic_opcodes();
std::span<const OpcodeRow> copy_opcodes();
std::span<const OpcodeRow> control_opcodes();
std::span<const OpcodeRow> warp_opcodes();
std::span<const OpcodeRow> matrix_opcodes();
std::span<const OpcodeRow> mbarrier_opcodes();
std::span<const OpcodeRow> cluster_opcodes();
std::span<const OpcodeRow> wgmma_opcodes();
std::span<const OpcodeRow> wmma_opcodes();
std::span<const OpcodeRow> texture_opcodes();

// Opcodes that integers share.
bool decode_real_add(Decoder&, InstructionDecoder&, Op&);
bool decode_real_sub(Decoder&, InstructionDecoder&, Op&);
bool decode_real_mul(Decoder&, InstructionDecoder&, Op&);
bool decode_real_fma(Decoder&, InstructionDecoder&, Op&);
bool decode_real_div(Decoder&, InstructionDecoder&, Op&);
bool decode_real_min(Decoder&, InstructionDecoder&, Op&);
bool decode_real_max(Decoder&, InstructionDecoder&, Op&);
bool decode_real_abs(Decoder&, InstructionDecoder&, Op&);
bool decode_real_neg(Decoder&, InstructionDecoder&, Op&);

/// Returns 'generic' for global, constant and parameter memory, whose addresses are generic.
Space take_memory_space(InstructionDecoder&);

/// Makes the Op run under a rounding mode (a modifier: "rn", "rz", "rm", "rp"); 'flush' treats subnormal numbers as
/// zero. 'rounding' is an index into these; nearest is -1 or 0.
void set_float_mode(Op&, int rounding, bool flush);

// Decoders that live in another file than their opcode's.
bool decode_bulk(Decoder&, InstructionDecoder&, Op&);                 ///< cp.async.bulk
bool decode_tensor(Decoder&, InstructionDecoder&, Op&);               ///< cp.async.bulk.tensor
bool decode_async_store(Decoder&, InstructionDecoder&, Op&);          ///< st.async
bool decode_arrive_after_copies(Decoder&, InstructionDecoder&, Op&);  ///< cp.async.mbarrier
bool decode_cluster_barrier(Decoder&, InstructionDecoder&, Op&);      ///< barrier.cluster

/// vprintf and the other functions that a kernel calls and no module defines. The operands are results, then arguments.
Decode builtin_function(std::string_view name);

class Decoder {
public:
    Decoder(const Module&, const Function& entry, const std::vector<std::uint64_t>& lent);
    Program program();

    /// The offset in the register file of an operand that is read as this type; no_reg for '_'. Throws Error where a
    /// register has another size.
    std::uint32_t source(const Operand&, Type);
    std::uint32_t result(const Operand&, Type);
    std::uint32_t predicate(const Operand&);
    /// Sets a, b, c from operands 1, 2, 3, as many as there are, and d from operand 0.
    void take_operands(InstructionDecoder&, Op&, Type d, std::initializer_list<Type> sources);
    /// Reserves room in the register file for a 32-bit register, or one of 'bytes'.
    std::uint32_t new_reg_offset(unsigned bytes);
    std::uint32_t constant(std::uint64_t bits, unsigned bytes);
    /// The type of a register; none for any other operand.
    Type register_type(const Operand&) const;
    /// Fills a, bits, wide of an Op from an address operand.
    void take_address(const Operand&, Op&);
    /// Appends these offsets to Program::operands and returns the index of the first.
    std::uint32_t add_operands(const std::vector<std::uint32_t>& reg_offsets);

    /// Emits one of several Ops for an instruction, with its guard and line.
    void emit(Op);
    /// Records that the kernel calls malloc() or free().
    void note_heap() { program_.uses_heap = true; }
    void note_textures() { program_.uses_textures = true; }
    bool uses_grid() const { return program_.uses_grid; }
    [[noreturn]] void fail(const std::string& sentence) const;
    /// The carry bit that add.cc leaves and addc takes: a predicate.
    std::uint32_t carry();

private:
    void decode_function(const Function&, std::uint32_t depth);
    void decode_instruction(const Instruction&);
    void decode_call(const Instruction&, std::uint32_t depth);
    SourceLine line_of(const Instruction&) const;
    std::uint32_t line_index_of(const Instruction&);
    void add_registers(const Instruction&);
    void find_checked_loads();
    std::uint64_t address_of(std::uint32_t variable);
    std::uint64_t shared_offset_of(const Variable&);
    std::uint32_t register_offset(std::uint32_t index);
    std::uint32_t special_offset(const Operand&, unsigned bytes);

    const Module& module_;
    const std::vector<std::uint64_t>& lent_;  ///< addresses of variables, as make_program has them
    Program program_;
    const Function* function_ = nullptr;        ///< that is being decoded
    const Instruction* instruction_ = nullptr;  ///< likewise
    SourceLine call_line_;                      ///< of the call that is open, for functions without lines
    std::uint32_t carry_ = no_reg;
    std::uint64_t shared_end_ = shared_bytes_addressed;  ///< what lies from here on is taken
    std::map<const Function*, std::vector<std::uint32_t>> reg_offsets_;
    /// Addresses of variables. A called function's parameter is the caller's variable.
    std::map<std::uint32_t, std::uint64_t> addresses_;
    std::map<std::pair<std::uint64_t, unsigned>, std::uint32_t> constants_;
    std::map<std::pair<std::string, unsigned>, std::uint32_t> specials_;
    std::map<SourceLine, std::uint32_t> line_indices_;
    std::vector<const Function*> calls_;  ///< that are open, for recursion
};

}  // namespace convscope::ptx
