#include "kernels/records/json.h"

#include "kernels/records/json_record.h"

namespace convscope {
namespace {

template <class T>
Json value(const std::optional<T>& optional) {
    return optional ? Json(*optional) : Json(nullptr);
}

void add_dim(Json& json, const std::string& name, const std::optional<Dim3>& dim) {
    json[name + "_x"] = dim ? Json(dim->x) : Json(nullptr);
    json[name + "_y"] = dim ? Json(dim->y) : Json(nullptr);
    json[name + "_z"] = dim ? Json(dim->z) : Json(nullptr);
}

void add_origin(Json& json, const Record& record) {
    json["schema_version"] = 2;
    json["run_id"] = record.run_id;
    json["timestamp_utc"] = record.timestamp_utc;
    json["app_version"] = record.app_version;
    json["device"] = record.device;
    json["device_name"] = record.device_name;
    json["compute_capability"] = record.compute_capability;
    json["driver_version"] = record.driver_version;
    json["cuda_version"] = record.cuda_version;
    json["vendor_version"] = record.vendor_version;
    json["method"] = record.method;
    json["family"] = record.family;
    json["dtype"] = record.dtype;
    json["layout"] = record.layout;
}

void add_workload(Json& json, const Record& record) {
    const ConvShape& shape = record.shape;
    const std::pair<const char*, std::int64_t> sizes[] = {{"n", shape.n},
                                                          {"c", shape.c},
                                                          {"h", shape.h},
                                                          {"w", shape.w},
                                                          {"k", shape.k},
                                                          {"r", shape.r},
                                                          {"s", shape.s},
                                                          {"p", shape.p()},
                                                          {"q", shape.q()},
                                                          {"pad_h", shape.pad_h},
                                                          {"pad_w", shape.pad_w},
                                                          {"stride_h", shape.stride_h},
                                                          {"stride_w", shape.stride_w},
                                                          {"dilation_h", 1},
                                                          {"dilation_w", 1},
                                                          {"groups", 1}};
    json["workload"] = record.workload;
    for (const auto& [name, size] : sizes) json[name] = size;
    json["pool_h"] = shape.pooled() ? Json(shape.pool_h) : Json(nullptr);
    json["pool_w"] = shape.pooled() ? Json(shape.pool_w) : Json(nullptr);
    json["pool_stride"] = shape.pooled() ? Json(shape.pool_stride) : Json(nullptr);
    json["source"] = record.source;
    json["seed"] = record.seed;
    json["sparsity_target"] = record.sparsity_target;
    json["sparsity_measured"] = record.sparsity_measured;
}

void add_launch(Json& json, const Record& record) {
    add_dim(json, "grid_size", record.grid);
    add_dim(json, "block_size", record.block);
    json["tunables"] = record.tunables;
    json["shared_bytes"] = value(record.shared_bytes);
    json["registers"] = value(record.registers);
    json["occupancy_pct"] = value(record.occupancy_pct);
    json["timing_scope"] = record.timing_scope;
    json["cache_mode"] = record.cache_mode;
    json["choice"] = record.choice;
    json["quantities"] = Json::array();
    for (const Quantity& quantity : record.quantities)
        json["quantities"].push_back({{"symbol", quantity.symbol},
                                      {"value", quantity.value},
                                      {"unit", quantity.unit},
                                      {"meaning", quantity.meaning}});
}

void add_times(Json& json, const Record& record) {
    json["samples"] = record.samples;
    json["time_median_us"] = value(record.time_median_us);
    json["time_mean_us"] = value(record.time_mean_us);
    json["time_min_us"] = value(record.time_min_us);
    json["time_q1_us"] = value(record.time_q1_us);
    json["time_q3_us"] = value(record.time_q3_us);
    json["noise_pct"] = value(record.noise_pct);
    json["convert_us"] = value(record.convert_us);
    json["multiply_us"] = value(record.multiply_us);
    json["pool_us"] = value(record.pool_us);
    json["weights_us"] = value(record.weights_us);
    json["stages_us"] = Json::array();
    for (const auto& [stage, time_us] : record.stages_us)
        json["stages_us"].push_back({{"stage", stage}, {"median_us", time_us}});
    json["samples_us"] = record.samples_us;
    json["workspace_bytes"] = value(record.workspace_bytes);
    json["library_workspace_bytes"] = value(record.library_workspace_bytes);
    json["flops_dense"] = record.flops_dense;
    json["flops_effective"] = value(record.flops_effective);
    json["flops_executed"] = value(record.flops_executed);
    json["arithmetic"] = record.arithmetic;
    json["gflops"] = value(record.gflops);
    json["gb_per_s"] = value(record.gb_per_s);
    json["sm_clock_mhz"] = value(record.sm_clock_mhz);
    json["throttled"] = value(record.throttled);
}

void add_outcome(Json& json, const Record& record) {
    json["status"] = to_string(record.status);
    json["status_reason"] = record.status_reason;
    json["max_rel_err"] = value(record.max_rel_err);
    json["tolerance"] = value(record.tolerance);
    json["verified_against"] = record.verified_against;
    json["speedup_vs_vendor"] = value(record.speedup_vs_vendor);
    json["speedup_interval"] = nullptr;
    if (record.speedup_interval)
        json["speedup_interval"] = {record.speedup_interval->first, record.speedup_interval->second};
    json["vendor_method"] = record.vendor_method;
}

}  // namespace

Json json_of(const Record& record) {
    Json json = Json::object();
    add_origin(json, record);
    add_workload(json, record);
    add_launch(json, record);
    add_times(json, record);
    add_outcome(json, record);
    return json;
}

std::string to_json(const std::vector<Record>& records) {
    Json array = Json::array();
    for (const Record& record : records) array.push_back(json_of(record));
    // Text from drivers and files is replaced where it is not UTF-8 rather than rejected.
    return array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace convscope
