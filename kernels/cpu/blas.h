// The matrix products of the CPU methods, on OpenBLAS. All are row-major FP32.
//
// OpenBLAS is held at one thread per call and its calls are spread over OpenMP's threads: two pools of threads,
// each spinning while it waits, would take the cores from each other.
#pragma once

#include "kernels/method/gpu.h"

namespace convscope {

/// C = A B on the calling thread.
void sgemm(const GemmShape&, const float* a, const float* b, float* c);

/// C = A B on all threads: the larger of m and n is cut into equal parts.
void parallel_sgemm(const GemmShape&, const float* a, const float* b, float* c);

/// y = A x on the calling thread; A is m x n with leading dimension lda.
void sgemv(std::int64_t m, std::int64_t n, std::int64_t lda, const float* a, const float* x, float* y);

}  // namespace convscope
