// The memory of a launch. Every array has a segment of the address space to itself, with so much room around it that no
// index leads from one array into another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/ptx/text/types.h"

namespace convscope::ptx {

/// One access of a thread, packed in a word: see RaceDetector. 0: none.
using AccessRecord = std::uint64_t;

/// The two accesses that are kept of one kind to a word; RaceDetector::keep chooses them.
using KeptAccesses = AccessRecord[2];

/// The history of a 4-byte word, since the latest write that was not atomic.
struct ShadowCell {
    AccessRecord plain = 0;  ///< that write
    KeptAccesses read = {0, 0};
};

/// A range of words [from, to); empty at first.
struct WordRange {
    std::uint64_t from = ~std::uint64_t{0}, to = 0;
    void add(std::uint64_t word) {
        from = std::min(from, word);
        to = std::max(to, word + 1);
    }
};

struct Array {
    std::string name;
    Space space = Space::global;
    std::uint64_t bytes = 0;
    unsigned element_bytes = 4;       ///< for names: x[5]; 0: not known
    unsigned max_element_bytes = 16;  ///< where it is not known: what it is aligned to
    bool writable = true;
    bool of_module = false;         ///< a variable of the file, in constant or global memory
    bool freed = false;             ///< it is known where it was, and nothing may touch it
    std::uint8_t used = 0;          ///< of an array that the launch is lent: that it was read, and written
    unsigned misaligned_bytes = 0;  ///< of an array of the launch: as its argument says
    std::byte* data = nullptr;
    std::uint8_t* written = nullptr;  ///< of each word, a bit for each byte that somebody has written
    ShadowCell* shadow = nullptr;     ///< of each word; null where nobody else has access
    KeptAccesses* updates = nullptr;  ///< atomic writes of each word; likewise
    bool updated = false;             ///< there was such a write: most arrays have none, and need not be looked up
    /// Accesses of earlier phases of a cooperative launch, which the history no longer holds; 'past_reads' includes the
    /// writes.
    WordRange past_writes = {}, past_reads = {};
    AccessRecord* incoming =
        nullptr;  ///< of shared memory, for each word the cp.async that is yet to write it; 0: none

    static constexpr std::uint8_t was_read = 1, was_written = 2;
    void note_use(std::uint8_t how) {
        if ((__atomic_load_n(&used, __ATOMIC_RELAXED) & how) != how) __atomic_fetch_or(&used, how, __ATOMIC_RELAXED);
    }
    /// The element size for names; where it is unknown, the size of the access.
    unsigned element_size(unsigned accessed) const {
        return element_bytes ? element_bytes : std::min(accessed, max_element_bytes);
    }
    std::uint64_t words() const { return (bytes + 3) / 4; }
    void mark_written() const;  ///< all of it
    void mark_written(std::uint64_t from, std::uint64_t count) const;
    bool is_written(std::uint64_t from, std::uint64_t count) const;  ///< any of these bytes
    /// Marks byte from + i as unwritten for each bit i of 'which'.
    void forget_written(std::uint64_t from, std::uint32_t which) const;
    /// The name of the element accessed at this byte: "x[5]".
    std::string element(std::uint64_t offset, unsigned accessed) const;
};

/// Generic addresses: the bits from 40 on select the segment.
constexpr unsigned segment_bits = 40;
constexpr std::uint64_t segment_middle = std::uint64_t{1} << (segment_bits - 1);
constexpr std::uint64_t max_array_bytes = std::uint64_t{1} << (segment_bits - 3);
constexpr std::uint64_t shared_segment = 1, local_segment = 2, first_global_segment = 3;
constexpr std::uint64_t shared_window = shared_segment << segment_bits, local_window = local_segment << segment_bits;
/// Addresses in the state space 'shared' have 32 bits: the lowest 18 are the offset in the block's shared memory, as
/// matrix descriptors have it; those from 21 on select the array; those from 27 on are the block's rank in its cluster
/// plus 1, or 0 for the thread's own block.
constexpr unsigned shared_segment_bits = 21, shared_rank_bits = 27;
constexpr std::uint64_t shared_segment_middle = std::uint64_t{1} << (shared_segment_bits - 1);
constexpr std::uint64_t shared_bytes_addressed = std::uint64_t{1} << 18;
constexpr std::size_t max_shared_arrays = (std::size_t{1} << (shared_rank_bits - shared_segment_bits)) - 1;
constexpr std::uint64_t own_shared_mask = (std::uint64_t{1} << shared_rank_bits) - 1;
/// The address of the first byte of a thread's local memory in the state space 'local'.
constexpr std::uint64_t local_begin = 256;

constexpr std::uint64_t address_of_global(std::size_t array) {
    return ((first_global_segment + array) << segment_bits) + segment_middle;
}
constexpr std::uint64_t address_of_shared(std::size_t array, std::uint64_t offset) {
    return ((array + 1) << shared_segment_bits) + shared_segment_middle + offset;
}

/// Owns arrays, and where 'watched' their access histories.
class Arrays {
public:
    /// Adds a zero-filled array that counts as unwritten. Throws OutOfMemory, naming the array, before taking more than
    /// the host has.
    Array& add(std::string name, Space, std::uint64_t bytes, bool watched);
    /// Adds an array whose data and 'written' belong to the caller; its history is new. Throws OutOfMemory.
    Array& add_lent(Array);
    std::size_t size() const { return arrays_.size(); }
    Array& operator[](std::size_t i) { return arrays_[i]; }

private:
    struct Free {
        void operator()(void* memory) const;
    };
    void* zeros(const std::string& name, std::uint64_t size);
    std::deque<Array> arrays_;
    std::vector<std::unique_ptr<void, Free>> owned_;
};

}  // namespace convscope::ptx
