#pragma once

#include "kernels/simt/dialect.h"

namespace convscope::CONVSCOPE_DIALECT {

constexpr int speed_threads = 128, speed_blocks = 7, speed_rounds = 400;
constexpr int speed_elements = 64;  ///< per thread

/// One block that goes round and round over its threads' own segments of shared memory.
KERNEL scale_and_add(Global<const float> in, Global<float> out) {
    DYNAMIC_SHARED(memory);
    Shared<float> value = memory.take<float>(speed_threads * speed_elements);
    const int first = threadIdx.x * speed_elements;
    for (int i = 0; i < speed_elements; ++i) value[first + i] = in[first + i];
    __syncthreads();
    for (int round = 0; round < speed_rounds; ++round) {
        for (int i = 0; i < speed_elements; ++i) value[first + i] = fmaf(value[first + i], 0.5f, in[first + i]);
    }
    for (int i = 0; i < speed_elements; ++i)
        out[blockIdx.x * speed_threads * speed_elements + first + i] = value[first + i];
}

inline KernelLaunch speed_launch() {
    KernelLaunch launch;
    launch.kernel = "scale_and_add";
    launch.grid = {speed_blocks, 1, 1};  // too few for a second CPU thread
    launch.block = {speed_threads, 1, 1};
    launch.shared_bytes = speed_threads * speed_elements * sizeof(float);
    return launch;
}

constexpr double speed_accesses = double{speed_blocks} * speed_threads * speed_elements * (2 + 3.0 * speed_rounds + 2);
constexpr std::size_t speed_bytes = speed_threads * speed_elements * sizeof(float);

}  // namespace convscope::CONVSCOPE_DIALECT
