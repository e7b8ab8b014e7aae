// The simulated GPU whose kernels are watched.
#pragma once

#include <memory>

#include "kernels/method/registry.h"
#include "kernels/simt/checked_gpu.h"
#include "kernels/simt/checker.h"
#include "kernels/simt/on_sim/sim_gpu.h"

namespace convscope {

/// Host memory with bounds and a history; matrix products read and write it as kernels do.
class CheckedGpu final : public SimGpu, public simt::Watched {
public:
    simt::Checker& checker() override { return checker_; }
    /// Products and transforms that a library did: no kernel, so nothing of them is seen.
    std::int64_t library_calls() const { return library_calls_; }

    void* allocate(std::size_t bytes) override;
    void release(void*) noexcept override;
    void upload(void* device, const void* host, std::size_t bytes) override;
    /// Bytes of 0xff poison: they count as unwritten.
    void fill_bytes(void* device, int byte, std::size_t bytes) override;
    /// Throws simt::Finding when an operand holds words that nobody wrote.
    void gemm(const GemmShape&, const float* a, const float* b, float* c) override;
    /// The same for a sparse operand: row offsets, and as many columns and values as they say.
    void sparse_product(const SparseProductShape&, const CsrArrays&, const float* d, float* c) override;
    /// The same for what a transform reads of each row.
    void transform(const MapTransform&, const FftShape&, FftDirection, float* maps) override;

private:
    simt::Checker checker_;
    std::int64_t library_calls_ = 0;
};

/// Every single-source method, its kernels compiled in the checked dialect, on a device "sim" whose Gpu is a
/// CheckedGpu; with them what is there to be caught only (as_printed.h).
class CheckedDevice {
public:
    CheckedDevice();
    const Registry& registry() const { return registry_; }
    Device& device() const { return registry_.device("sim"); }
    simt::Checker& checker() { return gpu_->checker(); }
    const CheckedGpu& gpu() const { return *gpu_; }

private:
    Registry registry_;
    CheckedGpu* gpu_;  ///< of the registry's device
};

}  // namespace convscope
