// Explains in plain words why an expression does not parse: muParser's own messages speak of tokens.
#pragma once

#include <fmt/format.h>
#include <muParser.h>

#include <cctype>
#include <string>

namespace convscope::ptx {

inline std::string why_unread(const mu::Parser::exception_type& error) {
    const std::string token = error.GetToken();
    switch (error.GetCode()) {
        case mu::ecEMPTY_EXPRESSION:
            return "it is empty";
        case mu::ecUNEXPECTED_EOF:
            return "it ends where a value has to follow";
        case mu::ecMISSING_PARENS:
            return "a bracket is not closed";
        case mu::ecUNASSIGNABLE_TOKEN:
            if (!token.empty() && std::isalpha(static_cast<unsigned char>(token.front())))
                return fmt::format("there is no name '{}'", token);
            break;
        default:
            break;
    }
    if (token.empty() || error.GetCode() > mu::ecUNEXPECTED_STR) return error.GetMsg();
    return fmt::format("'{}' cannot stand as character {}", token, error.GetPos() + 1);
}

}  // namespace convscope::ptx
