#include "tests/kernels/gpu/cheating_kernels.h"

namespace convscope::testing {
namespace {

__device__ long long nanoseconds() {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void work_if_changed(const Kept* kept) {
    if (!kept->changed) return;
    for (const long long begin = nanoseconds(); nanoseconds() - begin < 200'000;) {
    }
}

__global__ void copy_if_changed(const Kept* kept, const float* from, float* to, int count) {
    if (!kept->changed && kept->runs >= 2000) return;
    for (int i = threadIdx.x; i < count; i += blockDim.x) to[i] = from[i];
}

__global__ void end_of_run(Kept* kept) {
    kept->changed = 0;
    ++kept->runs;
}

}  // namespace

void enqueue_work_if_changed(cudaStream_t stream, const Kept* kept) {
    work_if_changed<<<1, 1, 0, stream>>>(kept);
}

void enqueue_copy_if_changed(cudaStream_t stream, const Kept* kept, const float* from, float* to, int count) {
    copy_if_changed<<<1, 256, 0, stream>>>(kept, from, to, count);
}

void enqueue_end_of_run(cudaStream_t stream, Kept* kept) {
    end_of_run<<<1, 1, 0, stream>>>(kept);
}

}  // namespace convscope::testing
