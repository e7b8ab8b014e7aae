#include <memory>

#include "kernels/simt/on_sim/sim_gpu.h"
#include "tests/benchmarks/simt_speed.h"
#include "tests/benchmarks/simt_speed_kernel.h"

namespace convscope::bench {

Run unchecked() {
    auto gpu = std::make_shared<SimGpu>();
    auto* in = static_cast<float*>(gpu->allocate(on_sim::speed_bytes));
    auto* out = static_cast<float*>(gpu->allocate(on_sim::speed_blocks * on_sim::speed_bytes));
    gpu->fill_bytes(in, 0, on_sim::speed_bytes);
    return [=] {
        on_sim::launch(*gpu, on_sim::scale_and_add, on_sim::speed_launch(), in, out);
        return on_sim::speed_accesses;
    };
}

}  // namespace convscope::bench
