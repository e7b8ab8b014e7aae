// The sentence that a page leads with. Data only: app/ui/widgets/lead_line.h draws it.
#pragma once

#include <optional>
#include <string>

namespace convscope {

/// "B1 skips 63 % of its multiplications": its number stands out.
struct Lead {
    std::string before, number, after;
    std::optional<double> share = {};  ///< of a whole, 0..1, where the number states one
    bool remains = false;              ///< it is the share that is left; else the one that falls away
    std::string text() const { return before + number + after; }
    bool empty() const { return before.empty() && number.empty() && after.empty(); }
};

/// Leads with the first place of the number in a whole sentence.
inline Lead lead_of(const std::string& text, const std::string& number) {
    const std::size_t at = number.empty() ? std::string::npos : text.find(number);
    if (at == std::string::npos) return {text, {}, {}};
    return {text.substr(0, at), number, text.substr(at + number.size())};
}

}  // namespace convscope
