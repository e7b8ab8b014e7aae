// Every method and device of this run of the program. The UI, the command line, the tests and docs/methods.md are all
// made from it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/method/device.h"
#include "kernels/method/method.h"

namespace convscope {

class Registry {
public:
    /// Rejects (std::logic_error) a second method of the same id on the same kind of device.
    void add(std::unique_ptr<Method>);
    /// Replaces the method of the same id on the same kind of device, if there is one.
    void put(std::unique_ptr<Method>);
    void add(std::unique_ptr<Device>);
    /// Adds a device that is known but cannot be used; info.reason says why.
    void add_unavailable(DeviceInfo);

    const std::vector<std::unique_ptr<Method>>& methods() const { return methods_; }
    std::vector<const Method*> methods(DeviceKind) const;
    /// Null when there is none; former ids are found as well (former_names.h).
    const Method* find(std::string_view id, DeviceKind) const;
    /// The method of a family with the highest number, "ecr3" of ecr; null when the family has no numbered method here.
    const Method* newest(std::string_view family, DeviceKind) const;
    /// The vendor baseline of our methods: its library's best in FP32. Null where there is none.
    const Method* vendor_best(DeviceKind) const;
    /// Throws Error(not_found) naming what was requested and the ids that exist on that device.
    const Method& get(std::string_view id, DeviceKind) const;

    std::vector<const DeviceInfo*> devices() const;
    /// Null when there is no device of that name.
    const DeviceInfo* device_info(std::string_view id) const;
    /// The first device of a kind that can be used; null when there is none.
    const DeviceInfo* usable_device(DeviceKind) const;
    /// Throws Error(not_found): no such device, or its reason when it is not available.
    Device& device(std::string_view id) const;

private:
    std::vector<std::unique_ptr<Method>> methods_;
    std::vector<std::unique_ptr<Device>> devices_;
    std::vector<DeviceInfo> unavailable_;
};

/// The export of a run-time module (the CUDA and cuDNN ones), extern "C" convscope_register: adds its methods and
/// devices. Returns null, or a sentence (static storage) that says why it cannot be used.
using RegisterModule = const char* (*)(Registry&);

/// Everything this machine offers: the CPU, the simulated GPU, and the GPUs when the modules load.
/// Modules are looked for next to the executable, then in ../lib/convscope, then in $CONVSCOPE_MODULES.
std::unique_ptr<Registry> make_registry();

}  // namespace convscope
