#include "kernels/cuda/graph.h"

#include "kernels/core/error.h"

namespace convscope {
namespace {

/// Ends a capture whatever happened to it, so that the stream can be used again. Null when it failed.
cudaGraph_t end_capture(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess) cudaGetLastError();
    return graph;
}

Graph capture(cudaStream_t stream, const std::function<void()>& enqueue) {
    Capture capture(stream);
    enqueue();
    return capture.finish();
}

}  // namespace

Capture::Capture(cudaStream_t stream) : stream_(stream) {
    CONVSCOPE_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
}

Capture::~Capture() {
    if (!open_) return;
    if (cudaGraph_t torn = end_capture(stream_)) cudaGraphDestroy(torn);
}

Graph Capture::finish() {
    open_ = false;
    cudaGraph_t graph = end_capture(stream_);
    if (!graph) throw Error(ErrorKind::failed, "the work cannot be captured into a CUDA graph");
    return {stream_, graph};
}

Graph::Graph(cudaStream_t stream, const std::function<void()>& enqueue) : Graph(capture(stream, enqueue)) {}

Graph::Graph(cudaStream_t stream, cudaGraph_t captured) : stream_(stream) {
    try {
        CONVSCOPE_CUDA(cudaGraphGetNodes(captured, nullptr, &nodes_));
        CONVSCOPE_CUDA(cudaGraphInstantiate(&executable_, captured, 0));
    } catch (...) {
        cudaGraphDestroy(captured);
        throw;
    }
    cudaGraphDestroy(captured);
}

Graph::~Graph() {
    if (executable_) cudaGraphExecDestroy(executable_);
}

}  // namespace convscope
