// A kernel decoded for execution: each instruction is a function pointer with the offsets of its operands.
//
// A warp's registers are one piece of memory, the register file: the values of a register's 32 lanes are adjacent (a
// predicate has a bit per lane). Constants, addresses of variables and special registers such as %tid.x are in it, too,
// so an operand is always an offset into it. Calls are inlined: the instructions of a function are copied to wherever
// it is called, and work on the same registers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/ptx/text/module.h"

namespace convscope::ptx {

class Warp;
struct Op;
using Run = void (*)(Warp&, const Op&);

/// The kind that an instruction is counted as.
enum class Kind : std::uint8_t {
    integer,
    real,
    multiply_add,
    convert,
    load,
    store,
    atomic,
    move,
    control,
    barrier,
    warp,
    matrix
};
constexpr unsigned kinds = 12;
const char* to_string(Kind);

constexpr std::uint32_t no_reg = ~0u;

enum class Fence : std::uint8_t { none, block, device };

/// How undefined bits in an instruction's operands spread (UndefinedRegisters). 'compute': any of them makes all of the
/// result undefined. 'use': they matter here.
enum class Flow : std::uint8_t {
    compute,
    use,
    copy,
    pack,  ///< mov with a vector
    bitwise,
    conjunction,
    disjunction,
    select,
    shift,
    extract,
    insert,
    permute,
    convert,
    compare,
    store,
    shuffle
};

struct Op {
    Run run = nullptr;
    Run inner = nullptr;  ///< what 'run' calls, where it changes the way of rounding around it
    std::uint32_t d = no_reg, a = no_reg, b = no_reg, c = no_reg;  ///< bytes from the register file's start
    std::uint32_t guard = no_reg;
    std::uint32_t target = 0;          ///< of a branch: index of an Op
    std::uint32_t extra_operands = 0;  ///< further operands: index in Program::operands
    std::uint32_t line = 0;            ///< index in Program::lines
    std::uint64_t bits = 0;            ///< offset of an address; what else an instruction needs
    Space space = Space::generic;
    std::uint8_t bytes = 4;     ///< of an element in memory
    std::uint8_t elements = 1;  ///< of a vector
    std::uint8_t variant = 0;   ///< of an operation, where one function does several
    bool wide = false;          ///< the address has 64 bits
    bool negated = false;       ///< the guard
    bool strong = false;        ///< volatile, relaxed, acquire, release
    bool is_volatile = false;
    bool checked = false;       ///< a plain load whose value a compare-and-swap checks
    Fence fence = Fence::none;  ///< that comes with it: of a release
    Flow flow = Flow::compute;
    bool zero_counts = false;  ///< a multiplication of floats: a zero among 'a' and 'b' makes it idle
    Kind kind = Kind::integer;
};

enum class Special : std::uint8_t {
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    smid,
    nsmid,
    gridid,
    lanemask_eq,
    lanemask_lt,
    lanemask_le,
    lanemask_gt,
    lanemask_ge,
    dynamic_smem_size,
    total_smem_size,
    cluster_ctaid_x,
    cluster_ctaid_y,
    cluster_ctaid_z,
    cluster_nctaid_x,
    cluster_nctaid_y,
    cluster_nctaid_z,
    clusterid_x,
    clusterid_y,
    clusterid_z,
    nclusterid_x,
    nclusterid_y,
    nclusterid_z,
    cluster_ctarank,
    cluster_nctarank,
    envreg1,
    envreg2
};

struct SpecialRegister {
    Special special;
    std::uint32_t reg_offset;
    unsigned bytes;
};

struct ConstantRegister {
    std::uint64_t bits;
    std::uint32_t reg_offset;
    unsigned bytes;  ///< 0: of a predicate
};

struct Parameter {
    std::string name;  ///< as in PTX: "_Z4convPKfi_param_0"
    Type type = Type::b32;
    std::uint64_t offset = 0, bytes = 0;
};

/// Array i is at address_of_global(i), or misaligned_bytes above it: the parameters, then the module's variables, then
/// the launch's own arrays.
struct Program {
    const Module* module = nullptr;  ///< not owned
    const Function* entry = nullptr;
    std::vector<Op> ops;
    std::vector<const Instruction*> instructions;              ///< of each Op
    std::vector<std::vector<std::uint32_t>> sources, results;  ///< registers that each Op reads, and writes
    std::vector<std::uint32_t> operands;
    std::vector<SourceLine> lines;
    std::uint32_t file_bytes = 0;
    std::vector<ConstantRegister> constants;
    std::vector<SpecialRegister> specials;
    std::vector<Parameter> parameters;
    std::uint64_t parameter_bytes = 0;
    std::vector<std::uint32_t> globals;           ///< array 1 + i is this variable of the module
    std::vector<std::uint32_t> shared;            ///< shared array i is this variable of the module
    std::vector<std::uint64_t> shared_addresses;  ///< likewise
    std::uint64_t static_shared_bytes = 0, local_bytes = 0;
    /// Its threads are ordered by something besides barriers of the whole block, or of a warp.
    bool partly_ordered = false;
    bool uses_heap = false;          ///< it calls malloc() or free()
    bool uses_textures = false;      ///< or surfaces
    bool uses_grid = false;          ///< it asks for what a cooperative launch gives: its blocks wait for each other
    std::vector<std::string> notes;  ///< sentences about the kernel that are no findings

    std::size_t first_free_array() const { return 1 + globals.size(); }
};

/// Throws Error(usage) naming the line of an unsupported instruction: "conv.cu:12: 'wgmma.fence...' is not supported".
/// The module must outlive the program.
/// 'addresses' are those of the module's variables, by their index, where the caller lends them to each launch
/// (LaunchRequest::memory); 0 for the others.
Program make_program(const Module&, const Function& entry, const std::vector<std::uint64_t>& addresses = {});

}  // namespace convscope::ptx
