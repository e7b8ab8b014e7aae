#include "kernels/cuda/cuda_device.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "kernels/cuda/check.h"
#include "kernels/cuda/cuda_ceilings.h"
#include "kernels/cuda/kernel_sampler.h"
#include "kernels/cuda/stage_timer.h"
#include "kernels/layers/layer_writer.h"
#include "kernels/method/host_sampler.h"
#include "kernels/simt/gpu_registration.h"

namespace convscope {
namespace {

std::string label(const DeviceInfo& info) {
    return fmt::format("{} ({})", info.id, info.name);
}

/// Works on a stream of its own: layouts are drawn on one thread while another measures on the device's stream.
class OwnStreamLayoutBuilder final : public LayoutBuilder {
public:
    OwnStreamLayoutBuilder(int ordinal, const DeviceInfo& info)
        : gpu_(ordinal, info.model.cc_major, label(info)), builder_(on_cuda::make_gpu_layout_builder(gpu_, info)) {}

    bool on_gpu() const override { return builder_->on_gpu(); }
    std::string describe() const override { return builder_->describe(); }
    void build(Format format, const ConvShape& shape, const float* x, const float* w,
               const std::vector<void*>& out) override {
        builder_->build(format, shape, x, w, out);
    }
    std::unique_ptr<LayerWriter> make_layer_writer(const LayerJob& job, const float* w) override {
        return builder_->make_layer_writer(job, w);
    }

private:
    CudaGpu gpu_;
    std::unique_ptr<LayoutBuilder> builder_;
};

}  // namespace

CudaDevice::CudaDevice(int ordinal, DeviceInfo info)
    : ordinal_(ordinal),
      info_(std::move(info)),
      gpu_(ordinal, info_.model.cc_major, label(info_)),
      clock_(gpu_, info_.model.sms, info_.model.l2_bytes) {}

std::unique_ptr<Sampler> CudaDevice::make_sampler(Execution& execution, TimingScope scope, CacheMode cache) {
    if (scope == TimingScope::kernel) return make_kernel_sampler(clock_, execution, cache);
    if (cache == CacheMode::cold) {
        clock_.prepare_flush();
        return make_host_sampler(execution, scope, [this] {
            clock_.enqueue_flush();
            gpu_.synchronize();
        });
    }
    // The wider scopes bring x and w in themselves; a launch finds the cache as a run of its own leaves it.
    if (scope > TimingScope::launch) return make_host_sampler(execution, scope, {});
    return make_host_sampler(execution, scope, [&execution] {
        execution.run();
        execution.synchronize();
    });
}

std::unique_ptr<Device::StageTimer> CudaDevice::make_stage_timer() {
    gpu_.stream();  // this GPU becomes the current one, for the events
    return std::make_unique<CudaStageTimer>(clock_);
}

ClockState CudaDevice::clock() {
    if (!nvml_) {
        std::array<char, 32> bus{};
        CONVSCOPE_CUDA(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), ordinal_));
        nvml_.emplace(bus.data());
    }
    return nvml_->clock();
}

void CudaDevice::wait_until_idle() {
    gpu_.stream();  // this GPU becomes the current one
    CONVSCOPE_CUDA(cudaDeviceSynchronize());
}

Ceilings CudaDevice::measure_ceilings() {
    return measure_cuda_ceilings(gpu_, info_.model);
}

std::unique_ptr<LayoutBuilder> CudaDevice::make_layout_builder() {
    return std::make_unique<OwnStreamLayoutBuilder>(ordinal_, info_);
}

void CudaDevice::set_vendor(const std::string& version, const std::string& reason) {
    info_.vendor_version = version;
    info_.vendor_reason = reason;
}

}  // namespace convscope
