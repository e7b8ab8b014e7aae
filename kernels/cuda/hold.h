// Holds a stream while work is enqueued behind it.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/check.h"
#include "kernels/cuda/timing_kernels.h"

namespace convscope {

class StreamHold {
public:
    StreamHold() {
        void* memory = nullptr;
        CONVSCOPE_CUDA(cudaHostAlloc(&memory, sizeof(Hold), cudaHostAllocMapped));
        shared_ = static_cast<Hold*>(memory);
    }
    ~StreamHold() {
        release();
        cudaFreeHost(const_cast<Hold*>(shared_));
    }
    StreamHold(const StreamHold&) = delete;
    StreamHold& operator=(const StreamHold&) = delete;

    /// The hold before is over: the stream has been waited for.
    void enqueue(cudaStream_t stream) {
        shared_->release = 0;
        shared_->gave_up = 0;
        enqueue_hold(stream, const_cast<Hold*>(shared_));
    }
    void release() { shared_->release = 1; }
    /// True when the stream moved on before release(), because something made the host wait for it.
    bool gave_up() const { return shared_->gave_up != 0; }

private:
    volatile Hold* shared_ = nullptr;
};

}  // namespace convscope
