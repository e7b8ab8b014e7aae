// The trace of one block of one launch, step by step.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/simt/executor.h"

namespace convscope::simt {

inline constexpr unsigned warp_size = 32;

/// 'basic_block': the thread entered a basic block, which tells how far each lane has come (lockstep.h).
enum class EventKind : std::uint8_t { load, store, atomic, multiply_add, barrier, warp_operation, basic_block };
const char* to_string(EventKind);

struct TraceArray {
    std::string name;  ///< as the kernel calls it
    Space space = Space::global;
    bool real = true;            ///< of floats, not of integers
    std::int64_t elements = 0;   ///< from the pointer that the kernel was given to the end of the memory
    std::vector<double> before;  ///< what it held before the block touched it; empty where it is too large to copy
    std::vector<bool> written;   ///< for each of 'before', whether anybody had written it
};

struct TraceEvent {
    EventKind kind = EventKind::basic_block;
    std::uint8_t bytes = 0;       ///< that are touched: of the element, or of all elements of a vector
    bool real = true;             ///< the value is a float's, not an integer's
    std::uint8_t elements = 1;    ///< of a vector, adjacent ones, the first of them at 'index'
    std::uint16_t thread = 0;     ///< linear index in the block
    std::uint16_t source = 0;     ///< index into sources
    std::int16_t array = -1;      ///< index into arrays; -1 where none is touched
    std::uint32_t more = 0;       ///< index into more_values: a vector's other elements, what an atomic leaves
    std::int64_t index = 0;       ///< of the element in its array
    std::uint64_t address = 0;    ///< bytes; in the block's shared memory counted from its start
    double value = 0;             ///< loaded, stored or computed; of a vector the first; of an atomic the one before
    std::uintptr_t position = 0;  ///< of the instruction in the compiled kernel; grows in the kernel's order
};

struct BlockTrace {
    KernelLaunch launch;
    Dim3 block;
    std::map<std::string, std::int64_t> arguments;  ///< whole numbers that the kernel was given: "shape.r", "chunks"
    std::vector<TraceArray> arrays;
    std::vector<std::source_location> sources;
    std::vector<TraceEvent> events;   ///< in the order in which the executor ran them
    std::vector<double> more_values;  ///< TraceEvent::more
    bool whole = true;                ///< the block came to its end; a check's finding did not end it before

    /// The value of a vector's element; of every other event its value.
    double value(const TraceEvent& event, unsigned element = 0) const {
        return element == 0 ? event.value : more_values[event.more + element - 1];
    }
    /// The value that the event leaves in the element of memory that it touches.
    double left(const TraceEvent& event, unsigned element = 0) const {
        return event.kind == EventKind::atomic ? more_values[event.more] : value(event, element);
    }
    Index3 thread_index(unsigned thread) const {
        const auto x = static_cast<unsigned>(launch.block.x), y = static_cast<unsigned>(launch.block.y);
        return {thread % x, thread / x % y, thread / x / y};
    }
    unsigned threads() const { return static_cast<unsigned>(launch.block.count()); }
};

}  // namespace convscope::simt
