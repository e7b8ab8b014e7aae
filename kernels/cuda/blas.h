// cuBLAS behind the products that our methods use.
#pragma once

#include <cublas_v2.h>

#include <memory>

#include "kernels/method/gpu.h"

namespace convscope {

/// A cuBLAS handle on one stream, with work memory of a fixed size that we own: products can then be captured into a
/// graph, and what they hold is known. FP32 throughout: the default math mode never uses TF32 for cublasSgemm.
class Blas {
public:
    /// 'gpu' lends the work memory and outlives *this.
    explicit Blas(Gpu& gpu);
    ~Blas();
    Blas(const Blas&) = delete;
    Blas& operator=(const Blas&) = delete;

    void gemm(const GemmShape&, const float* a, const float* b, float* c);
    /// C = A B', B n x k row-major: each element of C is the product of a row of A and a row of B. A matrix-vector
    /// product where A has one row.
    void multiply_rows(const GemmShape&, const float* a, const float* b, float* c);
    std::unique_ptr<BatchedGemm> make_batched(const GemmShape&, std::vector<const float*> a,
                                              std::vector<const float*> b, std::vector<float*> c);

    /// The size that cuBLAS recommends: 32 MiB on Hopper and later, 4 MiB before.
    static std::int64_t workspace_bytes(int cc_major) { return (cc_major >= 9 ? 32 : 4) << 20; }

private:
    Gpu& gpu_;
    cublasHandle_t handle_ = nullptr;
    void* workspace_ = nullptr;
};

}  // namespace convscope
