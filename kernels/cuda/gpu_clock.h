// Shared by all timings on one GPU: the L2 flush, and the cost of a pair of events.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>

#include "kernels/cuda/cuda_gpu.h"

namespace convscope {

/// A timed region is [event][work ...][event], captured into a graph. The lead, a kernel long enough for the host to
/// have submitted the rest, starts each replay: no event is ever reached while the GPU waits for the host.
///
/// In a chain of kernels, each costs its own duration and the step to the next one: the definition of the time of a
/// piece of work here, since no program on this GPU escapes that step. Between two events, the last step is
/// replaced by the events' own cost. boundary_us() is the difference, measured once per GPU: with T(n) the time
/// between the events round n equal kernels, the slope of T is duration plus step, and
///     boundary = T(1) - slope.
/// A sample is T(n) less the boundary, over n. The kernel behind it only counts clock cycles, so the same constant
/// is right after a flush, and hot and cold times of such a kernel agree by construction.
class GpuClock {
public:
    /// 'gpu' outlives *this.
    GpuClock(CudaGpu& gpu, int sms, std::int64_t l2_bytes) : gpu_(gpu), sms_(sms), l2_bytes_(l2_bytes) {}
    ~GpuClock() { gpu_.release(flush_buffer_); }
    GpuClock(const GpuClock&) = delete;
    GpuClock& operator=(const GpuClock&) = delete;

    cudaStream_t stream() { return static_cast<cudaStream_t>(gpu_.stream()); }
    void synchronize() { gpu_.synchronize(); }
    void enqueue_lead();
    /// Replaces what the L2 holds by clean lines of a buffer of twice its size. Call prepare_flush() before a
    /// capture.
    void enqueue_flush();
    void prepare_flush();
    double boundary_us();

private:
    double measure_boundary();

    CudaGpu& gpu_;
    int sms_;
    std::int64_t l2_bytes_;
    void* flush_buffer_ = nullptr;
    std::optional<double> boundary_us_;
};

}  // namespace convscope
