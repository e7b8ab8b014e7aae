// Barriers in shared memory that count arrivals and bytes (mbarrier, compute capability 9.0): how the bulk copies of
// bulk_copy.h and the threads of a block tell each other that a buffer is full, or free again.
#pragma once

#include <cstdint>

namespace convscope::hopper {

/// The address in shared memory as the instructions of this folder take it.
__device__ __forceinline__ std::uint32_t shared_address(const void* in_shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(in_shared));
}

/// One barrier. Its phases complete one after the other; each when 'arrivals' threads have arrived and all bytes that
/// were announced have been copied.
struct Arrival {
    std::uint64_t state;

    /// By one thread, before make_arrivals_visible() and the block's barrier.
    __device__ __forceinline__ void prepare(int arrivals) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals));
    }
    __device__ __forceinline__ void arrive() {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
    }
    /// Arrives and announces copies of this many bytes to the present phase.
    __device__ __forceinline__ void arrive_expecting(int bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)), "r"(bytes)
                     : "memory");
    }
    /// Arrives when all of this thread's cp.async copies so far have.
    __device__ __forceinline__ void arrive_after_copies() {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(this)) : "memory");
    }
    /// Returns when the phase of this parity has completed: 0 the first, 1 the second, 0 the third. Before the first
    /// has completed, waiting for 1 returns at once: a buffer that nobody has used is free.
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

/// After prepare(): for the copies, which do not see a thread's ordinary stores.
__device__ __forceinline__ void make_arrivals_visible() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Where a ring of buffers stands: the buffer's index and the parity of its present phase.
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
