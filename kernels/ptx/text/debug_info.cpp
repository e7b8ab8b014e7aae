#include "kernels/ptx/text/debug_info.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace convscope::ptx {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// The bytes in ".section NAME { ... }", as ".b8 1,2" and ".b32 LABEL": a label's value is never needed.
Bytes section(std::string_view ptx, std::string_view name) {
    Bytes bytes;
    std::size_t at = 0;
    do {
        at = ptx.find(".section", at);
        if (at == std::string_view::npos) return bytes;
        at = ptx.find_first_not_of(" \t", at + std::string_view(".section").size());
    } while (at != std::string_view::npos && !ptx.substr(at).starts_with(name));
    const std::size_t open = ptx.find('{', at), close = ptx.find('}', at);
    if (open == std::string_view::npos || close == std::string_view::npos) return bytes;
    std::string_view text = ptx.substr(open + 1, close - open - 1);
    std::size_t width = 1;
    while (!text.empty()) {
        const std::size_t begin = text.find_first_not_of(" \t\r\n,");
        if (begin == std::string_view::npos) break;
        text.remove_prefix(begin);
        const std::string_view word = text.substr(0, text.find_first_of(" \t\r\n,"));
        text.remove_prefix(word.size());
        if (word == ".b8" || word == ".b16" || word == ".b32" || word == ".b64") {
            width = word == ".b8" ? 1 : word == ".b16" ? 2 : word == ".b32" ? 4 : 8;
            continue;
        }
        if (word.ends_with(':')) continue;  // a label
        const bool hexadecimal = word.starts_with("0x");
        const std::string_view digits = word.substr(hexadecimal ? 2 : 0);
        const int base = hexadecimal ? 16 : 10;
        std::uint64_t value = 0;
        if (digits.starts_with('-')) {
            std::int64_t negative = 0;
            std::from_chars(digits.data(), digits.data() + digits.size(), negative, base);
            value = static_cast<std::uint64_t>(negative);
        } else {
            std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
        }
        for (std::size_t i = 0; i < width; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    return bytes;
}

struct DoesNotRead {};

class Cursor {
public:
    explicit Cursor(const Bytes& bytes, std::size_t at = 0) : bytes_(bytes), at_(at) {}
    bool at_end() const { return at_ >= bytes_.size(); }
    std::size_t at() const { return at_; }
    std::uint64_t number(std::size_t width) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < width; ++i) value |= std::uint64_t{byte()} << (8 * i);
        return value;
    }
    /// LEB128
    std::uint64_t packed() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t next = byte();
            if (shift < 64) value |= std::uint64_t{next & 0x7fU} << shift;
            if (next < 0x80) return value;
        }
    }
    std::string text() {
        std::string all;
        while (const std::uint8_t next = byte()) all += static_cast<char>(next);
        return all;
    }
    void skip(std::uint64_t count) {
        if (count > bytes_.size() - at_) throw DoesNotRead();
        at_ += count;
    }

private:
    std::uint8_t byte() {
        if (at_end()) throw DoesNotRead();
        return bytes_[at_++];
    }
    const Bytes& bytes_;
    std::size_t at_;
};

/// How the entries with a number are laid out.
struct Layout {
    DebugEntry::Tag tag = {};
    bool has_children = false;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> attributes;  ///< names and forms
};

std::map<std::uint64_t, Layout> read_layouts(const Bytes& bytes) {
    std::map<std::uint64_t, Layout> layouts;
    for (Cursor cursor(bytes); !cursor.at_end();) {
        const std::uint64_t number = cursor.packed();
        if (number == 0) break;
        Layout& layout = layouts[number];
        layout.tag = static_cast<DebugEntry::Tag>(cursor.packed());
        layout.has_children = cursor.number(1) != 0;
        for (;;) {
            const std::uint64_t name = cursor.packed(), form = cursor.packed();
            if (name == 0 && form == 0) break;
            layout.attributes.emplace_back(name, form);
        }
    }
    return layouts;
}

struct Value {
    std::uint64_t number = 0;
    std::string text = {};
};

Value read_value(Cursor& cursor, std::uint64_t form) {
    const auto block = [&](std::uint64_t size) {
        // A member's location expression is always "so many bytes on" (DW_OP_plus_uconst).
        constexpr std::uint64_t bytes_on = 0x23;
        Cursor inside = cursor;
        cursor.skip(size);
        return Value{size > 1 && inside.number(1) == bytes_on ? inside.packed() : 0};
    };
    switch (form) {
        case 0x01:
            return {cursor.number(8)};  // address
        case 0x03:
            return block(cursor.number(2));  // block2
        case 0x04:
            return block(cursor.number(4));  // block4
        case 0x05:
        case 0x12:
            return {cursor.number(2)};  // data2, ref2
        case 0x06:
        case 0x10:
        case 0x13:
        case 0x17:
            return {cursor.number(4)};  // data4, ref_addr, ref4, sec_offset
        case 0x07:
        case 0x14:
            return {cursor.number(8)};  // data8, ref8
        case 0x08:
            return {0, cursor.text()};  // string
        case 0x09:
        case 0x18:
            return block(cursor.packed());  // block, exprloc
        case 0x0a:
            return block(cursor.number(1));  // block1
        case 0x0b:
        case 0x0c:
        case 0x11:
            return {cursor.number(1)};  // data1, flag, ref1
        case 0x0d:
        case 0x0f:
        case 0x15:
            return {cursor.packed()};  // sdata, udata, ref_udata
        case 0x19:
            return {1};  // flag_present
        default:
            throw DoesNotRead();
    }
}

void take(DebugEntry& entry, std::uint64_t attribute, Value&& value) {
    switch (attribute) {
        case 0x03:
            entry.name = std::move(value.text);
            break;
        case 0x0b:
            entry.bytes = value.number;
            break;
        case 0x0c:
            entry.bits_above = value.number;
            break;
        case 0x0d:
            entry.bits = value.number;
            break;
        case 0x2f:
            entry.count = value.number + 1;
            break;  // upper bound
        case 0x34:
            entry.artificial = value.number != 0;
            break;
        case 0x37:
            entry.count = value.number;
            break;
        case 0x38:
            entry.offset = value.number;
            break;
        case 0x3c:
            entry.declared = value.number != 0;
            break;
        case 0x3e:
            entry.encoding = value.number;
            break;
        case 0x49:
            entry.type = value.number;
            break;
        case 0x6b:
            entry.bits_before = value.number;
            break;
        case 0x6e:
        case 0x2007:
            entry.linkage_name = std::move(value.text);
            break;
        default:
            break;
    }
}

std::vector<DebugEntry> read(const Bytes& abbreviations, const Bytes& information) {
    constexpr std::size_t header = 11;  // bytes of a unit's
    const std::map<std::uint64_t, Layout> layouts = read_layouts(abbreviations);
    std::vector<DebugEntry> entries;
    std::map<std::uint64_t, std::size_t> index;  // by where the entry begins
    std::vector<std::size_t> open;
    for (Cursor cursor(information, header); !cursor.at_end();) {
        const std::size_t begin = cursor.at();
        const std::uint64_t number = cursor.packed();
        if (number == 0) {
            if (open.size() < 2) break;  // what lies behind the unit fills it up
            open.pop_back();
            continue;
        }
        const auto layout = layouts.find(number);
        if (layout == layouts.end()) throw DoesNotRead();
        const std::size_t at = entries.size();
        index[begin] = at;
        DebugEntry& entry = entries.emplace_back();
        entry.tag = layout->second.tag;
        for (const auto& [name, form] : layout->second.attributes) take(entry, name, read_value(cursor, form));
        if (!open.empty()) entries[open.back()].children.push_back(at);
        if (layout->second.has_children) open.push_back(at);
        if (open.empty()) break;
    }
    for (DebugEntry& entry : entries) {
        if (!entry.type) continue;
        const auto known = index.find(*entry.type);
        if (known == index.end()) throw DoesNotRead();
        entry.type = known->second;
    }
    return entries;
}

}  // namespace

std::vector<DebugEntry> read_debug_info(std::string_view ptx) {
    try {
        return read(section(ptx, ".debug_abbrev"), section(ptx, ".debug_info"));
    } catch (const DoesNotRead&) {
        return {};
    }
}

}  // namespace convscope::ptx
