// The simulated GPU's memory: allocations at addresses where the host has nothing, far from each other, and no address
// is used twice. Memory that both sides reach lies where the host has it, with a guard zone around it that nobody may
// touch.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/ptx/run/launch.h"
#include "kernels/runtime/streams.h"

namespace convscope::runtime {

std::uint64_t page_bytes();                      ///< of the host
std::uint64_t whole_pages(std::uint64_t bytes);  ///< rounded up to them

enum class MemoryKind : std::uint8_t { device, managed, pinned, registered, variable };

/// A pending access to an allocation: work uses its bytes, and nobody has waited for that work.
struct PendingUse {
    Work work;
    std::uint64_t from = 0, to = 0;  ///< bytes of the allocation
    bool written = false;            ///< by the GPU; otherwise it reads them
    std::string by;                  ///< "the kernel add", "cudaMemcpyAsync"
};

struct Allocation {
    std::int64_t id = 0;  ///< from 1 on, in the order of their calls
    MemoryKind kind = MemoryKind::device;
    std::uint64_t address = 0, bytes = 0, room = 0;
    std::byte* data = nullptr;  ///< where the host has them; at 'address' unless they are the device's alone
    std::vector<std::uint8_t> written;
    std::string call;         ///< "cudaMalloc"
    std::string name;         ///< of a variable
    std::uint64_t align = 1;  ///< of a variable, as its type has it
    bool writable = true, freed = false;
    ptx::Space space = ptx::Space::global;
    std::vector<PendingUse> pending;
    bool protected_now = false;

    bool host_reaches() const { return kind != MemoryKind::device && kind != MemoryKind::variable; }
    bool has(std::uint64_t at) const { return at - address < bytes; }
};

class DeviceHeap {
public:
    explicit DeviceHeap(std::uint64_t capacity) : capacity_(capacity) {}

    /// Throws OutOfMemory.
    Allocation& allocate(MemoryKind, std::uint64_t bytes, std::string call);
    /// Registers host memory, which the GPU may reach from now on; it must not reach any of it yet.
    Allocation& add_registered(void* memory, std::uint64_t bytes);
    /// Releases the bytes; the address range is remembered.
    void free(Allocation&);

    /// The allocation that contains the address or ends at it, including the last one that was freed there; with
    /// 'near', the one whose guard zone contains it. Null: none.
    Allocation* find(std::uint64_t address, bool near = false);
    std::map<std::uint64_t, Allocation>& all() { return all_; }
    std::uint64_t capacity() const { return capacity_; }
    std::uint64_t used() const { return used_; }
    std::size_t freed() const { return freed_; }  ///< allocations that are in all()

private:
    std::map<std::uint64_t, Allocation> all_;  ///< by address
    const std::uint64_t capacity_;
    std::uint64_t used_ = 0, next_ = ptx::lent_begin;
    std::int64_t last_id_ = 0;
    std::size_t freed_ = 0;
};

}  // namespace convscope::runtime
