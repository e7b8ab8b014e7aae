// A GPU whose kernels are what nvcc made of ours: the methods of kernels/simt/on_cuda, their launches taken to the
// executor of kernels/ptx, where every access is watched. cuda_runtime.cpp stands in for the CUDA runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/method/registry.h"
#include "kernels/ptx/run/launch.h"
#include "kernels/registry/compiled_methods.h"
#include "kernels/simt/on_sim/sim_gpu.h"

namespace convscope::on_ptx {

/// A launch that has ended.
struct PtxLaunch {
    std::string kernel;  ///< "ecr4", without its template's arguments
    std::string stage;   ///< PtxGpu::stage
    Dim3 grid, block;
    std::uint64_t shared_bytes = 0;  ///< dynamic and static
    ptx::LaunchCounts counts;
    std::vector<std::string> findings;  ///< a line each
    double seconds = 0;
};

/// Host memory, with what has been written to it since it was allocated or poisoned.
class PtxGpu final : public SimGpu {
public:
    void* allocate(std::size_t bytes) override;
    void release(void*) noexcept override;
    void upload(void* device, const void* host, std::size_t bytes) override;
    /// Bytes of 0xff poison: they count as unwritten.
    void fill_bytes(void* device, int byte, std::size_t bytes) override;
    void gemm(const GemmShape&, const float* a, const float* b, float* c) override;
    void sparse_product(const SparseProductShape&, const CsrArrays&, const float* d, float* c) override;
    void transform(const MapTransform&, const FftShape&, FftDirection, float* maps) override;
    /// By which the stand-in finds it: a launch names its stream.
    void* stream() override { return this; }

    /// Runs the kernel of this name in the PTX. 'arguments' point to its parameters' values. Throws Error(failed) where
    /// it does not come to its end.
    void launch(const std::string& symbol, ptx::LaunchRequest, void** arguments);
    std::vector<PtxLaunch> launches;
    std::string stage;  ///< of the method's, in which it launches
    /// Before each launch: everything that it takes to run it once more. Empty: nobody wants to know.
    std::function<void(CompiledLaunch)> before;
    bool lines = false;  ///< ptx::LaunchRequest::lines
    std::stop_token stop;
    double max_seconds = 60;  ///< of a launch
    /// Instructions of this name are left out of the kernels, as their author could have forgotten them.
    std::string forgotten;

private:
    struct Memory {
        std::size_t bytes = 0;
        std::vector<std::uint8_t> written;  ///< of each word a bit for each byte
    };
    struct Place {
        Memory* memory = nullptr;
        std::size_t at = 0;  ///< bytes
    };
    Place find(const void*);
    void note_written(const void*, std::size_t bytes, bool written);
    void note_written_to_the_end(const void*);  ///< by a library, whose arrays are taken as they come
    std::map<const std::byte*, Memory> memory_;
};

/// The CUDA methods, on a device "cuda:0" of compute capability 9.0 whose GPU is 'gpu'.
struct PtxDevice {
    PtxDevice();
    Registry registry;
    PtxGpu* gpu;  ///< of the registry's device
    Device& device() const { return registry.device("cuda:0"); }
};

}  // namespace convscope::on_ptx
