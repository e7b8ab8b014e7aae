// An execution whose run() is whatever a test wants timed.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <utility>

#include "kernels/method/gpu.h"
#include "kernels/method/method.h"

namespace convscope::testing {

class TimedWork : public Execution {
public:
    TimedWork(Gpu& gpu, std::function<void(cudaStream_t)> work) : gpu_(gpu), work_(std::move(work)) {}
    void allocate() override {}
    void stage_inputs(const Workload&) override {}
    void upload() override {}
    void poison_output() override {}
    void run(StageClock*) override { work_(stream()); }
    void synchronize() override { gpu_.synchronize(); }
    void download() override {}
    Tensor output() const override { return {}; }
    void release() override {}
    std::int64_t workspace_bytes() const override { return 0; }
    cudaStream_t stream() const { return static_cast<cudaStream_t>(gpu_.stream()); }

private:
    Gpu& gpu_;
    std::function<void(cudaStream_t)> work_;
};

}  // namespace convscope::testing
