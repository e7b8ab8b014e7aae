// Small numbers for source lines.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <source_location>
#include <vector>

namespace convscope::simt {

class SourceTable {
public:
    /// The same number for the same place in the source. Fast for a place that was requested before.
    std::uint16_t id(const std::source_location& at) {
        const auto key = std::bit_cast<std::uintptr_t>(at);
        Slot& slot = slots_[key / 8 % slots_.size()];
        if (slot.key != key) [[unlikely]]
            slot = {key, find_or_add(at)};
        return slot.id;
    }
    const std::source_location& location(std::uint16_t id) const { return locations_[id]; }

private:
    // The standard library keeps a pointer to static data; copies of one place may differ in it, so it is only a hint.
    static_assert(sizeof(std::source_location) == sizeof(std::uintptr_t));
    struct Slot {
        std::uintptr_t key = 0;
        std::uint16_t id = 0;
    };
    std::uint16_t find_or_add(const std::source_location&);

    std::array<Slot, 1024> slots_{};
    std::vector<std::source_location> locations_{std::source_location{}};  ///< 0 is no place
};

}  // namespace convscope::simt
