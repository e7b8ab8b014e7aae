// One layer as cuDNN computes it: convolution, then ReLU and max-pooling where the shape has a pooling layer.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "kernels/method/gpu.h"
#include "kernels/method/method.h"
#include "kernels/vendor/cudnn/descriptors.h"

namespace convscope::cudnn {

/// Device memory of one run, in the pipeline's layout and type.
struct Buffers {
    const void* x = nullptr;
    const void* w = nullptr;
    void* y = nullptr;
    void* conv = nullptr;  ///< what lies between the convolution and a pooling of its own; null where nothing does
    void* workspace = nullptr;
};

/// Bound to a shape, a precision and one of cuDNN's ways to compute it.
class Pipeline {
public:
    virtual ~Pipeline() = default;
    virtual Layout layout() const = 0;
    /// Bytes of Buffers::conv.
    virtual std::int64_t conv_bytes() const = 0;
    virtual std::int64_t workspace_bytes() const = 0;
    /// Once the memory is there: enqueues the filling of what stays the same in every run.
    virtual void prepare(Gpu&, const Buffers&) const {}
    /// Enqueues on the handle's stream.
    virtual void enqueue(cudnnHandle_t, const Buffers&, StageClock* stages) const = 0;
    /// Names the choice: "implicit-precomp-gemm, NHWC".
    virtual std::string choice() const = 0;
    virtual Summation summation() const = 0;
};

/// A Method that leaves running to a pipeline.
class PipelineMethod : public Method {
public:
    /// Chooses, where that was not done for this shape on this device, and makes ready. The handle is on the Gpu's
    /// stream, and outlives the pipeline. Throws OutOfMemory, and Error(failed) with cuDNN's reason.
    virtual std::unique_ptr<Pipeline> make_pipeline(Gpu&, cudnnHandle_t, const std::string& device,
                                                    const ConvShape&) const = 0;
    /// Throws Error(usage) when supports() or resolve() says no.
    std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&) const final;
};

/// Asks cuDNN on the first GPU, one question at a time, through a handle that is kept. What 'question' throws is
/// passed on. May be called on any thread.
void ask_cudnn(const std::function<void(cudnnHandle_t)>& question);

}  // namespace convscope::cudnn
