#include "kernels/cuda/cuda_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/fft.h"
#include "kernels/cuda/loaded_kernel.h"

namespace convscope {
namespace {

double gigabytes(double bytes) {
    return bytes / 1e9;
}

}  // namespace

CudaGpu::CudaGpu(int ordinal, int cc_major, std::string name)
    : ordinal_(ordinal), cc_major_(cc_major), name_(std::move(name)) {}

CudaGpu::~CudaGpu() {
    if (!stream_) return;
    cudaSetDevice(ordinal_);
    blas_.reset();
    sparse_.reset();
    cudaStreamDestroy(stream_);
}

void* CudaGpu::stream() {
    CONVSCOPE_CUDA(cudaSetDevice(ordinal_));
    if (!stream_) CONVSCOPE_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    return stream_;
}

CudaGpu::Memory CudaGpu::memory() {
    std::size_t free = 0, total = 0;
    CONVSCOPE_CUDA(cudaSetDevice(ordinal_));
    CONVSCOPE_CUDA(cudaMemGetInfo(&free, &total));
    return {static_cast<std::int64_t>(free), static_cast<std::int64_t>(total)};
}

void* CudaGpu::allocate(std::size_t bytes) {
    CONVSCOPE_CUDA(cudaSetDevice(ordinal_));
    void* pointer = nullptr;
    const cudaError_t status = cudaMalloc(&pointer, std::max<std::size_t>(bytes, 1));
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();  // the context is still good: the next call must not see this error
        const auto [free, total] = memory();
        throw OutOfMemory(fmt::format("{} has {:.3f} GB free of {:.3f} GB, and {:.3f} GB were requested", name_,
                                      gigabytes(static_cast<double>(free)), gigabytes(static_cast<double>(total)),
                                      gigabytes(static_cast<double>(bytes))));
    }
    CONVSCOPE_CUDA(status);
    return pointer;
}

void CudaGpu::release(void* pointer) noexcept {
    if (!pointer) return;
    cudaSetDevice(ordinal_);
    // Fails only after a sticky error, and that one is reported where it is next waited for.
    if (cudaFree(pointer) != cudaSuccess) cudaGetLastError();
}

void CudaGpu::upload(void* device, const void* host, std::size_t bytes) {
    auto* on = static_cast<cudaStream_t>(stream());
    CONVSCOPE_CUDA(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, on));
    CONVSCOPE_CUDA(cudaStreamSynchronize(on));
}

void CudaGpu::download(void* host, const void* device, std::size_t bytes) {
    auto* on = static_cast<cudaStream_t>(stream());
    CONVSCOPE_CUDA(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, on));
    CONVSCOPE_CUDA(cudaStreamSynchronize(on));
}

void CudaGpu::fill_bytes(void* device, int byte, std::size_t bytes) {
    CONVSCOPE_CUDA(cudaMemsetAsync(device, byte, bytes, static_cast<cudaStream_t>(stream())));
}

void CudaGpu::synchronize() {
    CONVSCOPE_CUDA(cudaStreamSynchronize(static_cast<cudaStream_t>(stream())));
}

Blas& CudaGpu::blas() {
    if (!blas_) blas_ = std::make_unique<Blas>(*this);
    return *blas_;
}

void CudaGpu::gemm(const GemmShape& shape, const float* a, const float* b, float* c) {
    blas().gemm(shape, a, b, c);
}

std::unique_ptr<BatchedGemm> CudaGpu::make_batched_gemm(const GemmShape& shape, std::vector<const float*> a,
                                                        std::vector<const float*> b, std::vector<float*> c) {
    return blas().make_batched(shape, std::move(a), std::move(b), std::move(c));
}

std::unique_ptr<SparseProduct> CudaGpu::make_sparse_product(const SparseProductShape& shape, const CsrArrays& s,
                                                            const float* d, float* c) {
    if (!sparse_) sparse_ = std::make_unique<Sparse>(*this);
    return sparse_->make_product(shape, s, d, c);
}

std::unique_ptr<BatchedFft> CudaGpu::make_fft(const FftShape& shape, FftDirection direction) {
    return make_cuda_fft(*this, shape, direction);
}

std::unique_ptr<LoadedKernel> CudaGpu::load_kernel(const std::string& ptx, const std::string& symbol) {
    return load_cuda_kernel(*this, ptx, symbol);
}

}  // namespace convscope
