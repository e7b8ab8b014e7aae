#include "visualizers/plots/plot_text.h"

#include <fmt/format.h>

#include <cstdint>

namespace convscope {

std::string hex(const Rgba& color) {
    const std::uint32_t bits = color.u32();
    return fmt::format("#{:02x}{:02x}{:02x}", bits & 255, bits >> 8 & 255, bits >> 16 & 255);
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

}  // namespace convscope
