// The heap of malloc(), free(), new and delete in kernels. An allocation stays until a thread frees it, also in a later
// launch; the host reaches none of it. One host thread uses it at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "kernels/ptx/run/memory.h"
#include "kernels/ptx/text/finding.h"

namespace convscope::ptx {

/// Its address range, behind that of lent arrays.
constexpr std::uint64_t malloc_heap_begin = std::uint64_t{5} << 44, malloc_heap_span = std::uint64_t{1} << 42;
constexpr bool in_malloc_heap(std::uint64_t address) {
    return address - malloc_heap_begin < malloc_heap_span;
}

class MallocHeap {
public:
    /// CUDA's default size.
    static constexpr std::uint64_t default_bytes = 8 << 20;

    struct Allocation {
        Array array;
        ThreadLocation by;                       ///< who allocated it
        std::optional<ThreadLocation> freed_by;  ///< in the present launch
        struct Free {
            void operator()(void* memory) const { std::free(memory); }
        };
        std::unique_ptr<void, Free> memory;  ///< data and history; none of what has been freed
    };

    explicit MallocHeap(std::uint64_t bytes = default_bytes) : bytes_(bytes) {}

    std::uint64_t bytes() const { return bytes_; }
    void resize(std::uint64_t bytes) { bytes_ = bytes; }
    /// Whether it has live allocations.
    bool used() const { return used_ > 0; }

    /// Begins a launch: no earlier access races with it.
    void begin_launch();
    /// Begins a phase of a cooperative launch: likewise.
    void begin_phase();
    /// Returns the address; 0 where there is no room. 'name' is for findings.
    std::uint64_t allocate(std::uint64_t bytes, std::string name, const ThreadLocation& by);
    /// The allocation, freed ones included, that contains the address or is near it, and its first address; null: none.
    Allocation* find(std::uint64_t address, std::uint64_t& begin);
    void free(Allocation&, std::uint64_t begin, const ThreadLocation& by);

    const std::map<std::uint64_t, Allocation>& all() const { return all_; }

private:
    std::map<std::uint64_t, Allocation> all_;  ///< by address; no address is given twice
    std::deque<std::uint64_t> freed_;          ///< the latest, oldest first
    std::uint64_t bytes_, used_ = 0, unchecked_ = 0, next_ = malloc_heap_begin;
};

}  // namespace convscope::ptx
