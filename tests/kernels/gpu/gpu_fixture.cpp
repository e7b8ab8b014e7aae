#include "tests/kernels/gpu/gpu_fixture.h"

namespace convscope::testing {

Registry& gpu_registry() {
    static const std::unique_ptr<Registry> all = make_registry();
    return *all;
}

std::string no_gpu_reason() {
    for (const DeviceInfo* info : gpu_registry().devices())
        if (info->id == "cuda:0") return info->available ? "" : info->reason;
    return "the registry has no cuda:0";
}

bool GpuTest::hopper() {
    const DeviceModel model = device().info().model;
    return model.cc_major == 9 && model.cc_minor == 0;
}

}  // namespace convscope::testing
