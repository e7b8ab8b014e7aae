// Times the stages of one run by events in a CUDA graph.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda/gpu_clock.h"
#include "kernels/cuda/graph.h"
#include "kernels/method/device.h"

namespace convscope {

/// From the first mark until stop() the run is captured; stop() launches it. The stages then follow each other as in
/// a sample of the kernel scope, and their times add up to one. Can be used again after times_us().
class CudaStageTimer final : public Device::StageTimer {
public:
    /// 'clock' outlives *this.
    explicit CudaStageTimer(GpuClock& clock) : clock_(clock), boundary_us_(clock.boundary_us()) {}
    void mark(const char* stage) override;
    void stop() override;
    std::vector<std::pair<std::string, double>> times_us() override;

private:
    GpuClock& clock_;
    double boundary_us_;
    std::vector<std::pair<std::string, Event>> marks_;
    Event end_;
    std::optional<Capture> capture_;
    std::optional<Graph> graph_;
};

}  // namespace convscope
