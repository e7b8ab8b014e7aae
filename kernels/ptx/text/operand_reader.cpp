#include "kernels/ptx/text/operand_reader.h"

namespace convscope::ptx {
namespace {

std::optional<Type> register_type(const Scope& scope, const std::string& name) {
    if (const auto declared = scope.declared.find(name); declared != scope.declared.end()) return declared->second;
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits == name.size()) return std::nullopt;
    const auto family = scope.families.find(name.substr(0, digits));
    if (family == scope.families.end()) return std::nullopt;
    return family->second;
}

}  // namespace

Operand OperandReader::read_operand() {
    Operand operand = read_simple();
    if (!take("|")) return operand;
    Operand pair;
    pair.kind = Operand::Kind::pair;
    pair.parts = {std::move(operand), read_simple()};
    return pair;
}

Operand OperandReader::read_group(Operand::Kind kind, std::string_view end) {
    Operand group;
    group.kind = kind;
    while (!take(end)) {
        group.parts.push_back(read_operand());
        take(",");
    }
    return group;
}

Operand OperandReader::read_address() {
    Operand address;
    address.kind = Operand::Kind::address;
    address.parts.push_back(read_simple());
    if (take(",")) address.parts.push_back(read_simple());  // of a tensor: coordinates
    expect("]");
    return address;
}

Operand OperandReader::read_simple() {
    if (take("{")) return read_group(Operand::Kind::vector, "}");
    if (take("(")) return read_group(Operand::Kind::list, ")");
    if (take("[")) return read_address();
    if (take("_")) return {};
    if (take("!")) {
        Operand operand = read_simple();
        operand.negated = true;
        return operand;
    }
    const bool minus = take("-");
    const std::string_view word = next();
    if (minus || (word.front() >= '0' && word.front() <= '9')) {
        Operand number = read_number(word);
        if (minus) {
            if (number.kind == Operand::Kind::integer)
                number.bits = -number.bits;
            else
                number.bits ^= std::uint64_t{1} << (number.kind == Operand::Kind::real32 ? 31 : 63);
        }
        return number;
    }
    Operand operand = find_name(std::string(word));
    if (take("+"))
        operand.offset = static_cast<std::int64_t>(whole_number());
    else if (peek() == "-")
        operand.offset = static_cast<std::int64_t>(whole_number());
    return operand;
}

Operand OperandReader::find_name(const std::string& name) {
    Operand operand;
    operand.name = name;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (const auto used = scope->used.find(name); used != scope->used.end()) {
            operand.kind = Operand::Kind::reg;
            operand.index = used->second;
            return operand;
        }
        if (const auto variable = scope->variables.find(name); variable != scope->variables.end()) {
            operand.kind = Operand::Kind::variable;
            operand.index = variable->second;
            return operand;
        }
        if (const std::optional<Type> type = register_type(*scope, name)) {
            operand.kind = Operand::Kind::reg;
            operand.index = static_cast<std::uint32_t>(function_->registers.size());
            function_->registers.push_back({name, *type});
            scope->used[name] = operand.index;
            return operand;
        }
    }
    if (name == "WARP_SZ") {
        operand.kind = Operand::Kind::integer;
        operand.bits = 32;
        return operand;
    }
    operand.kind = name.starts_with('%') ? Operand::Kind::special : Operand::Kind::name;
    return operand;
}

}  // namespace convscope::ptx
