// The state of memory and threads at a step of a replay.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace convscope::simt {

struct ElementState {
    bool known = false;             ///< that it holds 'value'; otherwise nobody wrote it, or nobody knows what it held
    bool written_by_block = false;  ///< by this step
    std::uint16_t writer = 0;       ///< the thread, when written_by_block
    std::uint32_t step = 0;         ///< in which it was written, when written_by_block
    double value = 0;
    /// A NaN is the same as itself.
    bool operator==(const ElementState& other) const {
        return known == other.known && written_by_block == other.written_by_block && writer == other.writer &&
               step == other.step && std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(other.value);
    }
};

/// One of BlockTrace::arrays. Of an array that is too large to copy, only the elements that the block touches.
class ArrayState {
public:
    /// An element that is not there is not known.
    ElementState at(std::int64_t index) const;
    bool operator==(const ArrayState& other) const { return elements_ == other.elements_; }

private:
    friend class Replay;
    std::uint32_t place(std::int64_t index) const;

    std::vector<ElementState> elements_;
    std::shared_ptr<const std::vector<std::int64_t>> indices_;  ///< of elements_, ascending; null when all are there
};

struct ThreadState {
    std::int64_t event = -1;            ///< the last it did: index into BlockTrace::events; -1 before its first
    std::int32_t source = -1;           ///< of that event: index into BlockTrace::sources
    std::optional<double> accumulator;  ///< what its last multiply-add gave
    std::int64_t multiplications = 0;
    std::vector<std::int64_t> stored;  ///< elements stored so far, by array: in the ECR methods Ptr so far
    bool waiting = false;              ///< at a barrier that others have not reached
    bool finished = false;             ///< has left the kernel
    bool operator==(const ThreadState& other) const {  // event and source tell the accumulator
        return event == other.event && multiplications == other.multiplications && stored == other.stored &&
               waiting == other.waiting && finished == other.finished;
    }
};

struct ReplayState {
    std::vector<ArrayState> arrays;    ///< as BlockTrace::arrays
    std::vector<ThreadState> threads;  ///< by linear index
    bool operator==(const ReplayState&) const = default;
};

}  // namespace convscope::simt
