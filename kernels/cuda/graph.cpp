#include "kernels/cuda/graph.h"
#include "kernels/core/error.h"

namespace convscope {
namespace {

/// Ends a capture whatever happened to it, so that the stream can be used again.
cudaGraph_t end_capture(cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess) cudaGetLastError();
    return graph;
}

cudaGraph_t capture(cudaStream_t stream, const std::function<void()>& enqueue) {
    CONVSCOPE_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    try {
        enqueue();
    } catch (...) {
        if (cudaGraph_t torn = end_capture(stream)) cudaGraphDestroy(torn);
        throw;
    }
    cudaGraph_t graph = end_capture(stream);
    if (!graph) throw Error(ErrorKind::failed, "the work cannot be captured into a CUDA graph");
    return graph;
}

}  // namespace

Graph::Graph(cudaStream_t stream, const std::function<void()>& enqueue) : stream_(stream) {
    cudaGraph_t graph = capture(stream, enqueue);
    try {
        CONVSCOPE_CUDA(cudaGraphGetNodes(graph, nullptr, &nodes_));
        CONVSCOPE_CUDA(cudaGraphInstantiate(&executable_, graph, 0));
    } catch (...) {
        cudaGraphDestroy(graph);
        throw;
    }
    cudaGraphDestroy(graph);
}

Graph::~Graph() {
    if (executable_) cudaGraphExecDestroy(executable_);
}

}  // namespace convscope
