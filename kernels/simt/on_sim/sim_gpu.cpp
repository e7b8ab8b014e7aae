#include "kernels/simt/on_sim/sim_gpu.h"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/cpu/map_transform.h"

namespace convscope {
namespace {

constexpr int unwritten = 0xff;  // memory that nobody wrote reads as NaN

class SimBatchedGemm final : public BatchedGemm {
public:
    SimBatchedGemm(SimGpu& gpu, const GemmShape& shape, std::vector<const float*> a, std::vector<const float*> b,
                   std::vector<float*> c)
        : gpu_(gpu), shape_(shape), a_(std::move(a)), b_(std::move(b)), c_(std::move(c)) {}

    void run() override {
        for (std::size_t i = 0; i < a_.size(); ++i) gpu_.gemm(shape_, a_[i], b_[i], c_[i]);
    }

private:
    SimGpu& gpu_;
    const GemmShape shape_;
    const std::vector<const float*> a_, b_;
    const std::vector<float*> c_;
};

class SimSparseProduct final : public SparseProduct {
public:
    SimSparseProduct(SimGpu& gpu, const SparseProductShape& shape, const CsrArrays& s, const float* d, float* c)
        : gpu_(gpu), shape_(shape), s_(s), d_(d), c_(c) {}

    void run() override { gpu_.sparse_product(shape_, s_, d_, c_); }

private:
    SimGpu& gpu_;
    const SparseProductShape shape_;
    const CsrArrays s_;
    const float* d_;
    float* c_;
};

class SimFft final : public BatchedFft {
public:
    SimFft(SimGpu& gpu, const FftShape& shape, FftDirection direction)
        : gpu_(gpu), shape_(shape), direction_(direction), transform_(shape, direction, FftEffort::estimate) {}

    void run(float* maps) override { gpu_.transform(transform_, shape_, direction_, maps); }

private:
    SimGpu& gpu_;
    const FftShape shape_;
    const FftDirection direction_;
    const MapTransform transform_;
};

}  // namespace

void* SimGpu::allocate(std::size_t bytes) {
    constexpr std::size_t alignment = 256;  // as cudaMalloc
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory) throw OutOfMemory(fmt::format("the simulated GPU cannot allocate {} bytes", bytes));
    std::memset(memory, unwritten, bytes);
    return memory;
}

void SimGpu::release(void* memory) noexcept {
    std::free(memory);
}

void SimGpu::upload(void* device, const void* host, std::size_t bytes) {
    std::memcpy(device, host, bytes);
}

void SimGpu::download(void* host, const void* device, std::size_t bytes) {
    std::memcpy(host, device, bytes);
}

void SimGpu::fill_bytes(void* device, int byte, std::size_t bytes) {
    std::memset(device, byte, bytes);
}

void SimGpu::gemm(const GemmShape& shape, const float* a, const float* b, float* c) {
    const auto size = [](std::int64_t value) { return static_cast<int>(value); };
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size(shape.m), size(shape.n), size(shape.k), 1.0f, a,
                size(shape.lda), b, size(shape.ldb), 0.0f, c, size(shape.ldc));
}

std::unique_ptr<BatchedGemm> SimGpu::make_batched_gemm(const GemmShape& shape, std::vector<const float*> a,
                                                       std::vector<const float*> b, std::vector<float*> c) {
    return std::make_unique<SimBatchedGemm>(*this, shape, std::move(a), std::move(b), std::move(c));
}

void SimGpu::sparse_product(const SparseProductShape& shape, const CsrArrays& s, const float* d, float* c) {
    for (std::int64_t row = 0; row < shape.rows; ++row, c += shape.columns) {
        std::fill_n(c, shape.columns, 0.0f);
        for (std::int32_t i = s.row_offsets[row]; i < s.row_offsets[row + 1]; ++i) {
            const float* from = d + s.columns[i] * shape.ldd;
            for (std::int64_t column = 0; column < shape.columns; ++column) c[column] += s.values[i] * from[column];
        }
    }
}

std::unique_ptr<SparseProduct> SimGpu::make_sparse_product(const SparseProductShape& shape, const CsrArrays& s,
                                                           const float* d, float* c) {
    return std::make_unique<SimSparseProduct>(*this, shape, s, d, c);
}

void SimGpu::transform(const MapTransform& transform, const FftShape&, FftDirection, float* maps) {
    transform.run(maps);
}

std::unique_ptr<BatchedFft> SimGpu::make_fft(const FftShape& shape, FftDirection direction) {
    return std::make_unique<SimFft>(*this, shape, direction);
}

}  // namespace convscope
