// The GPU's own report of its clock, through NVIDIA's management library where the machine has it.
#pragma once

#include <string>

#include "kernels/method/device.h"

namespace convscope {

class Nvml {
public:
    /// 'pci_bus_id' as cudaDeviceGetPCIBusId writes it. Where the library or the GPU is missing, clock() is empty.
    explicit Nvml(const std::string& pci_bus_id);
    ClockState clock() const;

private:
    void* library_ = nullptr;
    void* device_ = nullptr;
};

}  // namespace convscope
