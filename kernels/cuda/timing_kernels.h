// The kernels that measuring itself needs.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace convscope {

/// Keeps one thread busy for a number of SM clock cycles. Touches no memory, so the cache cannot change its length.
void enqueue_spin_cycles(cudaStream_t, long long cycles);

/// Keeps 'blocks' blocks busy until the GPU's nanosecond clock has moved on by 'nanoseconds'. The clock ticks every
/// 32 ns on an H100, every 1 us on some older GPUs.
void enqueue_spin_nanoseconds(cudaStream_t, long long nanoseconds, unsigned blocks = 1);

/// Reads 'bytes' of 'buffer', all zero, once. Reading leaves clean lines in the L2: the work that follows neither finds
/// its data there nor pays for writing somebody else's back, as it would after a flush by writing.
void enqueue_flush(cudaStream_t, float4* buffer, std::size_t bytes, unsigned blocks);

/// Shared by the host and a holding kernel; in host memory that the GPU can reach.
struct Hold {
    int release;  ///< the host sets it to let the kernel end
    int gave_up;  ///< the kernel sets it when it ended by itself
};
/// Holds the stream until *hold is released, for 20 ms at most: work that is enqueued meanwhile then runs without
/// waiting for the host, and a host call that waits for the stream cannot wait for ever.
void enqueue_hold(cudaStream_t, Hold* hold);

}  // namespace convscope
