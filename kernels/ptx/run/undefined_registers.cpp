#include "kernels/ptx/run/undefined_registers.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "kernels/ptx/run/block_run.h"

namespace convscope::ptx {
namespace {

constexpr std::uint64_t all_bits = ~std::uint64_t{0};

std::uint64_t low_bits(unsigned count) {
    return count >= 64 ? all_bits : (std::uint64_t{1} << count) - 1;
}
/// Sets all bits of every byte that 'bytes' marks.
std::uint64_t bits_of_bytes(std::uint32_t bytes) {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < 8; ++i)
        if (bytes >> i & 1) bits |= std::uint64_t{255} << 8 * i;
    return bits;
}
std::uint32_t bytes_of_bits(std::uint64_t bits) {
    std::uint32_t bytes = 0;
    for (unsigned i = 0; i < 8; ++i)
        if (bits >> 8 * i & 255) bytes |= 1u << i;
    return bytes;
}

/// The value of an operand that is as wide as this; of a predicate bit 0.
std::uint64_t value_of(Warp& warp, std::uint32_t reg_offset, Type type, unsigned lane) {
    if (type == Type::pred) return warp.predicate(reg_offset) >> lane & 1;
    if (bytes_of(type) == 8) return warp.values<std::uint64_t>(reg_offset)[lane];
    return bytes_of(type) == 4 ? warp.values<std::uint32_t>(reg_offset)[lane]
                               : warp.values<std::uint16_t>(reg_offset)[lane];
}

unsigned width_of(Type type) {
    return type == Type::pred ? 1 : 8 * bytes_of(type);
}

/// The types that an instruction names, in their order.
std::vector<Type> types_of(const Instruction& instruction) {
    std::vector<Type> types;
    for (const std::string& modifier : instruction.modifiers)
        if (const auto type = parse_type(modifier)) types.push_back(*type);
    if (types.empty()) types.push_back(Type::b64);
    return types;
}

/// Bits of the result of moved().
unsigned result_width(const Op& op, const Instruction& instruction) {
    const std::vector<Type> types = types_of(instruction);
    return width_of(op.flow == Flow::convert ? types.front() : types.back());
}

/// The undefined bits in the result of an instruction that moves bits or combines them one by one; empty for any other
/// kind. 'undefined(reg_offset)' returns those of a source in the lane.
template <class Undefined>
std::optional<std::uint64_t> moved(Warp& warp, const Op& op, const Instruction& instruction, unsigned lane,
                                   const Undefined& undefined) {
    const std::vector<Type> types = types_of(instruction);
    const Type type = types.back();
    const unsigned width = width_of(type);
    const auto value = [&](std::uint32_t reg_offset, Type as) { return value_of(warp, reg_offset, as, lane); };
    switch (op.flow) {
        case Flow::copy:
            return undefined(op.a);
        case Flow::bitwise:
            return undefined(op.a) | (op.b == no_reg ? 0 : undefined(op.b)) | (op.c == no_reg ? 0 : undefined(op.c));
        case Flow::conjunction:
        case Flow::disjunction: {
            // Where one operand decides, the other does not matter.
            const std::uint64_t flip = op.flow == Flow::conjunction ? 0 : all_bits;
            const std::uint64_t a = undefined(op.a), b = undefined(op.b);
            return (a & b) | (a & (value(op.b, type) ^ flip)) | (b & (value(op.a, type) ^ flip));
        }
        case Flow::select: {
            if (undefined(op.c) != 0) return all_bits;
            return undefined(value(op.c, Type::pred) != 0 ? op.a : op.b);
        }
        case Flow::shift: {
            if (undefined(op.b) != 0) return std::nullopt;
            const auto by = static_cast<unsigned>(std::min<std::uint64_t>(value(op.b, Type::u32), 64));
            std::uint64_t bits = undefined(op.a) & low_bits(width);
            if (instruction.opcode == "shl") return by >= 64 ? 0 : bits << by;
            if (is_signed(type) && (bits >> (width - 1) & 1)) bits |= ~low_bits(width);
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits) >> std::min(by, 63u));
        }
        case Flow::extract: {
            if ((undefined(op.b) | undefined(op.c)) != 0) return std::nullopt;
            const unsigned from = value(op.b, Type::u32) & 255, length = value(op.c, Type::u32) & 255;
            if (length == 0) return 0;
            const unsigned last = std::min(from + length, width) - 1;
            const std::uint64_t a = undefined(op.a);
            std::uint64_t bits = from >= 64 ? 0 : (a & low_bits(width)) >> from & low_bits(length);
            if (is_signed(type) && (a >> last & 1)) bits |= ~low_bits(last >= from ? last - from : 0);
            return bits;
        }
        case Flow::insert: {
            const std::uint32_t length_at = warp.program().operands[op.extra_operands];
            if ((undefined(op.c) | undefined(length_at)) != 0) return std::nullopt;
            const unsigned from = value(op.c, Type::u32) & 255, length = value(length_at, Type::u32) & 255;
            const std::uint64_t field = from >= 64 ? 0 : low_bits(length) << from;
            return (undefined(op.b) & ~field) | (from >= 64 ? 0 : undefined(op.a) << from & field);
        }
        case Flow::permute: {
            if (undefined(op.c) != 0 || instruction.modifiers.size() != 1) return std::nullopt;
            const std::uint64_t both = (undefined(op.a) & low_bits(32)) | undefined(op.b) << 32;
            const auto control = static_cast<std::uint32_t>(value(op.c, Type::u32));
            std::uint64_t bits = 0;
            for (unsigned i = 0; i < 4; ++i) {
                const std::uint32_t pick = control >> 4 * i & 15;
                std::uint64_t byte = both >> 8 * (pick & 7) & 255;
                if (pick & 8) byte = byte & 128 ? 255 : 0;
                bits |= byte << 8 * i;
            }
            return bits;
        }
        case Flow::convert: {
            if (types.size() < 2 || is_real(types[0]) || is_real(types[1]) || instruction.has("sat"))
                return std::nullopt;
            const unsigned from = 8 * bytes_of(types[1]);
            std::uint64_t bits = undefined(op.a) & low_bits(from);
            if (is_signed(types[1]) && (bits >> (from - 1) & 1)) bits |= ~low_bits(from);
            return bits;
        }
        case Flow::compare: {
            // 'c' alone may decide.
            const bool known = (op.variant & 3) != 0 && undefined(op.c) == 0;
            const bool c = known && (value(op.c, Type::pred) != 0) != ((op.variant & 4) != 0);
            if (known && ((instruction.has("and") && !c) || (instruction.has("or") && c))) return 0;
            return std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

}  // namespace

void UndefinedRegisters::clear() {
    if (loads_.empty()) return;
    lanes_.clear();
    count_ = 0;
    values_.clear();
    loads_.clear();
}

std::uint64_t UndefinedRegisters::bits(std::uint32_t reg_offset, unsigned lane) const {
    return lanes_of(reg_offset) >> lane & 1 ? values_.at(reg_offset).bits[lane] : 0;
}

void UndefinedRegisters::set(std::uint32_t reg_offset, unsigned lane, std::uint64_t bits, std::uint32_t load,
                             bool computed) {
    if (bits == 0) return define(reg_offset, 1u << lane);
    std::uint32_t& mask = lanes_[reg_offset / 64];
    if (mask == 0) ++count_;
    mask |= 1u << lane;
    Value& value = values_[reg_offset];
    value.bits[lane] = bits;
    value.load[lane] = load;
    value.computed = computed ? value.computed | 1u << lane : value.computed & ~(1u << lane);
}

void UndefinedRegisters::define(std::uint32_t reg_offset, std::uint32_t mask) {
    if ((lanes_of(reg_offset) & mask) == 0) return;
    if ((lanes_[reg_offset / 64] &= ~mask) == 0) --count_;
}

void UndefinedRegisters::before(Warp& warp, const Op& op) {
    use(warp, op, op.guard, warp.active());
    const auto index = static_cast<std::size_t>(&op - warp.program().ops.data());
    const std::vector<std::uint32_t>& sources = warp.program().sources[index];
    std::uint32_t undefined = lanes_of(op.a) | lanes_of(op.b) | lanes_of(op.c), stale = 0;
    for (const std::uint32_t source : sources) undefined |= lanes_of(source);
    const std::vector<std::uint32_t>& results = warp.program().results[index];
    for (const std::uint32_t result : results) stale |= lanes_of(result);
    undefined &= warp.mask;
    if (undefined == 0 && (stale & warp.mask) == 0) return;
    if (op.flow == Flow::store) return use(warp, op, op.a, warp.mask);
    if (op.flow == Flow::shuffle) {
        for (const std::uint32_t source : sources)
            if (source != op.a) use(warp, op, source, warp.mask);
        for (const std::uint32_t result : results)
            if (result != op.d) define(result, warp.mask);
        return;
    }
    if (op.flow == Flow::use) {
        for (const std::uint32_t source : sources) use(warp, op, source, warp.mask);
        for (const std::uint32_t source : {op.a, op.b, op.c}) use(warp, op, source, warp.mask);
    }
    // A result may be a source, too: all first, then the results.
    struct Made {
        std::uint64_t bits[32] = {};
        std::uint32_t load[32] = {};
        std::uint32_t computed = 0;
    } made;
    const Instruction& instruction = *warp.program().instructions[index];
    const bool unpacks = op.flow == Flow::pack && instruction.operands[0].kind == Operand::Kind::vector;
    for (std::uint32_t left = op.flow == Flow::use ? 0 : undefined; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        std::uint32_t load = 0;
        bool computed = false;
        const auto note = [&](std::uint32_t source) {
            if (!(lanes_of(source) >> lane & 1)) return std::uint64_t{0};
            const Value& value = values_.at(source);
            load = value.load[lane];
            computed |= (value.computed >> lane & 1) != 0;
            return value.bits[lane];
        };
        std::optional<std::uint64_t> bits;
        if (op.flow == Flow::pack && !unpacks) {
            const std::size_t parts = instruction.operands[1].parts.size();
            const auto each = static_cast<unsigned>(8 * bytes_of(types_of(instruction).back()) / parts);
            bits = 0;
            for (std::size_t part = 0; part < parts; ++part)
                *bits |= (note(warp.program().operands[op.extra_operands + part]) & low_bits(each)) << each * part;
        } else if (unpacks) {
            bits = note(op.a);
        } else {
            bits = moved(warp, op, instruction, lane, note);
            if (bits) *bits &= low_bits(result_width(op, instruction));
        }
        if (!bits) {
            for (const std::uint32_t source : sources) note(source);
            for (const std::uint32_t source : {op.a, op.b, op.c}) note(source);
            bits = all_bits;
            computed = true;
        }
        made.bits[lane] = *bits;
        made.load[lane] = load;
        made.computed |= static_cast<std::uint32_t>(computed) << lane;
    }
    for (const std::uint32_t result : results) define(result, warp.mask);
    if (op.flow == Flow::use) return;
    const std::size_t parts = unpacks ? instruction.operands[0].parts.size() : results.size();
    const auto each =
        static_cast<unsigned>(8 * bytes_of(types_of(instruction).back()) / std::max<std::size_t>(parts, 1));
    for (std::size_t part = 0; part < parts; ++part) {
        const std::uint32_t result = unpacks ? warp.program().operands[op.extra_operands + part] : results[part];
        for (std::uint32_t left = undefined; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t bits = unpacks ? made.bits[lane] >> each * part & low_bits(each) : made.bits[lane];
            set(result, lane, bits, made.load[lane], (made.computed >> lane & 1) != 0);
        }
    }
}

void UndefinedRegisters::loaded(Warp& warp, const Op& op, unsigned lane, std::uint64_t address, std::uint32_t bytes,
                                std::span<const std::uint32_t> registers, unsigned bytes_each) {
    const Program& program = warp.program();
    if (lanes_.empty()) lanes_.resize(program.file_bytes / 64 + 1);
    const auto index = static_cast<std::uint32_t>(&op - program.ops.data());
    Load& load = loads_[index];
    load.op = &op;
    load.addresses[lane] = address + static_cast<unsigned>(std::countr_zero(bytes));
    load.told &= ~(1u << lane);
    for (unsigned element = 0; element < registers.size(); ++element) {
        std::uint64_t bits = bits_of_bytes(bytes >> bytes_each * element & low_bits(bytes_each));
        const unsigned width = 8 * bytes_each;
        if (width < 64 && (bits >> (width - 1) & 1)) bits |= ~low_bits(width);  // it may be the sign
        set(registers[element], lane, bits, index * lanes + lane, false);
    }
}

void UndefinedRegisters::stored(Warp& warp, const Op& op, const std::uint64_t* addresses) {
    std::uint32_t undefined = 0;
    for (unsigned element = 0; element < op.elements; ++element)
        undefined |= lanes_of(op.elements == 1 ? op.b : warp.program().operands[op.extra_operands + element]);
    for (undefined &= warp.mask; undefined != 0; undefined &= undefined - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(undefined));
        store_lane(warp, op, lane, addresses[lane]);
    }
}

void UndefinedRegisters::store_lane(Warp& warp, const Op& op, unsigned lane, std::uint64_t address) {
    std::uint32_t bytes = 0, load = 0;
    bool computed = false;
    for (unsigned element = 0; element < op.elements; ++element) {
        const std::uint32_t source = op.elements == 1 ? op.b : warp.program().operands[op.extra_operands + element];
        const std::uint32_t of_element = bytes_of_bits(bits(source, lane) & low_bits(8 * op.bytes));
        if (of_element == 0) continue;
        const Value& value = values_.at(source);
        if (bytes == 0 || (value.computed >> lane & 1)) load = value.load[lane];
        computed |= (value.computed >> lane & 1) != 0;
        bytes |= of_element << op.bytes * element;
    }
    const unsigned count = op.bytes * op.elements;
    const Located in = warp.block().locate(address, warp.thread(lane));
    const std::uint64_t offset = address - in.begin;
    if (bytes == 0 || !in.array || offset >= in.array->bytes || in.array->bytes - offset < count) return;
    if (computed || (bytes == low_bits(count) && in.array->space == Space::global)) return tell(warp, op, lane, load);
    in.array->forget_written(offset, bytes);
}

void UndefinedRegisters::shuffled(Warp& warp, const Op& op, const std::array<unsigned, 32>& from) {
    const std::uint32_t undefined = lanes_of(op.a);
    const Value before = undefined != 0 ? values_.at(op.a) : Value{};
    define(op.d, warp.mask);
    for (unsigned lane = 0; lane < lanes; ++lane)
        if ((warp.mask >> lane & 1) && (undefined >> from[lane] & 1))
            set(op.d, lane, before.bits[from[lane]], before.load[from[lane]], (before.computed >> from[lane] & 1) != 0);
}

void UndefinedRegisters::use(Warp& warp, const Op& op, std::uint32_t reg_offset, std::uint32_t mask) {
    for (mask &= lanes_of(reg_offset); mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(mask));
        tell(warp, op, lane, values_.at(reg_offset).load[lane]);
    }
}

/// Once for each time that a lane has loaded it.
void UndefinedRegisters::tell(Warp& warp, const Op& user, unsigned lane, std::uint32_t number) {
    Load& load = loads_.at(number / lanes);
    const unsigned loader = number % lanes;
    if (load.told >> loader & 1) return;
    load.told |= 1u << loader;
    BlockRun& block = warp.block();
    const Located in = block.locate(load.addresses[loader], warp.thread(loader));
    Finding found;
    found.kind = FindingKind::uninitialised;
    found.found = block.location(warp, loader, load.op->line);
    if (in.array) found.element = in.array->element(load.addresses[loader] - in.begin, load.op->bytes);
    found.what = load.op->kind == Kind::atomic ? "updates what nobody has written" : "reads what nobody has written";
    if (in.array && in.array->of_module)
        found.what = "reads what nobody has set, as the host does by cudaMemcpyToSymbol";
    if (user.line != load.op->line) {
        found.other = block.location(warp, lane, user.line);
        found.other_action = "uses it";
    }
    block.report(std::move(found));
}

}  // namespace convscope::ptx
