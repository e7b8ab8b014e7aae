#include "kernels/measure/ceilings.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "kernels/measure/roofline.h"
#include "kernels/measure/run_stamp.h"
#include "kernels/records/csv_text.h"

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

std::string ceilings_csv(const std::vector<CeilingRow>& rows) {
    std::string text =
        "device,device_name,timestamp_utc,copy_gb_per_s,fp32_tflops,datasheet_gb_per_s,datasheet_fp32_tflops\r\n";
    for (const CeilingRow& row : rows) {
        const std::string datasheet =
            row.datasheet ? fmt::format("{},{}", row.datasheet->copy_gb_per_s, row.datasheet->fp32_tflops) : ",";
        text += fmt::format("{},{},{},{},{},{}\r\n", csv_quote(row.device), csv_quote(row.device_name),
                            row.timestamp_utc, row.measured.copy_gb_per_s, row.measured.fp32_tflops, datasheet);
    }
    return text;
}

std::string ceilings_json(const std::vector<CeilingRow>& rows) {
    using Json = nlohmann::ordered_json;
    Json array = Json::array();
    for (const CeilingRow& row : rows) {
        const auto sheet = [&](double Ceilings::*value) {
            return row.datasheet ? Json((*row.datasheet).*value) : Json(nullptr);
        };
        array.push_back({{"device", row.device},
                         {"device_name", row.device_name},
                         {"timestamp_utc", row.timestamp_utc},
                         {"copy_gb_per_s", row.measured.copy_gb_per_s},
                         {"fp32_tflops", row.measured.fp32_tflops},
                         {"datasheet_gb_per_s", sheet(&Ceilings::copy_gb_per_s)},
                         {"datasheet_fp32_tflops", sheet(&Ceilings::fp32_tflops)}});
    }
    return array.dump(2) + "\n";
}

}  // namespace convscope
