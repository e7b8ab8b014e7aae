#include "kernels/ptx/run/malloc_heap.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"

namespace convscope::ptx {
namespace {

constexpr std::uint64_t heap_alignment = 16,
                        heap_header = 16;        ///< what an allocation takes of the heap in addition to its bytes
constexpr std::uint64_t heap_room = 32 << 10;    ///< before and behind each, that is no other's
constexpr std::size_t max_remembered = 1 << 16;  ///< allocations that have been freed

std::uint64_t heap_aligned(std::uint64_t bytes) {
    return (bytes + heap_alignment - 1) / heap_alignment * heap_alignment;
}
std::uint64_t heap_taken(std::uint64_t bytes) {
    return heap_aligned(bytes) + heap_header;
}

}  // namespace

void MallocHeap::begin_launch() {
    for (auto& [address, allocation] : all_) allocation.freed_by.reset();
    begin_phase();
}

void MallocHeap::begin_phase() {
    for (auto& [address, allocation] : all_) {
        Array& array = allocation.array;
        if (array.freed) continue;
        std::fill_n(array.shadow, array.words(), ShadowCell{});
        std::memset(array.updates, 0, array.words() * sizeof(KeptAccesses));
        array.updated = false;
    }
}

std::uint64_t MallocHeap::allocate(std::uint64_t bytes, std::string name, const ThreadLocation& by) {
    if (bytes == 0 || bytes > bytes_ || heap_taken(bytes) > bytes_ - std::min(used_, bytes_)) return 0;
    const std::uint64_t address = next_ + heap_room;
    if (!in_malloc_heap(address + heap_aligned(bytes) + heap_room))
        throw Error(ErrorKind::failed, "the kernels ask malloc() for more addresses than the simulated GPU has");
    constexpr std::uint64_t of_word = sizeof(ShadowCell) + sizeof(KeptAccesses) + 4 + 1;
    const std::uint64_t words = heap_aligned(bytes) / 4 + 4;
    constexpr std::uint64_t unchecked = 1 << 20;  // bytes of the host, from one look at its memory to the next
    unchecked_ += words * of_word;
    if (unchecked_ > unchecked) {
        require_host_memory(static_cast<double>(words * of_word),
                            "what malloc() of a kernel asks for, with its history,");
        unchecked_ = 0;
    }
    Allocation made;
    made.memory.reset(std::calloc(words, of_word));
    if (!made.memory) throw OutOfMemory("the host has no memory for what malloc() of a kernel asks for");
    auto* next = static_cast<std::byte*>(made.memory.get());
    const auto take = [&](std::uint64_t each) { return std::exchange(next, next + words * each); };
    Array& array = made.array;
    array.shadow = reinterpret_cast<ShadowCell*>(take(sizeof(ShadowCell)));
    array.updates = reinterpret_cast<KeptAccesses*>(take(sizeof(KeptAccesses)));
    array.data = take(4);
    array.written = reinterpret_cast<std::uint8_t*>(take(1));
    array.name = std::move(name);
    array.bytes = bytes;
    array.element_bytes = 0;
    std::memset(array.data, 0xff, bytes);
    made.by = by;
    next_ = address + heap_aligned(bytes) + heap_room;
    used_ += heap_taken(bytes);
    all_.emplace_hint(all_.end(), address, std::move(made));
    return address;
}

MallocHeap::Allocation* MallocHeap::find(std::uint64_t address, std::uint64_t& begin) {
    const auto take = [&](auto found) {
        begin = found->first;
        return &found->second;
    };
    const auto next = all_.upper_bound(address);
    if (next != all_.begin()) {
        const auto before = std::prev(next);
        if (address - before->first < heap_aligned(before->second.array.bytes) + heap_room) return take(before);
    }
    if (next != all_.end() && next->first - address <= heap_room) return take(next);
    return nullptr;
}

void MallocHeap::free(Allocation& allocation, std::uint64_t begin, const ThreadLocation& by) {
    Array& array = allocation.array;
    used_ -= heap_taken(array.bytes);
    array.freed = true;
    array.data = nullptr;
    array.written = nullptr;
    array.shadow = nullptr;
    array.updates = nullptr;
    allocation.memory.reset();
    allocation.freed_by = by;
    freed_.push_back(begin);
    if (freed_.size() <= max_remembered) return;
    all_.erase(freed_.front());
    freed_.pop_front();
}

}  // namespace convscope::ptx
