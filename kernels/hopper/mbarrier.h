// mbarriers (compute capability 9.0): barriers in shared memory that count arrivals and transferred bytes. TMA copies
// (bulk_copy.h) and the threads of a block signal through them that a buffer is full, or free again.
#pragma once

#include <cstdint>

namespace convscope::hopper {

/// Converts a generic pointer to the 32-bit shared-memory address that PTX's .shared instructions take.
__device__ __forceinline__ std::uint32_t shared_address(const void* in_shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(in_shared));
}

/// An mbarrier object in shared memory. It goes through phases; a phase completes when 'arrivals' threads have arrived
/// and all expected bytes have been transferred.
struct Mbarrier {
    std::uint64_t state;

    /// Initialises the mbarrier. One thread calls this, then fence_mbarrier_init(); the block's barrier follows.
    __device__ __forceinline__ void init(int arrivals) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals));
    }
    __device__ __forceinline__ void arrive() {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
    }
    /// Arrives, and makes the current phase expect this many more bytes.
    __device__ __forceinline__ void arrive_expect_tx(int bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)), "r"(bytes)
                     : "memory");
    }
    /// Arrives asynchronously: when all cp.async copies that this thread has issued so far have completed.
    __device__ __forceinline__ void arrive_after_copies() {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(this)) : "memory");
    }
    /// Waits until the phase of this parity has completed; parities alternate: 0 is the first phase, 1 the second. On a
    /// fresh mbarrier a wait for parity 1 returns at once: a producer finds every buffer free on its first pass.
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

/// Makes initialised mbarriers visible to the async proxy, in which TMA runs; it does not see ordinary stores.
__device__ __forceinline__ void fence_mbarrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// The state of a pipeline over a ring of buffers: the current stage and the parity of its phase.
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
