// Compiled in the checked dialect.
#include <memory>
#include <stdexcept>

#include "kernels/simt/on_checked/checked_device.h"
#include "kernels/simt/requests.h"
#include "tests/benchmarks/simt_speed.h"
#include "tests/benchmarks/simt_speed_kernel.h"
#include "tests/support/run_method.h"

namespace convscope::bench {

Run checked(bool uninitialised, bool races) {
    auto gpu = std::make_shared<CheckedGpu>();
    gpu->checker().options.uninitialised = uninitialised;
    gpu->checker().options.races = races;
    auto* in = static_cast<float*>(gpu->allocate(on_checked::speed_bytes));
    auto* out = static_cast<float*>(gpu->allocate(on_checked::speed_blocks * on_checked::speed_bytes));
    gpu->fill_bytes(in, 0, on_checked::speed_bytes);
    return [=] {
        on_checked::launch(*gpu, on_checked::scale_and_add, on_checked::speed_launch(), in, out);
        return on_checked::speed_accesses;
    };
}

void trace_ecr1() {
    WorkloadSpec spec;
    spec.shape.h = spec.shape.w = 14;
    spec.shape.r = spec.shape.s = 3;
    spec.sparsity = 0.7;
    CheckedDevice device;
    simt::Recorder recorder("ecr1", {0, 0, 0}, 1'000'000);
    device.checker().recorder = &recorder;
    testing::run_method(device.registry().get("ecr1", DeviceKind::sim), make_workload(spec), device.device());
    if (cost_of(*recorder.trace()).requests.empty()) throw std::logic_error("the trace is empty");
}

}  // namespace convscope::bench
