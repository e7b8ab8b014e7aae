// Reads the operands of instructions. Names are resolved in the scopes open at that point, because compilers reuse
// names in each '{ }' of a call.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/ptx/text/token_reader.h"

namespace convscope::ptx {

struct Scope {
    std::map<std::string, Type, std::less<>> declared;       ///< registers
    std::map<std::string, Type, std::less<>> families;       ///< "%r" of '.reg .b32 %r<10>'
    std::map<std::string, std::uint32_t, std::less<>> used;  ///< registers, by name, that an operand named
    std::map<std::string, std::uint32_t, std::less<>> variables;
    std::map<std::string, std::uint32_t, std::less<>> labels;  ///< the instruction that follows
    std::vector<std::uint32_t> branches;                       ///< instructions whose label is not known yet
};

class OperandReader : public TokenReader {
protected:
    using TokenReader::TokenReader;
    Operand read_operand();

    Function* function_ = nullptr;  ///< that is being read
    std::vector<Scope> scopes_;

private:
    Operand read_simple();
    Operand read_group(Operand::Kind, std::string_view end);
    Operand read_address();
    Operand find_name(const std::string& name);
};

}  // namespace convscope::ptx
