#include "kernels/records/tuner_files.h"

#include <fmt/format.h>

#include <numeric>
#include <set>

#include "kernels/records/json_record.h"

namespace convscope {
namespace {

constexpr double us_per_ms = 1000;

/// Whether the formats have a place of their own for it.
bool has_a_place(const TuningSpace& space, const std::string& key) {
    return key == "samples_us" || key == "timestamp_utc" ||
           std::find(space.parameters.begin(), space.parameters.end(), key) != space.parameters.end();
}

/// Rows as objects without what is null or has a place, split into what all have alike and each row's rest.
struct Shared {
    Json common = Json::object();
    std::vector<Json> rest;
};

Shared share(const TuningSpace& space) {
    Shared shared;
    for (const TuningPoint& point : space.points) {
        Json& row = shared.rest.emplace_back(Json::object());
        const Json all = json_of(point.record);
        for (const auto& [key, value] : all.items())
            if (!value.is_null() && !has_a_place(space, key)) row[key] = value;
    }
    const Json first = shared.rest.front();
    for (const auto& [key, value] : first.items()) {
        const auto alike = [&, &key = key, &value = value](const Json& row) {
            return row.contains(key) && row[key] == value;
        };
        if (!std::all_of(shared.rest.begin(), shared.rest.end(), alike)) continue;
        shared.common[key] = value;
        for (Json& row : shared.rest) row.erase(key);
    }
    return shared;
}

Json times_ms(const Record& record) {
    Json times = Json::array();
    for (const double time_us : record.samples_us) times.push_back(time_us / us_per_ms);
    return times;
}

double measuring_ms(const Record& record) {
    const auto& samples = record.samples_us;
    if (!samples.empty()) return std::accumulate(samples.begin(), samples.end(), 0.0) / us_per_ms;
    return record.time_mean_us.value_or(0) * static_cast<double>(record.samples) / us_per_ms;
}

Json time_or_error(const Record& record) {
    switch (record.status) {
        case Status::passed:
            if (record.time_median_us) return *record.time_median_us / us_per_ms;
            return "RuntimeFailedConfig";
        case Status::not_supported:
        case Status::invalid_config:
            return "InvalidConfig";
        default:
            return "RuntimeFailedConfig";
    }
}

const char* invalidity(Status status) {
    switch (status) {
        case Status::passed:
            return "correct";
        case Status::incorrect:
        case Status::suspicious:
            return "correctness";
        case Status::not_supported:
        case Status::invalid_config:
            return "constraints";
        case Status::timeout:
        case Status::cancelled:
            return "timeout";
        case Status::out_of_memory:
        case Status::runtime_error:
            return "runtime";
    }
    return "runtime";
}

Json configuration(const TuningSpace& space, const TuningPoint& point) {
    Json json = Json::object();
    for (std::size_t i = 0; i < space.parameters.size(); ++i) json[space.parameters[i]] = point.values[i];
    return json;
}

Json allowed_values(const TuningSpace& space) {
    Json json = Json::object();
    for (std::size_t i = 0; i < space.parameters.size(); ++i) {
        std::set<std::int64_t> values;
        for (const TuningPoint& point : space.points) values.insert(point.values[i]);
        json[space.parameters[i]] = values;
    }
    return json;
}

const char* unit_of(const std::string& key) {
    if (key.ends_with("_us")) return "us";
    if (key.ends_with("_pct")) return "%";
    if (key.ends_with("_bytes")) return "B";
    if (key.ends_with("_mhz")) return "MHz";
    if (key == "gflops") return "GFLOP/s";
    if (key == "gb_per_s") return "GB/s";
    return "";
}

/// T4 has numbers, texts and arrays for values.
Json measurement(const std::string& name, const Json& value, const char* unit) {
    return {{"name", name}, {"value", value.is_boolean() ? Json(value.dump()) : value}, {"unit", unit}};
}

Json metadata(const Record& record, const Json& common) {
    Json requirements = Json::array();
    for (const auto& [name, version] : {std::pair<std::string, std::string>{"convscope", record.app_version},
                                        {"driver", record.driver_version},
                                        {"CUDA", record.cuda_version},
                                        {"", record.vendor_version}})
        if (!version.empty()) requirements.push_back(name.empty() ? version : name + " " + version);
    const Json device{
        {"id", record.device}, {"product", record.device_name}, {"compute_capability", record.compute_capability}};
    return {{"hardware", {{"hardware_description", Json::array({device})}}},
            {"environment", {{"requirements", requirements}}},
            {"convscope", common}};
}

std::string text_of(const Json& json) {
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_kernel_tuner(const TuningSpace& space) {
    const Record& first = space.points.front().record;
    const Shared shared = share(space);
    Json cache = Json::object();
    for (std::size_t i = 0; i < space.points.size(); ++i) {
        const TuningPoint& point = space.points[i];
        Json entry = configuration(space, point);
        entry["time"] = time_or_error(point.record);
        entry["times"] = times_ms(point.record);
        if (point.record.gflops) entry["GFLOP/s"] = *point.record.gflops;
        // Kernels are compiled ahead of time, and nobody waits for a strategy.
        for (const char* none : {"compile_time", "verification_time", "strategy_time", "framework_time"})
            entry[none] = 0;
        entry["benchmark_time"] = measuring_ms(point.record);
        entry["timestamp"] = point.record.timestamp_utc;
        entry.update(shared.rest[i]);
        cache[fmt::format("{}", fmt::join(point.values, ","))] = std::move(entry);
    }
    return text_of({{"schema_version", "1.1.0"},
                    {"device_name", first.device_name},
                    {"kernel_name", first.method},
                    {"problem_size", to_string(first.shape)},
                    {"tune_params_keys", space.parameters},
                    {"tune_params", allowed_values(space)},
                    {"objective", "time"},
                    {"convscope", shared.common},
                    {"cache", cache}});
}

std::string to_t4(const TuningSpace& space) {
    const Shared shared = share(space);
    Json results = Json::array();
    for (std::size_t i = 0; i < space.points.size(); ++i) {
        const Record& record = space.points[i].record;
        Json measurements = Json::array();
        if (is_timed(record)) measurements.push_back(measurement("time", *record.time_median_us / us_per_ms, "ms"));
        for (const auto& [key, value] : shared.rest[i].items())
            measurements.push_back(measurement(key, value, unit_of(key)));
        results.push_back({{"timestamp", record.timestamp_utc},
                           {"configuration", configuration(space, space.points[i])},
                           {"objectives", Json::array({"time"})},
                           {"times",
                            {{"compilation_time", 0},
                             {"runtimes", times_ms(record)},
                             {"framework", 0},
                             {"search_algorithm", 0},
                             {"validation", 0}}},
                           {"invalidity", invalidity(record.status)},
                           {"correctness", is_wrong(record.status) ? 0 : 1},
                           {"measurements", measurements}});
    }
    return text_of({{"schema_version", "1.0.0"},
                    {"metadata", metadata(space.points.front().record, shared.common)},
                    {"results", results}});
}

}  // namespace convscope
