#include "kernels/cuda/nvml.h"

#include <dlfcn.h>

namespace convscope {
namespace {

// The few declarations of NVML that are used, per its reference manual: the library is opened at run time, and its
// header is not part of every toolkit.
constexpr int nvml_success = 0;
constexpr int clock_sm = 1;                          // NVML_CLOCK_SM
constexpr unsigned long long sw_power_cap = 0x4;     // nvmlClocksEventReasonSwPowerCap
constexpr unsigned long long hw_slowdown = 0x8;      // nvmlClocksThrottleReasonHwSlowdown
constexpr unsigned long long sw_thermal = 0x20;      // nvmlClocksEventReasonSwThermalSlowdown
constexpr unsigned long long hw_thermal = 0x40;      // nvmlClocksThrottleReasonHwThermalSlowdown
constexpr unsigned long long hw_power_brake = 0x80;  // nvmlClocksThrottleReasonHwPowerBrakeSlowdown
constexpr unsigned long long slowed = sw_power_cap | hw_slowdown | sw_thermal | hw_thermal | hw_power_brake;

template <class Function>
Function find(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

Nvml::Nvml(const std::string& pci_bus_id) {
    // Stays open until the process ends, like the driver that it belongs to.
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library_) return;
    const auto init = find<int (*)()>(library_, "nvmlInit_v2");
    const auto by_bus = find<int (*)(const char*, void**)>(library_, "nvmlDeviceGetHandleByPciBusId_v2");
    if (!init || !by_bus || init() != nvml_success) return;
    if (by_bus(pci_bus_id.c_str(), &device_) != nvml_success) device_ = nullptr;
}

ClockState Nvml::clock() const {
    ClockState state;
    if (!device_) return state;
    const auto clock = find<int (*)(void*, int, unsigned*)>(library_, "nvmlDeviceGetClockInfo");
    const auto reasons =
        find<int (*)(void*, unsigned long long*)>(library_, "nvmlDeviceGetCurrentClocksThrottleReasons");
    unsigned mhz = 0;
    if (clock && clock(device_, clock_sm, &mhz) == nvml_success) state.sm_mhz = mhz;
    unsigned long long mask = 0;
    if (reasons && reasons(device_, &mask) == nvml_success) state.throttled = (mask & slowed) != 0;
    return state;
}

}  // namespace convscope
