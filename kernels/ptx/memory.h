// The memory of a launch. Every array lies in a segment of the address space of its own, with as much room before and
// behind it that no index can lead from one into another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/ptx/types.h"

namespace convscope::ptx {

/// One access of a thread, in a word: see RaceDetector. 0: none.
using AccessRecord = std::uint64_t;

/// Two of the accesses of a kind to a word: RaceDetector::keep says which.
using KeptAccesses = AccessRecord[2];

/// The history of a word of 4 bytes, since the latest write that was not atomic.
struct ShadowCell {
    AccessRecord plain = 0;  ///< that write
    KeptAccesses read = {0, 0};
};

/// From the first of some words to behind the last; none yet.
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
    /// Of the earlier phases of a cooperative launch, which the history says nothing of any more; reads with the
    /// writes.
    WordRange past_writes = {}, past_reads = {};
    AccessRecord* incoming =
        nullptr;  ///< of shared memory, for each word the cp.async that is yet to write it; 0: none

    static constexpr std::uint8_t was_read = 1, was_written = 2;
    void note_use(std::uint8_t how) {
        if ((__atomic_load_n(&used, __ATOMIC_RELAXED) & how) != how) __atomic_fetch_or(&used, how, __ATOMIC_RELAXED);
    }
    /// For names; where it is not known as large as what is accessed.
    unsigned element_size(unsigned accessed) const {
        return element_bytes ? element_bytes : std::min(accessed, max_element_bytes);
    }
    std::uint64_t words() const { return (bytes + 3) / 4; }
    void mark_written() const;  ///< all of it
    void mark_written(std::uint64_t from, std::uint64_t count) const;
    bool is_written(std::uint64_t from, std::uint64_t count) const;  ///< any of these bytes
    /// Of bit i, the byte at from + i.
    void forget_written(std::uint64_t from, std::uint32_t which) const;
    /// "x[5]", of what is accessed at this byte.
    std::string element(std::uint64_t offset, unsigned accessed) const;
};

/// Generic addresses: the segment that an address lies in is in its bits from 40 on.
constexpr unsigned segment_bits = 40;
constexpr std::uint64_t segment_middle = std::uint64_t{1} << (segment_bits - 1);
constexpr std::uint64_t max_array_bytes = std::uint64_t{1} << (segment_bits - 3);
constexpr std::uint64_t shared_segment = 1, local_segment = 2, first_global_segment = 3;
constexpr std::uint64_t shared_window = shared_segment << segment_bits, local_window = local_segment << segment_bits;
/// Addresses in the state space 'shared' have 32 bits: where the bytes are in the block's shared memory, as the
/// descriptors of matrices have it, in the lowest 18; the array in those from 21 on; from 27 on the block's rank in its
/// cluster and 1, or 0 for the thread's own block.
constexpr unsigned shared_segment_bits = 21, shared_rank_bits = 27;
constexpr std::uint64_t shared_segment_middle = std::uint64_t{1} << (shared_segment_bits - 1);
constexpr std::uint64_t shared_bytes_addressed = std::uint64_t{1} << 18;
constexpr std::size_t max_shared_arrays = (std::size_t{1} << (shared_rank_bits - shared_segment_bits)) - 1;
constexpr std::uint64_t own_shared_mask = (std::uint64_t{1} << shared_rank_bits) - 1;
/// Of the first byte of a thread's local memory in the state space 'local'.
constexpr std::uint64_t local_begin = 256;

constexpr std::uint64_t address_of_global(std::size_t array) {
    return ((first_global_segment + array) << segment_bits) + segment_middle;
}
constexpr std::uint64_t address_of_shared(std::size_t array, std::uint64_t offset) {
    return ((array + 1) << shared_segment_bits) + shared_segment_middle + offset;
}

/// Owns arrays, with their histories where 'watched'.
class Arrays {
public:
    /// Zero-filled, and not yet written. Throws OutOfMemory, naming the array, before taking more than the host has.
    Array& add(std::string name, Space, std::uint64_t bytes, bool watched);
    /// One whose data and whose 'written' are somebody else's; its history is new. Throws OutOfMemory.
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
