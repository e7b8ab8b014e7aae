#include "kernels/cuda/cuda_ceilings.h"

#include <algorithm>

#include "kernels/cuda/ceiling_kernels.h"
#include "kernels/cuda/graph.h"
#include "kernels/cuda/timing_kernels.h"

namespace convscope {
namespace {

constexpr int tries = 11;
constexpr int runs_per_try = 8;        // of each try: the clock has risen by the last ones
constexpr long long lead_ns = 50'000;  // the host submits the runs meanwhile

/// Microseconds of one run, the best.
template <class Work>
double best_us(CudaGpu& gpu, Work&& enqueue) {
    auto* stream = static_cast<cudaStream_t>(gpu.stream());
    Event begin, end;
    double best = 1e12;
    for (int i = 0; i < tries; ++i) {
        enqueue_spin_nanoseconds(stream, lead_ns);
        begin.record(stream);
        for (int run = 0; run < runs_per_try; ++run) enqueue(stream);
        end.record(stream);
        gpu.synchronize();
        best = std::min(best, end.us_since(begin) / runs_per_try);
    }
    return best;
}

/// Frees what it has allocated.
class Buffer {
public:
    Buffer(CudaGpu& gpu, std::size_t bytes) : gpu_(gpu), memory_(gpu.allocate(bytes)) {}
    ~Buffer() { gpu_.release(memory_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    void* get() const { return memory_; }

private:
    CudaGpu& gpu_;
    void* memory_;
};

}  // namespace

Ceilings measure_cuda_ceilings(CudaGpu& gpu, const DeviceModel& model) {
    const std::size_t bytes = static_cast<std::size_t>(std::max<std::int64_t>(8 * model.l2_bytes, 64 << 20)) / 16 * 16;
    const Buffer from(gpu, bytes), to(gpu, bytes);
    gpu.fill_bytes(from.get(), 0, bytes);
    const double copying_us = best_us(gpu, [&](cudaStream_t stream) {
        enqueue_copy(stream, static_cast<float4*>(to.get()), static_cast<const float4*>(from.get()),
                     bytes / sizeof(float4));
    });
    std::int64_t count = 0;
    const double adding_us = best_us(gpu, [&](cudaStream_t stream) {
        count = enqueue_multiply_adds(stream, static_cast<float*>(to.get()), static_cast<unsigned>(8 * model.sms));
    });
    return {2e-3 * static_cast<double>(bytes) / copying_us, 2e-6 * static_cast<double>(count) / adding_us};
}

}  // namespace convscope
