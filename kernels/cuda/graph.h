// CUDA events and graphs as values that clean up after themselves.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <utility>

#include "kernels/cuda/check.h"

namespace convscope {

class Event {
public:
    Event() { CONVSCOPE_CUDA(cudaEventCreate(&event_)); }
    ~Event() {
        if (event_) cudaEventDestroy(event_);
    }
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event& operator=(Event&& other) noexcept {
        std::swap(event_, other.event_);
        return *this;
    }

    cudaEvent_t get() const { return event_; }
    void record(cudaStream_t stream) { CONVSCOPE_CUDA(cudaEventRecord(event_, stream)); }
    /// In a stream that is being captured: a node of the graph, which records at every replay.
    void record_node(cudaStream_t stream) {
        CONVSCOPE_CUDA(cudaEventRecordWithFlags(event_, stream, cudaEventRecordExternal));
    }
    /// Both events have been reached.
    double us_since(const Event& earlier) const {
        float milliseconds = 0;
        CONVSCOPE_CUDA(cudaEventElapsedTime(&milliseconds, earlier.event_, event_));
        return 1e3 * static_cast<double>(milliseconds);
    }

private:
    cudaEvent_t event_ = nullptr;
};

/// Work captured once, to be replayed.
class Graph {
public:
    /// Captures what 'enqueue' puts on the stream. Throws what 'enqueue' throws, and Error(failed) when the work
    /// cannot be captured; the stream is usable again in both cases.
    Graph(cudaStream_t stream, const std::function<void()>& enqueue);
    /// Takes a graph that was captured on the stream, and destroys it.
    Graph(cudaStream_t stream, cudaGraph_t captured);
    ~Graph();
    Graph(Graph&& other) noexcept
        : stream_(other.stream_), executable_(std::exchange(other.executable_, nullptr)), nodes_(other.nodes_) {}
    Graph& operator=(Graph&& other) noexcept {
        std::swap(stream_, other.stream_);
        std::swap(executable_, other.executable_);
        std::swap(nodes_, other.nodes_);
        return *this;
    }

    void launch() { CONVSCOPE_CUDA(cudaGraphLaunch(executable_, stream_)); }
    std::size_t nodes() const { return nodes_; }

private:
    cudaStream_t stream_;
    cudaGraphExec_t executable_ = nullptr;
    std::size_t nodes_ = 0;
};

/// A capture under way: from here on the calling thread's work on the stream is collected, not run.
class Capture {
public:
    explicit Capture(cudaStream_t stream);
    ~Capture();  ///< gives up what was not finished; the stream can be used again
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    /// Ends the capture. Throws Error(failed) when the work cannot be captured.
    Graph finish();

private:
    cudaStream_t stream_;
    bool open_ = true;
};

}  // namespace convscope
