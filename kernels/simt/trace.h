// What one block of one launch did, step by step.
#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/simt/executor.h"

namespace convscope::simt {

/// 'passage' is a piece of code that a thread came through, recorded so that lanes can be put side by side.
enum class EventKind : std::uint8_t { load, store, atomic, multiply_add, barrier, warp_operation, passage };
const char* to_string(EventKind);

struct TraceArray {
    std::string name;  ///< as the kernel calls it
    Space space = Space::global;
    bool operator==(const TraceArray&) const = default;
};

struct TraceEvent {
    EventKind kind = EventKind::passage;
    std::uint8_t bytes = 0;       ///< of the element; 0 where none is touched
    bool real = true;             ///< the value is a float's, not an integer's
    std::uint16_t thread = 0;     ///< linear index in the block
    std::uint16_t source = 0;     ///< index into sources
    std::int16_t array = -1;      ///< index into arrays; -1 where none is touched
    std::int64_t index = 0;       ///< of the element in its array
    std::uint64_t address = 0;    ///< bytes; in the block's shared memory counted from its start
    double value = 0;             ///< loaded, stored or computed
    std::uintptr_t position = 0;  ///< of the instruction in the compiled kernel; grows in the kernel's order
};

struct BlockTrace {
    KernelLaunch launch;
    Dim3 block;
    std::vector<TraceArray> arrays;
    std::vector<std::source_location> sources;
    std::vector<TraceEvent> events;  ///< in the order in which the executor ran them

    Index3 thread_index(unsigned thread) const {
        const auto x = static_cast<unsigned>(launch.block.x), y = static_cast<unsigned>(launch.block.y);
        return {thread % x, thread / x % y, thread / x / y};
    }
    unsigned threads() const { return static_cast<unsigned>(launch.block.count()); }
};

}  // namespace convscope::simt
