#include "kernels/cuda/blas.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "kernels/core/error.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/scale_factors.h"

namespace convscope {
namespace {

void check_blas(cublasStatus_t status, const char* call, const char* file, int line) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    cudaGetLastError();
    const std::string why = fmt::format("{} ({})", cublasGetStatusString(status), cublasGetStatusName(status));
    if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfMemory(failed_call(call, file, line, why));
    throw Error(ErrorKind::failed, failed_call(call, file, line, why));
}
#define CONVSCOPE_CUBLAS(call) check_blas((call), #call, __FILE__, __LINE__)

int to_int(std::int64_t value) {
    if (value > std::numeric_limits<int>::max())
        throw Error(ErrorKind::usage,
                    fmt::format("a matrix product of dimension {} is too large: cuBLAS takes up to {}", value,
                                std::numeric_limits<int>::max()));
    return static_cast<int>(value);
}

/// The pointers of every product of a batch, on the device.
class CublasBatch final : public BatchedGemm {
public:
    CublasBatch(Gpu& gpu, cublasHandle_t handle, const GemmShape& shape, const std::vector<const float*>& a,
                const std::vector<const float*>& b, const std::vector<float*>& c)
        : gpu_(gpu), handle_(handle), shape_(shape), count_(a.size()) {
        const std::size_t bytes = count_ * sizeof(float*);
        pointers_ = gpu_.allocate(3 * bytes);
        char* device = static_cast<char*>(pointers_);
        gpu_.upload(device, a.data(), bytes);
        gpu_.upload(device + bytes, b.data(), bytes);
        gpu_.upload(device + 2 * bytes, c.data(), bytes);
    }
    ~CublasBatch() override { gpu_.release(pointers_); }
    std::int64_t device_bytes() const override { return static_cast<std::int64_t>(3 * count_ * sizeof(float*)); }
    CublasBatch(const CublasBatch&) = delete;
    CublasBatch& operator=(const CublasBatch&) = delete;

    void run() override {
        auto* a = static_cast<const float**>(pointers_);
        const float** b = a + count_;
        auto** c = const_cast<float**>(b + count_);
        gpu_.stream();  // makes this device the thread's current one
        // cuBLAS is column-major, and the transpose of C = A B is C' = B' A'.
        CONVSCOPE_CUBLAS(cublasSgemmBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, to_int(shape_.n), to_int(shape_.m),
                                            to_int(shape_.k), &one, b, to_int(shape_.ldb), a, to_int(shape_.lda), &zero,
                                            c, to_int(shape_.ldc), to_int(static_cast<std::int64_t>(count_))));
    }

private:
    Gpu& gpu_;
    cublasHandle_t handle_;
    GemmShape shape_;
    std::size_t count_;
    void* pointers_ = nullptr;
};

}  // namespace

Blas::Blas(Gpu& gpu) : gpu_(gpu) {
    auto* stream = static_cast<cudaStream_t>(gpu_.stream());
    int device = 0, cc_major = 0;
    CONVSCOPE_CUDA(cudaGetDevice(&device));
    CONVSCOPE_CUDA(cudaDeviceGetAttribute(&cc_major, cudaDevAttrComputeCapabilityMajor, device));
    const std::int64_t bytes = workspace_bytes(cc_major);
    workspace_ = gpu_.allocate(static_cast<std::size_t>(bytes));
    try {
        CONVSCOPE_CUBLAS(cublasCreate(&handle_));
        CONVSCOPE_CUBLAS(cublasSetStream(handle_, stream));
        // After the stream: setting a stream puts cuBLAS back on work memory of its own.
        CONVSCOPE_CUBLAS(cublasSetWorkspace(handle_, workspace_, static_cast<std::size_t>(bytes)));
        CONVSCOPE_CUBLAS(cublasSetMathMode(handle_, CUBLAS_DEFAULT_MATH));
    } catch (...) {
        if (handle_) cublasDestroy(handle_);
        gpu_.release(workspace_);
        throw;
    }
}

Blas::~Blas() {
    cublasDestroy(handle_);
    gpu_.release(workspace_);
}

void Blas::gemm(const GemmShape& shape, const float* a, const float* b, float* c) {
    gpu_.stream();  // makes this device the thread's current one
    // cuBLAS is column-major, and the transpose of C = A B is C' = B' A'.
    CONVSCOPE_CUBLAS(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, to_int(shape.n), to_int(shape.m), to_int(shape.k),
                                 &one, b, to_int(shape.ldb), a, to_int(shape.lda), &zero, c, to_int(shape.ldc)));
}

void Blas::multiply_rows(const GemmShape& shape, const float* a, const float* b, float* c) {
    gpu_.stream();  // makes this device the thread's current one
    // Column-major, as above: b is there k x n, and C' = B A'.
    if (shape.m == 1)
        CONVSCOPE_CUBLAS(cublasSgemv(handle_, CUBLAS_OP_T, to_int(shape.k), to_int(shape.n), &one, b, to_int(shape.ldb),
                                     a, 1, &zero, c, 1));
    else
        CONVSCOPE_CUBLAS(cublasSgemm(handle_, CUBLAS_OP_T, CUBLAS_OP_N, to_int(shape.n), to_int(shape.m),
                                     to_int(shape.k), &one, b, to_int(shape.ldb), a, to_int(shape.lda), &zero, c,
                                     to_int(shape.ldc)));
}

std::unique_ptr<BatchedGemm> Blas::make_batched(const GemmShape& shape, std::vector<const float*> a,
                                                std::vector<const float*> b, std::vector<float*> c) {
    return std::make_unique<CublasBatch>(gpu_, handle_, shape, a, b, c);
}

}  // namespace convscope
