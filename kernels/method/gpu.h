// The interface of a GPU, real or simulated, for the launchers of the single-source kernels. These are compiled twice,
// by nvcc against the CUDA runtime and by the host compiler against the executor in kernels/simt/, and share only this.
// Launching itself is a template (kernels/simt/dialect.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/core/launch.h"
#include "kernels/method/batched_fft.h"
#include "kernels/method/sparse_product.h"

namespace convscope {

/// A batch of equal FP32 matrix products C[i] = A[i] * B[i], row-major, A m x k, B k x n, C m x n, with leading
/// dimensions in elements. TF32 and lower precisions are never used.
struct GemmShape {
    std::int64_t m = 0, n = 0, k = 0;
    std::int64_t lda = 0, ldb = 0, ldc = 0;
};

/// A prepared batch: the pointer arrays already live on the device.
class BatchedGemm {
public:
    virtual ~BatchedGemm() = default;
    virtual void run() = 0;  ///< enqueues
    /// Device memory of the pointer arrays, counted in workspace_bytes.
    virtual std::int64_t device_bytes() const { return 0; }
};

struct LoadedLaunch {
    Dim3 grid, block;
    std::optional<Dim3> cluster = {};  ///< blocks; none: as the kernel says
    std::size_t dynamic_shared_bytes = 0;
    bool cooperative = false;  ///< all blocks are there together: grid.sync() waits for them
};

/// A kernel that was compiled to PTX elsewhere, loaded as long as this lives.
class LoadedKernel {
public:
    virtual ~LoadedKernel() = default;
    /// Enqueues. 'arguments' point to the values of the kernel's parameters, in their order. Throws Error(failed), for
    /// a cooperative launch of more blocks than the GPU holds Error(usage).
    virtual void launch(const LoadedLaunch&, const std::vector<void*>& arguments) = 0;
    /// Where a __device__ or __constant__ variable of the kernel's file is, by its name in the PTX. Throws
    /// Error(failed).
    virtual void* variable(const std::string& symbol) = 0;
    virtual int registers() const = 0;                    ///< per thread
    virtual std::size_t static_shared_bytes() const = 0;  ///< per block
    virtual std::size_t local_bytes() const = 0;          ///< per thread: arrays, and registers that were spilled
};

class Gpu {
public:
    virtual ~Gpu() = default;
    virtual void* allocate(std::size_t bytes) = 0;  ///< throws OutOfMemory naming the size; never null
    virtual void release(void*) noexcept = 0;
    virtual void upload(void* device, const void* host, std::size_t bytes) = 0;
    virtual void download(void* host, const void* device, std::size_t bytes) = 0;
    virtual void fill_bytes(void* device, int byte, std::size_t bytes) = 0;  ///< enqueues
    virtual void synchronize() = 0;  ///< throws Error(failed) with the device's message
    virtual void gemm(const GemmShape&, const float* a, const float* b, float* c) = 0;  ///< enqueues
    virtual std::unique_ptr<BatchedGemm> make_batched_gemm(const GemmShape&, std::vector<const float*> a,
                                                           std::vector<const float*> b, std::vector<float*> c) = 0;
    /// Work memory that the GEMM library holds for us, counted in library_workspace_bytes.
    virtual std::int64_t gemm_workspace_bytes() const = 0;
    virtual std::unique_ptr<SparseProduct> make_sparse_product(const SparseProductShape&, const CsrArrays&,
                                                               const float* d, float* c) = 0;
    virtual std::unique_ptr<BatchedFft> make_fft(const FftShape&, FftDirection) = 0;
    /// 'symbol' is the kernel's name in the PTX. Throws Error(usage) with the driver's words where it cannot be
    /// compiled for this GPU.
    virtual std::unique_ptr<LoadedKernel> load_kernel(const std::string& /*ptx*/, const std::string& /*symbol*/) {
        throw Error(ErrorKind::usage, "only a CUDA GPU loads kernels from PTX");
    }
    /// The stream that everything is enqueued on (a cudaStream_t); null on the simulated GPU.
    virtual void* stream() = 0;
};

}  // namespace convscope
