// Compiled in the checked dialect.
#include <memory>

#include "kernels/simt/on_checked/checked_device.h"
#include "tests/benchmarks/simt_speed.h"
#include "tests/benchmarks/simt_speed_kernel.h"

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

}  // namespace convscope::bench
