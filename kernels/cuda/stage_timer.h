// Times the stages of one run by events in the stream.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/core/device.h"
#include "kernels/cuda/cuda_gpu.h"
#include "kernels/cuda/graph.h"
#include "kernels/cuda/hold.h"

namespace convscope {

/// The stream is held from the first mark until stop(), so that the stages follow each other without waiting for
/// the host. Can be used again after times_us().
class CudaStageTimer final : public Device::StageTimer {
public:
    explicit CudaStageTimer(CudaGpu& gpu) : gpu_(gpu) {}
    void mark(const char* stage) override;
    void stop() override;
    std::vector<std::pair<std::string, double>> times_us() override;

private:
    cudaStream_t stream() { return static_cast<cudaStream_t>(gpu_.stream()); }

    CudaGpu& gpu_;
    StreamHold hold_;
    std::vector<std::pair<std::string, Event>> marks_;
    Event end_;
    bool stopped_ = false;
};

}  // namespace convscope
