#include "kernels/measure/ceilings.h"

#include <map>
#include <mutex>

#include "kernels/measure/roofline.h"
#include "kernels/measure/run_stamp.h"

namespace convscope {

std::optional<Ceilings> measured_ceilings(Device& device) {
    static std::mutex mutex;
    static std::map<std::string, Ceilings> measured;  // by id and name: tests make more than one registry
    auto* meter = dynamic_cast<CeilingMeter*>(&device);
    if (!meter) return std::nullopt;
    const std::scoped_lock lock(mutex);
    const std::string key = device.info().id + " " + device.info().name;
    auto found = measured.find(key);
    if (found == measured.end()) found = measured.emplace(key, meter->measure_ceilings()).first;
    return found->second;
}

CeilingRow ceiling_row(const DeviceInfo& info, const Ceilings& measured) {
    CeilingRow row{info.id, info.name, utc_now(), measured, std::nullopt};
    Record named;
    named.device_name = info.name;
    if (const DeviceModel* model = model_of(named)) row.datasheet = {model->memory_gb_per_s, model->fp32_tflops};
    return row;
}

}  // namespace convscope
