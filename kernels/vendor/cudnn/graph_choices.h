// Which engines of cuDNN's graph API run a layer, and which of them is the fastest, by trying them.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "kernels/vendor/cudnn/graph_pipeline.h"

namespace convscope::cudnn {

/// Chooses for one precision and form. Answers are kept by shape, and choices by shape and device. Thread-safe.
class GraphChoices {
public:
    GraphChoices(DType dtype, GraphForm form) : dtype_(dtype), form_(form) {}

    /// Whether any engine runs this shape on the first GPU; else cuDNN's reason.
    Support supports(const ConvShape&) const;
    /// With the fastest of the engines that the heuristics put first, in both layouts, pooling included. The handle is
    /// on the Gpu's stream, and outlives the pipeline. Throws OutOfMemory when x, w and y alone do not fit, and
    /// Error(failed) when no engine runs.
    std::unique_ptr<Pipeline> make_pipeline(Gpu&, cudnnHandle_t, const std::string& device, const ConvShape&) const;

private:
    /// One of the engines that these heuristics list for the graph in this layout.
    struct Choice {
        Layout layout = Layout::nchw;
        cudnnBackendHeurMode_t heuristics = CUDNN_HEUR_MODE_A;
        std::size_t engine = 0;
    };
    template <class Try>
    std::string try_engines(cudnnHandle_t, const ConvShape&, const Try&) const;
    Support ask(cudnnHandle_t, const ConvShape&) const;
    Choice fastest(Gpu&, cudnnHandle_t, const ConvShape&) const;
    Choice choose(Gpu&, cudnnHandle_t, const std::string& device, const ConvShape&) const;
    /// "no engine of cuDNN ran 1x3x8x8 * 4x3x2x2, stride 1, pad 0,1,0,1 (why)"
    std::string none(const ConvShape&, const std::string& why) const;

    DType dtype_;
    GraphForm form_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, Support> answers_;
    mutable std::map<std::pair<std::string, std::string>, Choice> chosen_;
};

}  // namespace convscope::cudnn
