#include "kernels/simt/on_sim/sim_device.h"

#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/simt/gpu_registration.h"
#include "kernels/simt/on_sim/sim_gpu.h"

namespace convscope {
namespace {

[[noreturn]] void reject_to_time() {
    throw Error(ErrorKind::usage, "the simulated GPU has no clock: it checks results, it does not measure time");
}

class SimDevice final : public Device {
public:
    SimDevice(std::unique_ptr<Gpu> gpu, std::string id, DeviceKind kind) : gpu_(std::move(gpu)) {
        info_.id = std::move(id);
        info_.kind = kind;
        info_.name = "simulated GPU";
        info_.model = default_device_model();
        info_.model.name = info_.name;
        info_.model.memory_bytes = free_memory_bytes();
        info_.compute_capability = std::to_string(info_.model.cc_major) + "." + std::to_string(info_.model.cc_minor);
        info_.available = true;
    }

    const DeviceInfo& info() const override { return info_; }
    std::int64_t free_memory_bytes() const override { return available_host_memory_bytes(); }
    std::unique_ptr<Sampler> make_sampler(Execution&, TimingScope, CacheMode) override { reject_to_time(); }
    std::unique_ptr<StageTimer> make_stage_timer() override { reject_to_time(); }
    Gpu* gpu() override { return gpu_.get(); }
    std::unique_ptr<LayoutBuilder> make_layout_builder() override {
        return on_sim::make_gpu_layout_builder(*gpu_, info_);
    }

private:
    DeviceInfo info_;
    std::unique_ptr<Gpu> gpu_;
};

}  // namespace

std::unique_ptr<Device> make_sim_device(std::unique_ptr<Gpu> gpu, std::string id, DeviceKind kind) {
    return std::make_unique<SimDevice>(std::move(gpu), std::move(id), kind);
}

void register_simulated_gpu(Registry& registry) {
    registry.add(make_sim_device(std::make_unique<SimGpu>()));
    on_sim::register_gpu_methods(registry);
}

}  // namespace convscope
