// Reads the debugging information that a compiler writes into PTX (DWARF 2 to 4, one compilation unit): functions,
// their parameters and types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convscope::ptx {

/// One entry, with a member for each attribute that is read.
struct DebugEntry {
    enum class Tag : std::uint16_t {
        array = 0x01,
        class_type = 0x02,
        enumeration = 0x04,
        parameter = 0x05,
        member = 0x0d,
        pointer = 0x0f,
        reference = 0x10,
        structure = 0x13,
        function_type = 0x15,
        type_name = 0x16,  ///< typedef
        union_type = 0x17,
        inheritance = 0x1c,
        extent = 0x21,  ///< of an array, in one dimension
        number = 0x24,
        constant = 0x26,
        function = 0x2e,
        is_volatile = 0x35,
        restricted = 0x37,
        moved = 0x42,  ///< T&&
    };
    Tag tag = {};
    std::string name, linkage_name;  ///< empty: none
    std::uint64_t bytes = 0, encoding = 0, offset = 0;
    std::uint64_t bits = 0;                     ///< of a bit-field; 0: it is none
    std::optional<std::uint64_t> bits_above;    ///< in its 'bytes' above it: how DWARF 2 places it
    std::optional<std::uint64_t> bits_before;   ///< from the structure's begin: how DWARF 4 does
    std::optional<std::uint64_t> count;         ///< of an extent
    bool declared = false, artificial = false;  ///< a static member; what the source does not say
    std::optional<std::uint64_t> type;          ///< index in the list of entries
    std::vector<std::size_t> children;          ///< likewise
};

/// Reads all entries of 'ptx'; the first is the unit. Empty where it has none, or where they do not parse: a file may
/// contain anything in its asm statements.
std::vector<DebugEntry> read_debug_info(std::string_view ptx);

}  // namespace convscope::ptx
