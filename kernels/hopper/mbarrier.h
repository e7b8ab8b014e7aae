// mbarriers (compute capability 9.0): barriers in shared memory that count arrivals and bytes. With them the bulk
// copies of bulk_copy.h and the threads of a block tell each other that a buffer is full, or free again.
#pragma once

#include <cstdint>

namespace convscope::hopper {

/// The 32-bit shared-memory address that the instructions of this folder take.
__device__ __forceinline__ std::uint32_t shared_address(const void* in_shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(in_shared));
}

/// One mbarrier. Its phases complete one after the other, each when 'arrivals' threads have arrived and all announced
/// bytes have been copied.
struct Mbarrier {
    std::uint64_t state;

    /// Initialises it. One thread calls this, before fence_mbarrier_init() and the block's barrier.
    __device__ __forceinline__ void init(int arrivals) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals));
    }
    __device__ __forceinline__ void arrive() {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
    }
    /// Arrives and announces copies of this many bytes to the current phase (arrive.expect_tx).
    __device__ __forceinline__ void arrive_expect_tx(int bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)), "r"(bytes)
                     : "memory");
    }
    /// Arrives once all cp.async copies that this thread has issued so far have completed.
    __device__ __forceinline__ void arrive_after_copies() {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(this)) : "memory");
    }
    /// Returns when the phase of this parity has completed: 0 the first, 1 the second, 0 the third. Before the first
    /// has completed, waiting for parity 1 returns at once: a buffer that nobody has used is free.
    __device__ __forceinline__ void wait(int parity) {
        asm volatile(
            "{\n"
            ".reg .pred complete;\n"
            "again:\n"
            "mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n"
            "@!complete bra again;\n"
            "}\n" ::"r"(shared_address(this)),
            "r"(parity)
            : "memory");
    }
};

/// Makes initialised barriers visible to the copies, which do not see a thread's ordinary stores.
__device__ __forceinline__ void fence_mbarrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// A position in a ring of buffers: the buffer's index and the parity of its current phase.
struct RingPosition {
    int stage = 0, parity = 0;
    __device__ __forceinline__ void advance(int stages) {
        if (++stage == stages) {
            stage = 0;
            parity ^= 1;
        }
    }
};

}  // namespace convscope::hopper
