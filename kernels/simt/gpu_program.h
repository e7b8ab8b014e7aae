// The part of a GPU method that does not hold memory: each family writes it in the kernels' dialect, and
// that is compiled once for CUDA and once for the simulated GPU.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/method/gpu.h"
#include "kernels/method/method.h"

namespace convscope {

/// The device memory of one execution. 'conv' is the convolution's output before a separate pooling stage, in the
/// method's layout; it is y itself when no such stage follows.
struct GpuBuffers {
    const float* x = nullptr;
    const float* w = nullptr;           ///< KCRS, as uploaded
    float* prepared_weights = nullptr;  ///< GpuMethod::prepared_weight_bytes(); null where the method uses w itself
    float* y = nullptr;
    float* conv = nullptr;
    std::byte* workspace = nullptr;  ///< GpuMethod::format_bytes() bytes, 256-byte aligned
};

/// Bound to one shape and one resolved launch.
class GpuProgram {
public:
    virtual ~GpuProgram() = default;
    /// Once memory is there: prepares what depends on its addresses. The Gpu and the memory outlive the program's use.
    virtual void bind(Gpu&, const GpuBuffers&) {}
    /// Before the memory goes: drops what bind() made.
    virtual void unbind() {}
    /// Device memory that bind() took, counted in workspace_bytes.
    virtual std::int64_t bound_bytes() const { return 0; }
    /// Device memory that a library took to work in, counted in library_workspace_bytes.
    virtual std::int64_t library_bytes() const { return 0; }
    virtual void prepare_weights(Gpu&, const GpuBuffers&) {}
    /// Enqueues one convolution; y or conv is complete at the end of it. Pooling in a stage of its own is not its task.
    virtual void run(Gpu&, const GpuBuffers&, StageClock*) = 0;
    /// Registers per thread as compiled for the present GPU; 0 where they are not known.
    virtual int registers(const std::string& /*kernel*/) const { return 0; }
};

/// The inputs of a program. 'kernels' are those of GpuMethod::resolve(), found by name.
struct GpuPlan {
    ConvShape shape;
    std::vector<KernelLaunch> kernels;
    LaunchConfig config;
    DeviceModel model;

    const KernelLaunch* find(const char* kernel) const {
        for (const KernelLaunch& candidate : kernels)
            if (candidate.kernel == kernel) return &candidate;
        return nullptr;
    }
    const KernelLaunch& launch(const char* kernel) const {
        if (const KernelLaunch* found = find(kernel)) return *found;
        throw std::logic_error(std::string("no launch was planned for kernel ") + kernel);
    }
};

/// Passed from the dialect's compilation to the methods, which are compiled once.
using MakeGpuProgram = std::unique_ptr<GpuProgram> (*)(const GpuPlan&);

inline void mark(StageClock* stages, const char* stage) {
    if (stages) stages->mark(stage);
}

}  // namespace convscope
