// The SIMT executor: runs a kernel's threads on the CPU, each as a fiber that is switched only at barriers and
// warp-wide operations. Kernels see it through kernels/simt/dialect.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <source_location>

#include "kernels/core/launch.h"

namespace convscope::simt {

struct Index3 {
    unsigned x = 0, y = 0, z = 0;
};

enum class Space { global, shared };

// CUDA's built-in variables, of the thread that runs at present on this CPU thread.
extern constinit thread_local Index3 threadIdx, blockIdx, blockDim, gridDim;

/// Runs 'thread' once for every thread of the grid and returns when all have ended. Blocks are spread over the CPU's
/// threads; inside a block, threads run in the order of their index between two synchronisation points, so a result
/// can depend on chance only through atomics on floating-point values. Shared memory holds NaN (all bits set) when a
/// block starts.
///
/// Throws Error(failed), naming kernel, block, thread and source line, when threads wait for each other without end: at
/// a barrier or warp-wide operation that others do not reach. An exception of a thread ends the run and is passed
/// on; of several blocks that fail, the one with the lowest index is reported.
void run_grid(const KernelLaunch&, const std::function<void()>& thread);

// The operations under the dialect. Only called by a thread of a running kernel.

enum class WarpOperation { sync, ballot, shuffle };
struct WarpRequest {
    WarpOperation operation = WarpOperation::sync;
    unsigned mask = 0;        ///< lanes that take part; those beyond the end of the block are ignored
    std::uint64_t value = 0;  ///< the vote, or the value's bits
    unsigned source = 0;      ///< shuffle: the lane whose value this lane gets
    std::source_location at;
};

void wait_for_block(std::source_location at);     ///< __syncthreads
std::uint64_t warp_exchange(const WarpRequest&);  ///< the ballot, or the source lane's value
/// Gives the present thread up where it stands, and ends the run with 'error'. For where nothing can be thrown: what
/// lies on the thread's stack is never destroyed.
[[noreturn]] void leak(std::exception_ptr error) noexcept;
unsigned lane();              ///< 0 .. 31, from the linear thread index
std::byte* dynamic_shared();  ///< of the present block, 16-byte aligned
/// The present block's static shared array that belongs to one declaration; made by the first thread that asks.
void* static_shared(const void* declaration, std::size_t bytes);

}  // namespace convscope::simt
