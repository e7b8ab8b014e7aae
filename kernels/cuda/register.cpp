// The entry point of this module, which the program calls when it opens it (kernels/registry/modules.cpp).
#include <string>

#include "kernels/cuda/cublas_method.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/device_info.h"
#include "kernels/method/registry.h"
#include "kernels/simt/gpu_registration.h"

extern "C" const char* convscope_register(convscope::Registry& registry) {
    using namespace convscope;
    static std::string reason;
    reason = cuda_unavailable_reason();
    if (!reason.empty()) return reason.c_str();
    const std::vector<DeviceInfo> infos = cuda_device_infos();
    for (std::size_t i = 0; i < infos.size(); ++i) {
        if (infos[i].available)
            registry.add(std::make_unique<CudaDevice>(static_cast<int>(i), infos[i]));
        else
            registry.add_unavailable(infos[i]);
    }
    on_cuda::register_gpu_methods(registry);
    registry.add(make_cublas());
    return nullptr;
}
