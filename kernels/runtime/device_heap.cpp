#include "kernels/runtime/device_heap.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/host_memory.h"

namespace convscope::runtime {
namespace {

constexpr std::uint64_t alignment = 512, host_room = 64 << 20;
constexpr std::uint64_t max_poisoned = 256 << 20;  ///< bytes; filling more takes memory that nobody may ever touch

std::uint64_t up(std::uint64_t bytes, std::uint64_t to) {
    return (bytes + to - 1) / to * to;
}

/// An index of 32 bits stays in the room of its array; only where there are hundreds of them there is less.
std::uint64_t room_of(std::int64_t id) {
    return std::max<std::uint64_t>(std::uint64_t{1} << 34 >> std::min<std::int64_t>(id / 256, 18), 64 << 10);
}

}  // namespace

std::uint64_t page_bytes() {
    static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::uint64_t whole_pages(std::uint64_t bytes) {
    return up(bytes, page_bytes());
}

Allocation& DeviceHeap::allocate(MemoryKind kind, std::uint64_t bytes, std::string call) {
    Allocation made;
    made.kind = kind;
    made.bytes = bytes;
    made.call = std::move(call);
    const bool on_device = !made.host_reaches();
    if (on_device && bytes > capacity_ - std::min(used_, capacity_))
        throw OutOfMemory(fmt::format("asks for {}, and the GPU has {} left", format_bytes(static_cast<double>(bytes)),
                                      format_bytes(static_cast<double>(capacity_ - used_))));
    require_host_memory(1.25 * static_cast<double>(bytes), "what it asks for, on the host that simulates it,");
    if (on_device) {
        made.room = room_of(last_id_);
        made.address = up(next_ + made.room, alignment);
        next_ = made.address + up(bytes, alignment) + made.room;
        if (next_ > ptx::lent_end) throw OutOfMemory("there are no addresses left on the simulated GPU");
        made.data = static_cast<std::byte*>(std::calloc(up(bytes, alignment) + 64, 1));
        if (!made.data) throw OutOfMemory("the host that simulates the GPU has no memory for it");
        if (kind == MemoryKind::device && bytes <= max_poisoned) std::memset(made.data, 0xff, bytes);
        made.written.assign(bytes / 4 + 1, 0);
        used_ += bytes;
    } else {
        made.room = host_room;
        const std::uint64_t whole = whole_pages(std::max<std::uint64_t>(bytes, 1));
        void* around =
            mmap(nullptr, whole + 2 * host_room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (around == MAP_FAILED) throw OutOfMemory("the host has no memory for it");
        made.data = static_cast<std::byte*>(around) + host_room;
        if (mprotect(made.data, whole, PROT_READ | PROT_WRITE) != 0) throw OutOfMemory("the host has no memory for it");
        made.address = reinterpret_cast<std::uint64_t>(made.data);
        made.written.assign(bytes / 4 + 1, 15);  // whatever the host does with it is not seen
    }
    made.id = ++last_id_;
    return all_[made.address] = std::move(made);
}

Allocation& DeviceHeap::add_registered(void* memory, std::uint64_t bytes) {
    Allocation made;
    made.kind = MemoryKind::registered;
    made.bytes = bytes;
    made.call = "cudaHostRegister";
    made.data = static_cast<std::byte*>(memory);
    made.address = reinterpret_cast<std::uint64_t>(memory);
    made.written.assign(bytes / 4 + 1, 15);
    made.id = ++last_id_;
    return all_[made.address] = std::move(made);
}

void DeviceHeap::free(Allocation& allocation) {
    allocation.freed = true;
    allocation.written = {};
    allocation.pending.clear();
    if (!allocation.host_reaches()) {
        used_ -= allocation.bytes;
        std::free(allocation.data);
    } else if (allocation.kind == MemoryKind::registered) {
        all_.erase(allocation.address);
        return;
    } else {  // its addresses stay taken, so that nothing else comes to lie there
        const std::uint64_t whole = whole_pages(std::max<std::uint64_t>(allocation.bytes, 1));
        madvise(allocation.data, whole, MADV_DONTNEED);
        mprotect(allocation.data, whole, PROT_NONE);
    }
    allocation.data = nullptr;
    ++freed_;
}

Allocation* DeviceHeap::find(std::uint64_t address, bool near) {
    const auto next = all_.upper_bound(address);
    if (next != all_.begin()) {
        Allocation& before = std::prev(next)->second;
        const std::uint64_t distance = address - before.address;
        if (distance < before.bytes + (near ? before.room : 0) || distance == before.bytes) return &before;
    }
    if (near && next != all_.end() && next->second.address - address <= next->second.room) return &next->second;
    return nullptr;
}

}  // namespace convscope::runtime
