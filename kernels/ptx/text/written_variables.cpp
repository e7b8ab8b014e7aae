#include "kernels/ptx/text/written_variables.h"

#include <algorithm>
#include <map>

namespace convscope::ptx {
namespace {

using Variables = std::set<std::uint32_t>;

/// For one function: the variables that each register may point into.
class AddressFlow {
public:
    AddressFlow(const Function& function, Variables& written) : function_(function), written_(written) {}

    void run() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Instruction& instruction : function_.code) changed |= follow(instruction);
        }
    }

private:
    void add_to(Variables& all, const Operand& operand) const {
        if (operand.kind == Operand::Kind::variable) all.insert(operand.index);
        if (operand.kind == Operand::Kind::reg)
            if (const auto known = points_into_.find(operand.index); known != points_into_.end())
                all.insert(known->second.begin(), known->second.end());
        for (const Operand& part : operand.parts) add_to(all, part);
    }

    /// Whether a register points into more than was known.
    bool follow(const Instruction& instruction) {
        const std::vector<Operand>& operands = instruction.operands;
        if (operands.empty()) return false;
        const bool loads = instruction.opcode == "ld" || instruction.opcode == "ldu";
        const bool has_result = operands[0].kind == Operand::Kind::reg || operands[0].kind == Operand::Kind::pair ||
                                operands[0].kind == Operand::Kind::vector;
        const bool computes = has_result && instruction.opcode != "atom" && instruction.opcode != "call";
        Variables sources;
        for (std::size_t i = computes ? 1 : 0; i < operands.size(); ++i) add_to(sources, operands[i]);
        if (loads) return false;  // what is loaded is no address of a variable that nothing has stored
        if (!computes) {
            written_.insert(sources.begin(), sources.end());
            return false;
        }
        return point(operands[0], sources);
    }

    bool point(const Operand& to, const Variables& sources) {
        bool changed = false;
        if (to.kind == Operand::Kind::reg && !sources.empty()) {
            Variables& known = points_into_[to.index];
            const std::size_t before = known.size();
            known.insert(sources.begin(), sources.end());
            changed = known.size() != before;
        }
        for (const Operand& part : to.parts) changed |= point(part, sources);
        return changed;
    }

    const Function& function_;
    Variables& written_;
    std::map<std::uint32_t, Variables> points_into_;  ///< by register
};

}  // namespace

std::set<std::uint32_t> written_variables(const Module& module) {
    Variables written;
    for (const Function& function : module.functions) AddressFlow(function, written).run();
    // Through a pointer that another variable begins with.
    for (const Variable& variable : module.variables)
        for (const Variable::Link& link : variable.links)
            for (std::uint32_t i = 0; i < module.variables.size(); ++i)
                if (module.variables[i].name == link.to) written.insert(i);
    return written;
}

}  // namespace convscope::ptx
