#include "kernels/ptx/run/decode.h"

#include <fmt/format.h>
#include <utility>

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "kernels/core/error.h"
#include "kernels/ptx/run/memory.h"
#include "kernels/ptx/run/race_detector.h"
#include "kernels/ptx/run/special_registers.h"
#include "kernels/ptx/run/warp.h"
#include "kernels/ptx/text/finding.h"

namespace convscope::ptx {
namespace {

constexpr std::size_t max_ops = 2'000'000;

const std::map<std::string_view, Decode>& decode_table() {
    static const std::map<std::string_view, Decode> table = [] {
        std::map<std::string_view, Decode> all;
        for (const auto rows :
             {integer_opcodes(), bit_opcodes(), real_opcodes(), compare_opcodes(), move_opcodes(), convert_opcodes(),
              memory_opcodes(), atomic_opcodes(), copy_opcodes(), control_opcodes(), warp_opcodes(), matrix_opcodes(),
              mbarrier_opcodes(), cluster_opcodes(), wgmma_opcodes(), wmma_opcodes(), texture_opcodes()})
            for (const OpcodeRow& row : rows) all.emplace(row.opcode, row.decode);
        return all;
    }();
    return table;
}

/// See Program::partly_ordered.
bool orders_some(const Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    if (opcode == "bar" || opcode == "barrier")
        return instruction.has("arrive") || instruction.has("cluster") ||
               (!instruction.has("warp") && instruction.operands.size() > (instruction.has("red") ? 3 : 1));
    return opcode == "membar" || opcode == "fence" || opcode == "mbarrier" || opcode == "wgmma" ||
           instruction.has("bulk");
}

Flow flow_of(const Instruction& instruction, Kind kind) {
    static const std::map<std::string_view, Flow> flows = {
        {"ld", Flow::use},          {"st", Flow::store},       {"shfl", Flow::shuffle}, {"cvta", Flow::copy},
        {"and", Flow::conjunction}, {"or", Flow::disjunction}, {"xor", Flow::bitwise},  {"not", Flow::bitwise},
        {"selp", Flow::select},     {"shl", Flow::shift},      {"shr", Flow::shift},    {"bfe", Flow::extract},
        {"bfi", Flow::insert},      {"prmt", Flow::permute},   {"cvt", Flow::convert},  {"setp", Flow::compare}};
    if (instruction.opcode == "mov") {
        const bool vector = std::ranges::find(instruction.operands, Operand::Kind::vector, &Operand::kind) !=
                            instruction.operands.end();
        return vector ? Flow::pack : Flow::copy;
    }
    if (instruction.has("async")) return Flow::use;
    if (const auto row = flows.find(instruction.opcode); row != flows.end()) return row->second;
    const bool computes = kind == Kind::integer || kind == Kind::real || kind == Kind::multiply_add ||
                          kind == Kind::convert || kind == Kind::move;
    return computes ? Flow::compute : Flow::use;
}

/// Results stand first, but so do the address of a store, a barrier's number and how long to wait.
bool begins_with_result(const Instruction& instruction) {
    if (instruction.operands.empty() || instruction.operands.front().kind == Operand::Kind::address) return false;
    const std::string& opcode = instruction.opcode;
    return opcode == "bar" || opcode == "barrier" ? instruction.has("red") : opcode != "nanosleep";
}

void jump(Warp& warp, const Op& op) {
    warp.branch(warp.mask, op.target);
}

std::uint64_t truncated(std::uint64_t bits, unsigned bytes) {
    return bytes >= 8 ? bits : bits & ((std::uint64_t{1} << 8 * bytes) - 1);
}

/// Bytes of a value in a register: 8-bit registers are as large as 16-bit ones.
unsigned register_bytes(Type type) {
    return std::max(2u, bytes_of(type));
}

}  // namespace

bool InstructionDecoder::take(std::string_view modifier) {
    for (std::size_t i = 0; i < taken_.size(); ++i)
        if (!taken_[i] && instruction.modifiers[i] == modifier) return taken_[i] = true;
    return false;
}

int InstructionDecoder::take_one(std::initializer_list<std::string_view> list) {
    int index = 0;
    for (const std::string_view modifier : list) {
        if (take(modifier)) return index;
        ++index;
    }
    return -1;
}

void InstructionDecoder::ignore(std::initializer_list<std::string_view> list) {
    for (const std::string_view modifier : list) take(modifier);
}

Type InstructionDecoder::take_type() {
    for (std::size_t i = 0; i < taken_.size(); ++i) {
        if (taken_[i]) continue;
        if (const std::optional<Type> type = parse_type(instruction.modifiers[i])) {
            taken_[i] = true;
            return *type;
        }
    }
    return Type::none;
}

bool InstructionDecoder::all_taken() const {
    return std::ranges::all_of(taken_, [](bool taken) { return taken; });
}

Decoder::Decoder(const Module& module, const Function& entry, const std::vector<std::uint64_t>& lent)
    : module_(module), lent_(lent) {
    program_.module = &module;
    program_.entry = &entry;
    program_.uses_grid = module.uses_grid(entry);
}

Program Decoder::program() {
    const Function& entry = *program_.entry;
    std::uint64_t offset = 0;
    for (const std::uint32_t index : entry.parameters) {
        const Variable& variable = module_.variables[index];
        offset = (offset + variable.align - 1) / variable.align * variable.align;
        program_.parameters.push_back({variable.name, variable.type, offset, variable.bytes});
        addresses_[index] = address_of_global(0) + offset;
        offset += variable.bytes;
    }
    program_.parameter_bytes = offset;
    decode_function(entry, 0);
    for (std::size_t i = 0; i < program_.ops.size(); ++i)
        program_.partly_ordered |= program_.ops[i].fence != Fence::none || orders_some(*program_.instructions[i]);
    find_checked_loads();
    return std::move(program_);
}

void Decoder::fail(const std::string& sentence) const {
    throw Error(ErrorKind::failed, fmt::format("{}: {}", source_location(module_, line_of(*instruction_)), sentence));
}

void Decoder::decode_function(const Function& function, std::uint32_t depth) {
    if (std::ranges::find(calls_, &function) != calls_.end())
        fail(fmt::format("'{}' calls itself, which is not supported", plain_name(function.name)));
    calls_.push_back(&function);
    const Function* const caller = std::exchange(function_, &function);
    std::vector<std::uint32_t>& reg_offsets = reg_offsets_[&function];
    if (reg_offsets.empty()) reg_offsets.assign(function.registers.size(), no_reg);

    std::vector<std::uint32_t> starts;  // of each instruction: its first Op
    std::vector<std::uint32_t> branches, returns;
    for (const Instruction& instruction : function.code) {
        starts.push_back(static_cast<std::uint32_t>(program_.ops.size()));
        instruction_ = &instruction;
        if (program_.ops.size() > max_ops) fail("the kernel is too long");
        const bool leaves = instruction.opcode == "ret" && depth > 0;
        if (instruction.opcode == "bra" || leaves) {
            Op op;
            op.run = jump;
            op.kind = Kind::control;
            op.target = instruction.target;
            (leaves ? returns : branches).push_back(static_cast<std::uint32_t>(program_.ops.size()));
            emit(op);
        } else if (instruction.opcode == "call") {
            decode_call(instruction, depth);
            function_ = &function;
        } else {
            decode_instruction(instruction);
        }
    }
    const auto end = static_cast<std::uint32_t>(program_.ops.size());
    starts.push_back(end);
    for (const std::uint32_t branch : branches) program_.ops[branch].target = starts[program_.ops[branch].target];
    for (const std::uint32_t branch : returns) program_.ops[branch].target = end;
    calls_.pop_back();
    function_ = caller;
}

void Decoder::decode_instruction(const Instruction& instruction) {
    const auto row = decode_table().find(instruction.opcode);
    InstructionDecoder instr(instruction);
    Op op;
    if (row == decode_table().end() || !row->second(*this, instr, op) || !instr.all_taken())
        fail(fmt::format("the instruction '{}' is not supported", instruction.text()));
    if (op.run) emit(op);
}

void Decoder::emit(Op op) {
    const Instruction& instruction = *instruction_;
    if (instruction.guard) {
        op.guard = register_offset(instruction.guard->index);
        op.negated = instruction.guard->negated;
    }
    op.line = line_index_of(instruction);
    program_.ops.push_back(op);
    program_.instructions.push_back(&instruction);
    program_.ops.back().flow = flow_of(instruction, op.kind);
    add_registers(instruction);
}

void Decoder::add_registers(const Instruction& instruction) {
    std::vector<std::uint32_t>&sources = program_.sources.emplace_back(), &results = program_.results.emplace_back();
    const auto add = [&](const auto& self, std::vector<std::uint32_t>& to, const Operand& operand) -> void {
        if (operand.kind == Operand::Kind::reg) to.push_back(register_offset(operand.index));
        for (const Operand& part : operand.parts) self(self, to, part);
    };
    const bool has_result = begins_with_result(instruction);
    for (std::size_t i = 0; i < instruction.operands.size(); ++i)
        add(add, i == 0 && has_result ? results : sources, instruction.operands[i]);
}

/// Loads whose value goes, by copies alone, to a compare-and-swap at the same address: "old = *x; do ... while".
void Decoder::find_checked_loads() {
    std::map<std::uint32_t, std::uint32_t> parents;
    const auto root = [&](std::uint32_t reg_offset) {
        for (auto at = parents.find(reg_offset); at != parents.end(); at = parents.find(reg_offset))
            reg_offset = at->second;
        return reg_offset;
    };
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
        const Op& op = program_.ops[i];
        const std::vector<Operand>& operands = program_.instructions[i]->operands;
        const bool copies = op.flow == Flow::copy && operands.size() == 2 && operands[1].kind == Operand::Kind::reg;
        if (copies && root(op.d) != root(op.a)) parents[root(op.d)] = root(op.a);
    }
    std::set<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>> swaps;  // address, offset, value
    for (std::size_t i = 0; i < program_.ops.size(); ++i)
        if (const Op& op = program_.ops[i]; op.kind == Kind::atomic && program_.instructions[i]->has("cas"))
            swaps.emplace(root(op.a), op.bits, root(op.b));
    std::set<SourceLine> lines;
    for (Op& op : program_.ops) {
        if (op.kind != Kind::load || op.elements != 1 || op.strong || op.d == no_reg) continue;
        op.checked = swaps.contains({root(op.a), op.bits, root(op.d)});
        if (op.checked) lines.insert(program_.lines[op.line]);
    }
    for (const SourceLine& line : lines)
        program_.notes.push_back(
            fmt::format("{}: the load is not atomic; it counts as such, because a compare-and-swap checks its value",
                        source_location(module_, line)));
}

void Decoder::decode_call(const Instruction& call, std::uint32_t depth) {
    const auto name = std::ranges::find(call.operands, Operand::Kind::name, &Operand::kind);
    const auto pointer = std::ranges::find(call.operands, Operand::Kind::reg, &Operand::kind);
    if (name == call.operands.end() || pointer != call.operands.end()) fail("calls through pointers are not supported");
    if (call.guard) fail("a call with a guard is not supported");
    const bool returns = name != call.operands.begin();
    const std::vector<Operand> none;
    const std::vector<Operand>& results = returns ? call.operands.front().parts : none;
    const std::vector<Operand>& arguments = name + 1 != call.operands.end() ? (name + 1)->parts : none;
    if (const Decode builtin = builtin_function(name->name)) {
        Instruction plain = call;  // its operands: results and arguments
        plain.modifiers.clear();
        plain.operands = results;
        plain.operands.insert(plain.operands.end(), arguments.begin(), arguments.end());
        InstructionDecoder instr(plain);
        Op op;
        if (!builtin(*this, instr, op)) fail(fmt::format("this call of '{}' is not supported", name->name));
        return emit(op);
    }
    const Function* callee = module_.find(name->name);
    if (!callee) fail(fmt::format("there is no function '{}'", plain_name(name->name)));
    const auto alias = [&](const std::vector<std::uint32_t>& theirs, const std::vector<Operand>& ours) {
        if (theirs.size() != ours.size()) fail(fmt::format("'{}' takes other arguments", plain_name(callee->name)));
        for (std::size_t i = 0; i < theirs.size(); ++i) {
            if (ours[i].kind != Operand::Kind::variable) fail("arguments in registers are not supported");
            addresses_[theirs[i]] = address_of(ours[i].index);
        }
    };
    alias(callee->parameters, arguments);
    alias(callee->results, results);
    const SourceLine outer = std::exchange(call_line_, line_of(call));
    decode_function(*callee, depth + 1);
    call_line_ = outer;
    instruction_ = &call;
}

std::uint32_t Decoder::carry() {
    if (carry_ == no_reg) carry_ = new_reg_offset(2);
    return carry_;
}

SourceLine Decoder::line_of(const Instruction& instruction) const {
    return instruction.source.file == 0 && call_line_.file != 0 ? call_line_ : instruction.source;
}

std::uint32_t Decoder::line_index_of(const Instruction& instruction) {
    const SourceLine line = line_of(instruction);
    const auto [found, inserted] = line_indices_.try_emplace(line, static_cast<std::uint32_t>(program_.lines.size()));
    if (inserted) program_.lines.push_back(line);
    if (found->second >= max_source_lines) fail(fmt::format("the kernel has more than {} lines", max_source_lines));
    return found->second;
}

std::uint64_t Decoder::address_of(std::uint32_t index) {
    if (const auto known = addresses_.find(index); known != addresses_.end()) return known->second;
    const Variable& variable = module_.variables[index];
    std::uint64_t address = 0;
    if (variable.space == Space::shared) {
        address = address_of_shared(program_.shared.size(), shared_offset_of(variable));
        program_.shared.push_back(index);
        program_.shared_addresses.push_back(address);
        program_.static_shared_bytes += variable.dynamic ? 0 : variable.bytes;
        if (program_.shared.size() > max_shared_arrays)
            fail(fmt::format("the kernel has more than {} arrays in shared memory", max_shared_arrays));
    } else if (index < lent_.size() && lent_[index] != 0) {
        address = lent_[index];
    } else if (variable.space == Space::global || variable.space == Space::constant) {
        address = address_of_global(program_.first_free_array());
        program_.globals.push_back(index);
    } else {
        program_.local_bytes = (program_.local_bytes + variable.align - 1) / variable.align * variable.align;
        address = local_begin + program_.local_bytes + (variable.space == Space::parameter ? local_window : 0);
        program_.local_bytes += variable.bytes;
    }
    return addresses_[index] = address;
}

/// Dynamic memory is at its begin, the others are laid down from its end.
std::uint64_t Decoder::shared_offset_of(const Variable& variable) {
    constexpr std::uint64_t begin = 1024;  // what is before it is the GPU's own
    if (variable.dynamic) return begin;
    const std::uint64_t align = std::max<std::uint64_t>(variable.align, 128);
    if (variable.bytes + align > shared_end_) fail("the kernel's arrays in shared memory are too large");
    return shared_end_ = (shared_end_ - variable.bytes) / align * align;
}

std::uint32_t Decoder::new_reg_offset(unsigned bytes) {
    const std::uint32_t reg_offset = program_.file_bytes;
    program_.file_bytes += std::max(64u, lanes * bytes);
    return reg_offset;
}

std::uint32_t Decoder::register_offset(std::uint32_t index) {
    std::uint32_t& reg_offset = reg_offsets_[function_][index];
    const Type type = function_->registers[index].type;
    if (bytes_of(type) > 8) fail("registers of 128 bits are not supported");
    if (reg_offset == no_reg) reg_offset = new_reg_offset(type == Type::pred ? 2 : register_bytes(type));
    return reg_offset;
}

std::uint32_t Decoder::constant(std::uint64_t bits, unsigned bytes) {
    const auto [found, inserted] = constants_.try_emplace({bits, bytes}, 0);
    if (inserted) {
        found->second = new_reg_offset(std::max(2u, bytes));
        program_.constants.push_back({bits, found->second, bytes});
    }
    return found->second;
}

std::uint32_t Decoder::special_offset(const Operand& operand, unsigned bytes) {
    const std::optional<Special> special = special_register(operand.name);
    if (!special) fail(fmt::format("'{}' is not supported", operand.name));
    const auto [found, inserted] = specials_.try_emplace({operand.name, bytes}, 0);
    if (inserted) {
        found->second = new_reg_offset(bytes);
        program_.specials.push_back({*special, found->second, bytes});
    }
    return found->second;
}

std::uint32_t Decoder::source(const Operand& operand, Type type) {
    const unsigned bytes = register_bytes(type);
    switch (operand.kind) {
        case Operand::Kind::reg: {
            const Type has = register_type(operand);
            if ((has == Type::pred) != (type == Type::pred) || register_bytes(has) != bytes)
                fail(fmt::format("{} is a .{}, where a .{} was expected", operand.name, to_string(has),
                                 to_string(type)));
            return register_offset(operand.index);
        }
        case Operand::Kind::integer:
            if (type == Type::pred) return constant(operand.bits != 0, 0);
            return constant(truncated(operand.bits, bytes), bytes);
        case Operand::Kind::real32:
            return constant(operand.bits, bytes);
        case Operand::Kind::real64:
            if (bytes == 4)
                return constant(std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits))),
                                4);
            return constant(operand.bits, bytes);
        case Operand::Kind::variable:
            return constant(truncated(address_of(operand.index) + static_cast<std::uint64_t>(operand.offset), bytes),
                            bytes);
        case Operand::Kind::special:
            return special_offset(operand, bytes);
        case Operand::Kind::nothing:
            return no_reg;
        default:
            fail(fmt::format("'{}' is not an operand", operand.name));
    }
}

std::uint32_t Decoder::result(const Operand& operand, Type type) {
    if (operand.kind == Operand::Kind::nothing) return new_reg_offset(register_bytes(type));
    if (operand.kind != Operand::Kind::reg) fail("a register was expected");
    return source(operand, type);
}

std::uint32_t Decoder::predicate(const Operand& operand) {
    return source(operand, Type::pred);
}

Type Decoder::register_type(const Operand& operand) const {
    return operand.kind == Operand::Kind::reg ? function_->registers[operand.index].type : Type::none;
}

void Decoder::take_operands(InstructionDecoder& instr, Op& op, Type d, std::initializer_list<Type> sources) {
    if (instr.operands() != sources.size() + 1) fail(fmt::format("'{}' has other operands", instr.instruction.text()));
    std::uint32_t* const reg_offsets[] = {&op.a, &op.b, &op.c};
    std::size_t i = 0;
    for (const Type type : sources) {
        *reg_offsets[i] = source(instr.operand(i + 1), type);
        ++i;
    }
    op.d = result(instr.operand(0), d);
}

void Decoder::take_address(const Operand& operand, Op& op) {
    if (operand.kind != Operand::Kind::address || operand.parts.size() != 1) fail("an address was expected");
    const Operand& base = operand.parts.front();
    op.wide = true;
    if (base.kind == Operand::Kind::reg) {
        const Type type = register_type(base);
        op.wide = bytes_of(type) == 8;
        op.a = source(base, type);
        op.bits = static_cast<std::uint64_t>(base.offset);
    } else {
        op.a = source(base, Type::b64);
    }
}

std::uint32_t Decoder::add_operands(const std::vector<std::uint32_t>& reg_offsets) {
    const auto first = static_cast<std::uint32_t>(program_.operands.size());
    program_.operands.insert(program_.operands.end(), reg_offsets.begin(), reg_offsets.end());
    return first;
}

Program make_program(const Module& module, const Function& entry, const std::vector<std::uint64_t>& addresses) {
    return Decoder(module, entry, addresses).program();
}

const char* to_string(Kind kind) {
    constexpr const char* names[] = {"integer", "real", "multiply_add", "convert", "load", "store",
                                     "atomic",  "move", "control",      "barrier", "warp", "matrix"};
    static_assert(std::size(names) == kinds);
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace convscope::ptx
