// Convolution + bias + ReLU as one graph of cuDNN's graph API.
//
// cuDNN 9.14 also takes max-pooling into the graph, in TF32 and FP16. The kernels that it then compiles read outside
// their tensors (compute-sanitizer, on an NVIDIA H100; cudnn_generated_convFwd_pointwise_pointwise_resampleFwd_...),
// which costs the process its context; and where they did not, pooling apart was faster. So pooling stays a call of its
// own here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/method.h"
#include "kernels/vendor/cudnn/backend.h"

namespace convscope::cudnn {

/// Device memory of one run, in the graph's layout.
struct FusedBuffers {
    const void* x = nullptr;
    const void* w = nullptr;
    const void* bias = nullptr;  ///< k zeros: our layers have none, but the fused form is made with one
    void* out = nullptr;         ///< the rectified convolution (n, k, p, q)
    void* workspace = nullptr;
};

/// One of cuDNN's engines with its settings, for one graph.
struct Engine {
    Backend config;
    std::int64_t index = 0;  ///< as cuDNN numbers its engines
    bool tensor_cores = false, narrowed = false, winograd = false, fft = false;
    bool fits(DType) const;  ///< FP32 goes through no tensor core and is not rounded on the way
};

class FusedGraph {
public:
    /// The handle outlives *this. Throws Error(failed) where cuDNN has no such graph.
    FusedGraph(cudnnHandle_t, const ConvShape&, DType, Layout);

    /// What cuDNN's heuristics offer in this precision, the best guess first; empty where it offers nothing.
    std::vector<Engine> engines(DType) const;

private:
    Backend graph_;
};

/// A graph made ready to run on one engine.
class FusedPlan {
public:
    /// Throws Error(failed) where the engine rejects after all.
    FusedPlan(cudnnHandle_t, const Engine&);
    std::int64_t workspace_bytes() const { return workspace_bytes_; }
    /// Enqueues on the handle's stream.
    void enqueue(cudnnHandle_t, const FusedBuffers&) const;

private:
    Backend plan_;
    std::int64_t workspace_bytes_ = 0;
};

}  // namespace convscope::cudnn
