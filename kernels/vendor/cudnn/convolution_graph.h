// A convolution as a graph of cuDNN's graph API, alone or with bias and ReLU. Unlike its older calls, a graph takes
// padding that differs by side.
//
// cuDNN 9.14 also takes max-pooling into the graph, in TF32 and FP16. The kernels that it then compiles read outside
// their tensors (compute-sanitizer, on an NVIDIA H100; cudnn_generated_convFwd_pointwise_pointwise_resampleFwd_...),
// which costs the process its context; and where they did not, pooling apart was faster. So pooling stays a call of its
// own here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/method/method.h"
#include "kernels/vendor/cudnn/backend.h"

namespace convscope::cudnn {

enum class GraphForm {
    convolution,  ///< alone
    fused,        ///< with bias and ReLU
};

/// Device memory of one run, in the graph's layout.
struct GraphBuffers {
    const void* x = nullptr;
    const void* w = nullptr;
    /// k zeros, in the fused form. Our layers have no bias, but the form is made with one.
    const void* bias = nullptr;
    void* out = nullptr;  ///< the convolution (n, k, p, q), rectified in the fused form
    void* workspace = nullptr;
};

/// One of cuDNN's engines with its settings, for one graph.
struct Engine {
    Backend config;
    std::int64_t index = 0;  ///< as cuDNN numbers its engines
    bool tensor_cores = false, narrowed = false, winograd = false, fft = false;
};

class ConvolutionGraph {
public:
    /// The handle outlives *this. Throws Error(failed) where cuDNN has no such graph.
    ConvolutionGraph(cudnnHandle_t, const ConvShape&, DType, Layout, GraphForm);

    /// The engines that these heuristics of cuDNN offer in the graph's precision, the best guess first; possibly none.
    /// Any of them may still reject when its plan is made.
    std::vector<Engine> engines(cudnnBackendHeurMode_t) const;

private:
    bool takes(const Engine&) const;

    ConvShape shape_;
    DType dtype_;
    Backend graph_;
};

/// A graph made ready to run on one engine.
class GraphPlan {
public:
    /// Throws Error(failed) where the engine rejects after all.
    GraphPlan(cudnnHandle_t, const Engine&);
    std::int64_t workspace_bytes() const { return workspace_bytes_; }
    /// Enqueues on the handle's stream.
    void enqueue(cudnnHandle_t, const GraphBuffers&) const;

private:
    Backend plan_;
    std::int64_t workspace_bytes_ = 0;
};

}  // namespace convscope::cudnn
