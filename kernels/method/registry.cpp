#include "kernels/method/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/method/former_names.h"

namespace convscope {

void Registry::add(std::unique_ptr<Method> method) {
    if (find(method->info().id, method->info().device))
        throw std::logic_error("method registered twice: " + method->info().id);
    methods_.push_back(std::move(method));
}

void Registry::put(std::unique_ptr<Method> method) {
    std::erase_if(methods_, [&](const auto& each) {
        return each->info().id == method->info().id && each->info().device == method->info().device;
    });
    methods_.push_back(std::move(method));
}

void Registry::add(std::unique_ptr<Device> device) {
    devices_.push_back(std::move(device));
}

void Registry::add_unavailable(DeviceInfo info) {
    unavailable_.push_back(std::move(info));
}

const Method* Registry::vendor_best(DeviceKind kind) const {
    const auto found = std::ranges::find_if(methods_, [&](const std::unique_ptr<Method>& method) {
        const MethodInfo& info = method->info();
        return info.device == kind && info.vendor_best && info.dtype == DType::f32;
    });
    return found == methods_.end() ? nullptr : found->get();
}

std::vector<const Method*> Registry::methods(DeviceKind kind) const {
    std::vector<const Method*> found;
    for (const auto& method : methods_)
        if (method->info().device == kind) found.push_back(method.get());
    return found;
}

const Method* Registry::find(std::string_view id, DeviceKind kind) const {
    const std::string_view current = current_method_id(id);
    for (const auto& method : methods_)
        if (method->info().id == current && method->info().device == kind) return method.get();
    return nullptr;
}

const Method* Registry::newest(std::string_view family, DeviceKind kind) const {
    const Method* newest = nullptr;
    std::pair<bool, int> highest{false, -1};
    for (const Method* method : methods(kind)) {
        const std::string& id = method->info().id;
        if (method->info().family != family || !id.starts_with(family)) continue;
        // A letter after the number marks a part of the method (mec2a), not a newer one.
        int number = 0;
        const auto [end, error] = std::from_chars(id.data() + family.size(), id.data() + id.size(), number);
        // A method that every build can run goes before one that only nvcc compiles.
        const std::pair rank{!method->info().as_compiled, number};
        if (error != std::errc() || end != id.data() + id.size() || rank <= highest) continue;
        newest = method;
        highest = rank;
    }
    return newest;
}

const Method& Registry::get(std::string_view id, DeviceKind kind) const {
    if (const Method* method = find(id, kind)) return *method;
    std::string ids;
    for (const Method* method : methods(kind)) ids += (ids.empty() ? "" : ", ") + method->info().id;
    throw Error(ErrorKind::not_found, fmt::format("no method '{}' on {}; there are {}", id, to_string(kind), ids));
}

std::vector<const DeviceInfo*> Registry::devices() const {
    std::vector<const DeviceInfo*> infos;
    for (const auto& device : devices_) infos.push_back(&device->info());
    for (const DeviceInfo& info : unavailable_) infos.push_back(&info);
    return infos;
}

const DeviceInfo* Registry::device_info(std::string_view id) const {
    for (const DeviceInfo* info : devices())
        if (info->id == id) return info;
    return nullptr;
}

const DeviceInfo* Registry::usable_device(DeviceKind kind) const {
    for (const auto& device : devices_)
        if (device->info().kind == kind && device->info().available) return &device->info();
    return nullptr;
}

Device& Registry::device(std::string_view id) const {
    for (const auto& device : devices_)
        if (device->info().id == id) return *device;
    for (const DeviceInfo& info : unavailable_)
        if (info.id == id)
            throw Error(ErrorKind::not_found, fmt::format("device '{}' cannot be used: {}", id, info.reason));
    std::string ids;
    for (const auto& device : devices_) ids += (ids.empty() ? "" : ", ") + device->info().id;
    throw Error(ErrorKind::not_found, fmt::format("no device '{}'; there are {}", id, ids));
}

}  // namespace convscope
