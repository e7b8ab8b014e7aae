// Memory that the checked dialect knows the bounds and the history of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/simt/executor.h"

namespace convscope::simt {

/// The last access of one kind to a word. A stamp counts synchronisations, so it says when: see Checker.
struct Access {
    static constexpr std::uint16_t atomic = 0x8000, write = 0x4000, flags = atomic | write;

    std::uint32_t stamp = 0;   ///< 0: never
    std::uint16_t thread = 0;  ///< linear index in its block, with the flags of the access
    std::uint16_t source = 0;  ///< the source line: Checker::location()
};

/// The history of one word of 4 bytes. Two readers are enough: a writer races with one of them, or is the only one.
struct Cell {
    Access write;
    Access read[2];  ///< the latest two that differ in thread or block
};

/// One array: an allocation of the simulated GPU, or a shared array of the present block.
struct WatchedMemory {
    Space space = Space::global;
    std::byte* begin = nullptr;
    std::size_t bytes = 0;
    Cell* cells = nullptr;  ///< one for each word
    std::string name;       ///< as the kernel calls it; empty while nobody knows
    std::unique_ptr<Cell[]> owned;

    std::size_t words() const { return (bytes + 3) / 4; }
};

}  // namespace convscope::simt
