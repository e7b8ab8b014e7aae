#include "kernels/records/json.h"

#include "kernels/records/json_record.h"

namespace convscope {

Json json_of(const Record& record) {
    Json json = json_of_cells(record);
    json["workload"] = record.workload;
    json["choice"] = record.choice;
    json["quantities"] = Json::array();
    for (const Quantity& quantity : record.quantities)
        json["quantities"].push_back({{"symbol", quantity.symbol},
                                      {"value", quantity.value},
                                      {"unit", quantity.unit},
                                      {"meaning", quantity.meaning}});
    json["weights_us"] = record.weights_us ? Json(*record.weights_us) : Json();
    json["stages_us"] = Json::array();
    for (const auto& [stage, time_us] : record.stages_us)
        json["stages_us"].push_back({{"stage", stage}, {"median_us", time_us}});
    json["samples_us"] = record.samples_us;
    json["tolerance"] = record.tolerance ? Json(*record.tolerance) : Json();
    json["speedup_interval"] = nullptr;
    if (record.speedup_interval)
        json["speedup_interval"] = {record.speedup_interval->first, record.speedup_interval->second};
    return json;
}

std::string to_json(const std::vector<Record>& records) {
    Json array = Json::array();
    for (const Record& record : records) array.push_back(json_of(record));
    // Text from drivers and files is replaced where it is not UTF-8 rather than rejected.
    return array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace convscope
