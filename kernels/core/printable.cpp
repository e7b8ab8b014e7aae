#include "kernels/core/printable.h"

#include <fmt/format.h>

namespace convscope {
namespace {

/// Whether a byte is the beginning of a character in UTF-8, so that a text may be cut before it.
bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

std::string without_middle(std::string_view text, std::size_t max_bytes) {
    std::size_t head = max_bytes * 3 / 4, tail = text.size() - max_bytes / 4;
    while (head > 0 && !begins_character(text[head])) --head;
    while (tail < text.size() && !begins_character(text[tail])) ++tail;
    return fmt::format("{} ... ({} bytes) ... {}", text.substr(0, head), tail - head, text.substr(tail));
}

}  // namespace

std::string printable(std::string_view text, std::size_t max_bytes) {
    if (text.size() > max_bytes) return printable(without_middle(text, max_bytes), 2 * max_bytes);
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
        const bool c0 = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
        // In UTF-8 the controls from U+0080 on, among them a CSI of one character.
        const bool c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
        if (c0) plain += fmt::format("\\x{:02x}", byte);
        if (c1) plain += fmt::format("\\x{:02x}", next);
        if (c1) ++i;
        if (!c0 && !c1) plain += text[i];
    }
    return plain;
}

}  // namespace convscope
