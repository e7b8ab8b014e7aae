#include "app/user_kernel/line_steps.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "app/user_kernel/assignment.h"
#include "app/user_kernel/generated_array.h"
#include "kernels/ptx/text/source_constants.h"

namespace convscope::app {
namespace {

bool is_block_barrier(const ptx::Instruction& instruction) {
    return (instruction.opcode == "bar" || instruction.opcode == "barrier") && !instruction.has("warp");
}

void add_registers(const ptx::Operand& operand, std::set<std::uint32_t>& registers) {
    if (operand.kind == ptx::Operand::Kind::reg) registers.insert(operand.index);
    for (const ptx::Operand& part : operand.parts) add_registers(part, registers);
}

/// Finds what the lines of a run assigned.
class AssignedValues {
public:
    explicit AssignedValues(const KernelCheckResult& check)
        : program_(check.kernel().program), trace_(check.result->trace), text_(ptx::without_comments(check.source)) {}

    void find(LineStep& step) {
        const auto [known, added] = assignments_.try_emplace(step.line);
        if (added) known->second = assignment_in(text_, step.line);
        const std::optional<Assignment>& assigned = known->second;
        std::optional<std::size_t> stored, made, loaded;
        std::set<std::uint32_t> read;  // further on in the step: what the line only makes something else of
        for (std::size_t i = step.end; i-- > step.first;) {
            const ptx::TraceStep& each = trace_.steps[i];
            const ptx::Kind kind = program_.ops[each.op].kind;
            const ptx::Instruction& instruction = *program_.instructions[each.op];
            const bool touches = each.elements != ptx::TraceStep::none, has = each.values != ptx::TraceStep::none;
            const bool memory = kind == ptx::Kind::load || kind == ptx::Kind::atomic;
            if (touches && !step.touched) step.touched = i;
            if (has && kind == ptx::Kind::store && !stored) stored = i;
            if (has && touches && memory && !loaded) loaded = i;
            const bool result = has && kind != ptx::Kind::store;
            std::set<std::uint32_t> results;
            if (result) add_registers(instruction.operands.front(), results);
            const bool left = std::ranges::none_of(results, [&](std::uint32_t reg) { return read.contains(reg); });
            if (result && left && !memory && !made && assigned && !assigned->address && is_of(*assigned, each))
                made = i;
            if (instruction.guard) add_registers(*instruction.guard, read);
            for (std::size_t operand = result ? 1 : 0; operand < instruction.operands.size(); ++operand)
                add_registers(instruction.operands[operand], read);
        }
        step.value = stored ? stored : made ? made : loaded;
    }

private:
    /// A type that the text leaves open matches anything but a predicate and what may be an address.
    bool is_of(const Assignment& assigned, const ptx::TraceStep& step) const {
        const ptx::Type type = ptx::WarpTrace::type_of(program_, step, 0);
        if (type == ptx::Type::none || type == ptx::Type::pred) return false;
        const unsigned bytes = ptx::bytes_of(type);
        const bool real = ptx::is_real(type);
        const auto wanted = element_type(assigned.type);
        if (!wanted) return real || bytes < 8;
        const auto size = static_cast<unsigned>(wanted->numpy[1] - '0');
        if (wanted->numpy[0] == 'f') return bytes == size && (real || size == 2);  // half is in registers of 16 bits
        return !real && (bytes == size || (bytes == 4 && size < 4));
    }

    const ptx::Program& program_;
    const ptx::WarpTrace& trace_;
    const std::string text_;
    std::map<unsigned, std::optional<Assignment>> assignments_;  ///< by line
};

}  // namespace

std::vector<LineStep> line_steps(const KernelCheckResult& check) {
    std::vector<LineStep> steps;
    if (!check.result) return steps;
    const ptx::WarpTrace& trace = check.result->trace;
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
        const ptx::TraceStep& step = trace.steps[i];
        const unsigned line = check.line_of(ptx::WarpTrace::line(check.kernel().program, step));
        const bool same = !steps.empty() && (line == 0 || line == steps.back().line || steps.back().line == 0);
        if (!same || (line != 0 && step.active != steps.back().active)) steps.push_back({line, i, i, step.active});
        if (line != 0) steps.back().line = line;
        steps.back().end = i + 1;
        steps.back().barrier |= is_block_barrier(*check.kernel().program.instructions[step.op]);
    }
    const auto takes_arguments = [&](const LineStep& step) {
        for (std::size_t i = step.first; i < step.end; ++i)
            if (!ptx::WarpTrace::text(check.kernel().program, trace.steps[i]).starts_with("ld.param")) return false;
        return true;
    };
    steps.erase(steps.begin(), std::ranges::find_if_not(steps, takes_arguments));
    AssignedValues values(check);
    for (LineStep& step : steps) values.find(step);
    return steps;
}

std::size_t barrier_from(const std::vector<LineStep>& steps, std::size_t step, bool next) {
    step = std::min(step, steps.size());  // a session's may lie behind the end
    if (next) {
        while (step + 1 < steps.size() && !steps[++step].barrier) {
        }
    } else {
        while (step > 0 && !steps[--step].barrier) {
        }
    }
    return step;
}

}  // namespace convscope::app
