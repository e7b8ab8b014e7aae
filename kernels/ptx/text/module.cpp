#include "kernels/ptx/text/module.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>

namespace convscope::ptx {

bool Instruction::has(std::string_view modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::string Instruction::text() const {
    std::string all = opcode;
    for (const std::string& modifier : modifiers) all += "." + modifier;
    return all;
}

const Function* Module::find(std::string_view function) const {
    const auto found =
        std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == function; });
    return found == functions.end() ? nullptr : &*found;
}

bool Module::uses_grid(const Function& function) const {
    std::set<const Function*> seen;
    const auto uses = [&](const auto& self, const Function& in) -> bool {
        return seen.insert(&in).second && std::ranges::any_of(in.code, [&](const Instruction& instruction) {
                   return std::ranges::any_of(instruction.operands, [&](const Operand& operand) {
                       if (operand.kind == Operand::Kind::special)
                           return operand.name == "%envreg1" || operand.name == "%envreg2";
                       const Function* called = operand.kind == Operand::Kind::name ? find(operand.name) : nullptr;
                       return called && self(self, *called);
                   });
               });
    };
    return uses(uses, function);
}

std::string plain_name(const std::string& symbol) {
    if (!symbol.starts_with("_Z")) return symbol;  // 's' would be a type: short
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                       std::free);
    return status == 0 && plain ? std::string(plain.get()) : symbol;
}

const Variable* Module::find_variable(std::string_view variable_name) const {
    for (const Variable& variable : variables)
        if ((variable.space == Space::constant || variable.space == Space::global) &&
            short_name(variable.name) == variable_name)
            return &variable;
    return nullptr;
}

std::string short_name(const std::string& symbol) {
    const std::string plain = plain_name(symbol);
    const std::size_t colons = plain.rfind("::");
    return colons == std::string::npos ? plain : plain.substr(colons + 2);
}

}  // namespace convscope::ptx
