// The Execution of every one of our GPU methods, on a real or a simulated GPU.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/layers/resident_maps.h"
#include "kernels/simt/gpu_method.h"

namespace convscope {

/// Device memory that frees itself.
class GpuMemory {
public:
    GpuMemory() = default;
    /// Throws OutOfMemory. Zero bytes allocate nothing.
    GpuMemory(Gpu& gpu, std::int64_t bytes);
    GpuMemory(GpuMemory&&) noexcept;
    GpuMemory& operator=(GpuMemory&&) noexcept;
    ~GpuMemory();
    void* get() const { return memory_; }
    float* floats() const { return static_cast<float*>(memory_); }
    std::size_t bytes() const { return bytes_; }

private:
    Gpu* gpu_ = nullptr;
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

class GpuExecution final : public Execution, public ResidentMaps {
public:
    /// 'pool' is the separate pooling stage, null when none follows. The method and the Gpu outlive *this.
    GpuExecution(const GpuMethod&, const GpuPlan&, Gpu&, std::unique_ptr<GpuProgram> program,
                 std::unique_ptr<GpuProgram> pool);
    ~GpuExecution() override;

    void allocate() override;
    void stage_inputs(const Workload&) override;
    void upload() override;
    void prepare_weights() override;
    void poison_output() override;
    void run(StageClock* stages) override;
    void synchronize() override;
    void download() override;
    Tensor output() const override;
    void release() override;
    std::int64_t workspace_bytes() const override;
    std::int64_t library_workspace_bytes() const override;
    std::vector<KernelLaunch> launches() const override;
    std::string choice() const override { return method_.choice(plan_.shape, plan_.config); }
    Layout map_layout() const override { return method_.info().layout; }
    float* device_x() override { return x_.floats(); }
    float* device_y() override { return y_.floats(); }

private:
    const GpuMethod& method_;
    const GpuPlan plan_;
    Gpu& gpu_;
    std::unique_ptr<GpuProgram> program_, pool_;
    GpuMemory x_, w_, prepared_weights_, y_, conv_, workspace_;
    GpuBuffers buffers_;
    Tensor staged_x_, staged_w_, staged_y_;
};

}  // namespace convscope
