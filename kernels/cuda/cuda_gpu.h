// One GPU as the launchers of the single-source kernels see it: memory, a stream, matrix products.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "kernels/cuda/blas.h"
#include "kernels/cuda/sparse.h"
#include "kernels/method/gpu.h"

namespace convscope {

/// Takes nothing from the GPU until it is first used, so that listing devices is quick.
class CudaGpu final : public Gpu {
public:
    /// 'name' is for messages: "cuda:0 (NVIDIA H100 80GB HBM3)".
    CudaGpu(int ordinal, int cc_major, std::string name);
    ~CudaGpu() override;
    CudaGpu(const CudaGpu&) = delete;
    CudaGpu& operator=(const CudaGpu&) = delete;

    void* allocate(std::size_t bytes) override;
    void release(void*) noexcept override;
    void upload(void* device, const void* host, std::size_t bytes) override;
    void download(void* host, const void* device, std::size_t bytes) override;
    void fill_bytes(void* device, int byte, std::size_t bytes) override;
    void synchronize() override;
    void gemm(const GemmShape&, const float* a, const float* b, float* c) override;
    std::unique_ptr<BatchedGemm> make_batched_gemm(const GemmShape&, std::vector<const float*> a,
                                                   std::vector<const float*> b, std::vector<float*> c) override;
    std::int64_t gemm_workspace_bytes() const override { return Blas::workspace_bytes(cc_major_); }
    std::unique_ptr<SparseProduct> make_sparse_product(const SparseProductShape&, const CsrArrays&, const float* d,
                                                       float* c) override;
    std::unique_ptr<BatchedFft> make_fft(const FftShape&, FftDirection) override;
    std::unique_ptr<LoadedKernel> load_kernel(const std::string& ptx, const std::string& symbol) override;
    /// The stream, and this GPU as the calling thread's current one: what a kernel launch needs.
    void* stream() override;

    struct Memory {
        std::int64_t free = 0, total = 0;  ///< bytes
    };
    Memory memory();

private:
    Blas& blas();

    int ordinal_, cc_major_;
    std::string name_;
    cudaStream_t stream_ = nullptr;
    std::unique_ptr<Blas> blas_;
    std::unique_ptr<Sparse> sparse_;
};

}  // namespace convscope
