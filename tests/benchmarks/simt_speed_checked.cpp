// Compiled in the checked dialect.
#include <algorithm>
#include <ctime>
#include <memory>
#include <stdexcept>

#include "kernels/core/random.h"
#include "kernels/simt/block_cost.h"
#include "kernels/simt/on_checked/checked_device.h"
#include "kernels/simt/on_checked/trace_block.h"
#include "kernels/simt/replay.h"
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

ReplayTimes replay_ecr1() {
    const auto milliseconds_since = [](std::clock_t begin) {
        return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    const std::clock_t begin = std::clock();
    TraceRequest request;
    request.workload.shape.h = request.workload.shape.w = 14;
    request.workload.shape.r = request.workload.shape.s = 3;
    request.workload.sparsity = 0.7;
    request.method = "ecr1";
    simt::Replay replay(trace_block(request).trace);
    ReplayTimes times{milliseconds_since(begin), 0};
    const Random random(1, Stream::x_values);
    for (std::uint64_t i = 0; i < 10000; ++i) {
        const std::clock_t before = std::clock();
        replay.state(random.at(i) % (replay.size() + 1));
        times.state = std::max(times.state, milliseconds_since(before));
    }
    return times;
}

}  // namespace convscope::bench
