#include "kernels/ptx/run/warp_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "kernels/ptx/run/half.h"

namespace convscope::ptx {
namespace {

const Instruction& instruction_of(const Program& program, const TraceStep& step) {
    return *program.instructions[step.op];
}

const Operand* value_operand(const Program& program, const TraceStep& step, unsigned i) {
    const Instruction& instruction = instruction_of(program, step);
    const std::size_t at = program.ops[step.op].kind == Kind::store ? 1 : 0;
    if (instruction.operands.size() <= at) return nullptr;
    const Operand& operand = instruction.operands[at];
    const bool several = operand.kind == Operand::Kind::vector || operand.kind == Operand::Kind::pair;
    return several ? i < operand.parts.size() ? &operand.parts[i] : nullptr : &operand;
}

/// None where it is not a register.
Type register_type(const Program& program, const TraceStep& step, unsigned i) {
    const Operand* operand = value_operand(program, step, i);
    if (!operand || operand->kind != Operand::Kind::reg) return Type::none;
    const Instruction* instruction = program.instructions[step.op];
    for (const Function& function : program.module->functions)
        if (!function.code.empty() && instruction >= function.code.data() &&
            instruction < function.code.data() + function.code.size())
            return function.registers[operand->index].type;
    return Type::none;
}

Type first_type(const Instruction& instruction) {
    for (const std::string& modifier : instruction.modifiers)
        if (const auto type = parse_type(modifier)) return *type;
    return Type::none;
}

}  // namespace

Type WarpTrace::type_of(const Program& program, const TraceStep& step, unsigned i) {
    const Type of_register = register_type(program, step, i), said = first_type(instruction_of(program, step));
    if (of_register == Type::pred) return Type::pred;
    const Kind kind = program.ops[step.op].kind;
    const bool memory = kind == Kind::load || kind == Kind::store;
    return memory || (said != Type::none && bytes_of(said) == bytes_of(of_register)) ? said : of_register;
}

unsigned WarpTrace::register_bytes(const Program& program, const TraceStep& step, unsigned i) {
    const Type type = register_type(program, step, i);
    const unsigned bytes =
        type == Type::none ? std::max(2u, bytes_of(first_type(instruction_of(program, step)))) : bytes_of(type);
    return std::min(8u, bytes);
}

SourceLine WarpTrace::line(const Program& program, const TraceStep& step) {
    return program.lines[program.ops[step.op].line];
}

std::string WarpTrace::text(const Program& program, const TraceStep& step) {
    return instruction_of(program, step).text();
}

std::string WarpTrace::value(const Program& program, const TraceStep& step, unsigned i, unsigned lane) const {
    const std::uint64_t bits = values[step.values + i][lane];
    switch (type_of(program, step, i)) {
        case Type::pred:
            return bits ? "true" : "false";
        case Type::f32:
        case Type::tf32:
            return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        case Type::f64:
            return fmt::format("{}", std::bit_cast<double>(bits));
        case Type::f16:
            return fmt::format("{}", float_of_f16(static_cast<std::uint16_t>(bits)));
        case Type::bf16:
            return fmt::format("{}", float_of_bf16(static_cast<std::uint16_t>(bits)));
        case Type::s8:
            return fmt::format("{}", static_cast<std::int8_t>(bits));
        case Type::s16:
        case Type::b16:
            return fmt::format("{}", static_cast<std::int16_t>(bits));
        case Type::s32:
        case Type::b32:
            return fmt::format("{}", static_cast<std::int32_t>(bits));
        case Type::s64:
        case Type::b64:
            return fmt::format("{}", static_cast<std::int64_t>(bits));
        default:
            return fmt::format("{}", bits);
    }
}

std::string WarpTrace::element(const TraceStep& step, unsigned lane) const {
    if (step.elements == TraceStep::none) return {};
    const TracedElement& touched = elements[step.elements][lane];
    if (touched.array < 0) return {};
    return fmt::format("{}[{}]", arrays[static_cast<std::size_t>(touched.array)], touched.element);
}

}  // namespace convscope::ptx
