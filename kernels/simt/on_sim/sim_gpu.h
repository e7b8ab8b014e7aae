// The simulated GPU's memory and matrix products: host memory and the host's libraries. Everything is done on return.
#pragma once

#include "kernels/method/gpu.h"

namespace convscope {

class MapTransform;

class SimGpu : public Gpu {
public:
    void* allocate(std::size_t bytes) override;
    void release(void*) noexcept override;
    void upload(void* device, const void* host, std::size_t bytes) override;
    void download(void* host, const void* device, std::size_t bytes) override;
    void fill_bytes(void* device, int byte, std::size_t bytes) override;
    void synchronize() override {}
    void gemm(const GemmShape&, const float* a, const float* b, float* c) override;
    std::unique_ptr<BatchedGemm> make_batched_gemm(const GemmShape&, std::vector<const float*> a,
                                                   std::vector<const float*> b, std::vector<float*> c) override;
    std::int64_t gemm_workspace_bytes() const override { return 0; }
    virtual void sparse_product(const SparseProductShape&, const CsrArrays&, const float* d, float* c);
    std::unique_ptr<SparseProduct> make_sparse_product(const SparseProductShape&, const CsrArrays&, const float* d,
                                                       float* c) override;
    virtual void transform(const MapTransform&, const FftShape&, FftDirection, float* maps);
    std::unique_ptr<BatchedFft> make_fft(const FftShape&, FftDirection) override;
    void* stream() override { return nullptr; }
};

}  // namespace convscope
