// A trial of cuDNN's algorithms: memory with numbers in it, and the time of a run.
#pragma once

#include <cstdint>
#include <functional>

#include "kernels/method/gpu.h"
#include "kernels/method/method.h"

namespace convscope::cudnn {

/// Device memory that lives as long as a trial; none for 0 bytes. Throws OutOfMemory.
class TrialMemory {
public:
    TrialMemory(Gpu& gpu, std::int64_t bytes);
    ~TrialMemory() { gpu_.release(memory_); }
    TrialMemory(const TrialMemory&) = delete;
    TrialMemory& operator=(const TrialMemory&) = delete;
    void* get() const { return memory_; }

    /// Ordinary numbers in -1..1 without a pattern: on zeros a GPU can run faster than on data.
    void fill_with_numbers(DType);

private:
    Gpu& gpu_;
    std::int64_t bytes_;
    void* memory_ = nullptr;
};

/// Microseconds of one run, the fastest of a few replays of a CUDA graph. 'enqueue' puts one run on the Gpu's stream;
/// what it throws is passed on.
double time_us(Gpu&, const std::function<void()>& enqueue);

}  // namespace convscope::cudnn
