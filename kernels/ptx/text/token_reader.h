// Takes the tokens of a PTX text one after the other; an unexpected one is an error with its line.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/ptx/text/module.h"
#include "kernels/ptx/text/tokens.h"

namespace convscope::ptx {

class TokenReader {
public:
    virtual ~TokenReader() = default;

protected:
    TokenReader(std::string_view text, std::string name) : tokens_(tokens_of(text)), name_(std::move(name)) {}

    bool at_end() const { return tokens_[at_].text.empty(); }
    std::string_view peek() const { return tokens_[at_].text; }
    std::uint32_t line() const { return tokens_[at_].line; }
    [[noreturn]] void fail(const std::string& sentence) const {
        throw Error(ErrorKind::usage, fmt::format("{}: {}", place(), sentence));
    }
    virtual std::string place() const { return fmt::format("{}:{}", name_, line()); }
    std::string_view next() {
        if (at_end()) fail("the text ends in the middle");
        return tokens_[at_++].text;
    }
    bool take(std::string_view token) {
        if (peek() != token) return false;
        ++at_;
        return true;
    }
    void expect(std::string_view token) {
        if (!take(token)) fail(fmt::format("'{}' stands where '{}' was expected", peek(), token));
    }
    std::string name_token() { return std::string(next()); }

    std::uint64_t whole_number() {
        const bool minus = take("-");
        const Operand number = read_number(next());
        if (number.kind != Operand::Kind::integer) fail("a whole number was expected");
        return minus ? -number.bits : number.bits;
    }

    Operand read_number(std::string_view word) const {
        Operand operand;
        operand.kind = Operand::Kind::integer;
        const std::string text(word);
        char* end = nullptr;
        if (word.size() == 10 && (word.substr(0, 2) == "0f" || word.substr(0, 2) == "0F")) {
            operand.kind = Operand::Kind::real32;
            operand.bits = std::strtoull(text.c_str() + 2, &end, 16);
        } else if (word.size() == 18 && (word.substr(0, 2) == "0d" || word.substr(0, 2) == "0D")) {
            operand.kind = Operand::Kind::real64;
            operand.bits = std::strtoull(text.c_str() + 2, &end, 16);
        } else if (word.find('.') != std::string_view::npos) {
            operand.kind = Operand::Kind::real64;
            const double value = std::strtod(text.c_str(), &end);
            std::memcpy(&operand.bits, &value, sizeof value);
        } else {
            operand.bits = std::strtoull(text.c_str(), &end, 0);
            if (*end == 'U') ++end;
        }
        if (*end) fail(fmt::format("'{}' is not a number", word));
        return operand;
    }
    bool at_label() const { return tokens_[at_ + 1].text == ":"; }

    const std::vector<Token> tokens_;
    std::size_t at_ = 0;
    const std::string name_;
};

}  // namespace convscope::ptx
