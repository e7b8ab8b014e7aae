// A PTX module as its text defines it: functions, variables, instructions with their operands. Decoding a kernel gives
// the instructions their meaning (program.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/ptx/text/types.h"

namespace convscope::ptx {

/// A line of the source that the module was compiled from, by '.loc'; PTX without '.loc' has its own lines.
struct SourceLine {
    std::uint32_t file = 0;  ///< key in Module::files; 0 is the PTX itself
    std::uint32_t line = 0;
    auto operator<=>(const SourceLine&) const = default;
};

struct Operand {
    enum class Kind : std::uint8_t {
        reg,       ///< index: in Function::registers
        special,   ///< name: "%tid.x"
        variable,  ///< index: in Module::variables; its address, 'offset' bytes on
        integer,   ///< bits: two's complement
        real32,    ///< bits: a float's (0f...)
        real64,    ///< bits: a double's (0d..., or with a decimal point)
        address,   ///< [parts[0] + offset]
        vector,    ///< {parts}
        list,      ///< (parts): of a call
        pair,      ///< parts[0]|parts[1]
        name,      ///< a label or a function
        nothing,   ///< _
    };
    Kind kind = Kind::nothing;
    bool negated = false;  ///< !%p
    std::uint32_t index = 0;
    std::uint64_t bits = 0;
    std::int64_t offset = 0;
    std::string name;
    std::vector<Operand> parts;
};

struct Instruction {
    std::string opcode;                  ///< "ld"
    std::vector<std::string> modifiers;  ///< "global", "v4", "f32"
    std::optional<Operand> guard;        ///< @%p, @!%p
    std::vector<Operand> operands;       ///< results first
    std::uint32_t target = 0;            ///< bra: index of an instruction in its function
    SourceLine source;
    std::uint32_t text_line = 0;  ///< of the PTX

    bool has(std::string_view modifier) const;
    std::string text() const;  ///< "ld.global.v4.f32"
};

struct Register {
    std::string name;
    Type type = Type::b32;
};

struct Variable {
    /// An 8-byte word of the initial value that holds the address of another variable.
    struct Link {
        std::size_t at = 0;
        std::string to;
    };
    std::string name;
    Space space = Space::global;
    Type type = Type::b8;  ///< of an element
    std::uint64_t align = 1, bytes = 0;
    bool dynamic = false;            ///< extern .shared []: as large as the launch says
    std::vector<std::byte> initial;  ///< may be shorter than 'bytes': the rest is zero
    std::vector<Link> links;
};

struct Function {
    std::string name;
    bool entry = false;
    std::uint32_t max_threads = 0;                   ///< .maxntid; 0: none
    Dim3 cluster;                                    ///< .reqnctapercluster: blocks
    std::vector<std::uint32_t> parameters, results;  ///< indices of Module::variables
    std::vector<std::uint32_t> locals;               ///< those in the state spaces local and parameter
    std::vector<Register> registers;
    std::vector<Instruction> code;
};

struct Module {
    std::string name;  ///< of the file, for messages
    std::vector<Function> functions;
    std::vector<Variable> variables;
    std::vector<std::string> files = {""};  ///< by the number of '.file'

    const Function* find(std::string_view function) const;
    /// Whether it, or a function that it calls, needs the barrier of a cooperative launch, as grid.sync() does.
    bool uses_grid(const Function&) const;
    /// The variable in constant or global memory with this short_name; null where there is none.
    const Variable* find_variable(std::string_view variable_name) const;
};

/// Parses PTX. Throws Error(usage), "NAME:LINE: ...", for text that is not PTX.
Module read_module(std::string_view text, std::string name);

/// Demangles: "conv(float const*, int)" from "_Z4convPKfi"; leaves any other name as it is.
std::string plain_name(const std::string& symbol);
/// The last name in a mangled one: "As" from "_ZZ4convPKfE2As".
std::string short_name(const std::string& symbol);

}  // namespace convscope::ptx
