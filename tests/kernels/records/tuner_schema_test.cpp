// Exported tuning spaces against what the formats' published schemas ask for (KernelTuner/kernel_tuner,
// kernel_tuner/schema: cache 1.1.0, T4 1.0.0), said here in our own words and somewhat more strictly.
#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/records/read_records.h"
#include "kernels/records/tuner_files.h"
#include "tests/kernels/records/full_record.h"
#include "tests/kernels/records/json_schema.h"

namespace convscope {
namespace {

using nlohmann::json;
using testing::schema_errors;

json numbers(std::initializer_list<const char*> names) {
    json properties = json::object();
    for (const char* name : names) properties[name] = {{"type", "number"}};
    return properties;
}

json cache_schema() {
    json entry{{"type", "object"}};
    entry["properties"] =
        numbers({"compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time", "GFLOP/s"});
    const json failures{{"enum", {"InvalidConfig", "CompilationFailedConfig", "RuntimeFailedConfig"}}};
    entry["properties"]["time"] = {{"anyOf", {failures, {{"type", "number"}}}}};
    entry["properties"]["times"] = {{"type", "array"}, {"items", {{"type", "number"}}}};
    entry["properties"]["timestamp"] = {{"type", "string"}, {"format", "date-time"}};
    entry["required"] = {"time",          "compile_time",   "verification_time", "benchmark_time",
                         "strategy_time", "framework_time", "timestamp"};
    json schema{{"type", "object"}};
    schema["required"] = {"schema_version",   "device_name", "kernel_name", "problem_size",
                          "tune_params_keys", "tune_params", "objective",   "cache"};
    for (const char* text : {"device_name", "kernel_name", "objective"})
        schema["properties"][text] = {{"type", "string"}, {"pattern", "."}};
    schema["properties"]["schema_version"] = {{"const", "1.1.0"}};
    schema["properties"]["problem_size"] = {{"type", {"string", "integer", "array"}}};
    schema["properties"]["tune_params_keys"] = {{"type", "array"}, {"items", {{"type", "string"}}}};
    schema["properties"]["tune_params"] = {{"type", "object"}, {"additionalProperties", {{"type", "array"}}}};
    schema["properties"]["cache"] = {{"type", "object"}, {"additionalProperties", entry}};
    return schema;
}

json t4_schema() {
    json result{{"type", "object"}};
    result["required"] = {"configuration", "times", "invalidity", "correctness"};
    json times{{"type", "object"}};
    times["properties"] = numbers({"compilation_time", "framework", "search_algorithm", "validation"});
    times["properties"]["runtimes"] = {{"type", "array"}, {"items", {{"type", "number"}}}};
    json value{{"type", "object"}, {"required", {"name", "value", "unit"}}};
    value["properties"] = {{"name", {{"type", "string"}}},
                           {"value", {{"type", {"number", "string", "array"}}}},
                           {"unit", {{"type", "string"}}}};
    result["properties"] = {{"timestamp", {{"type", "string"}, {"format", "date-time"}}},
                            {"configuration", {{"type", "object"}}},
                            {"objectives", {{"type", "array"}}},
                            {"times", times},
                            {"correctness", {{"type", "number"}}},
                            {"measurements", {{"type", "array"}, {"items", value}}}};
    result["properties"]["invalidity"]["enum"] = {"timeout",     "compile",     "runtime",
                                                  "correctness", "constraints", "correct"};
    json metadata{{"type", "object"}};
    metadata["properties"]["hardware"] = {{"type", "object"},
                                          {"properties", {{"hardware_description", {{"type", "array"}}}}}};
    metadata["properties"]["environment"] = {{"type", "object"},
                                             {"properties", {{"requirements", {{"type", "array"}}}}}};
    json schema{{"type", "object"}, {"required", {"schema_version", "metadata", "results"}}};
    schema["properties"]["schema_version"] = {{"type", "string"}, {"pattern", "^[0-9]+[.][0-9]+[.][0-9]+$"}};
    schema["properties"]["metadata"] = metadata;
    schema["properties"]["results"] = {{"type", "array"}, {"items", result}};
    return schema;
}

const std::vector<std::string> nothing;

void expect_valid(const TuningSpace& space) {
    const json cache = json::parse(to_kernel_tuner(space));
    EXPECT_EQ(schema_errors(cache_schema(), cache), nothing);
    EXPECT_EQ(schema_errors(t4_schema(), json::parse(to_t4(space))), nothing);
    // A schema cannot say this: a simulation looks an entry up by its parameters' values.
    for (const auto& [key, entry] : cache["cache"].items()) {
        std::string values;
        for (const json& name : cache["tune_params_keys"]) {
            const json& value = entry.at(name.get<std::string>());
            if (!values.empty()) values += ',';
            values += value.dump();
            const json& allowed = cache["tune_params"].at(name.get<std::string>());
            EXPECT_NE(std::find(allowed.begin(), allowed.end(), value), allowed.end());
        }
        EXPECT_EQ(values, key);
    }
}

TEST(TunerSchema, holds_for_a_record_in_which_everything_is_there) {
    Record failed = testing::full_record();
    failed.block = Dim3{64, 4, 1};
    failed.status = Status::timeout;
    failed.time_median_us.reset();
    expect_valid(tuning_spaces({testing::full_record(), failed}).spaces.at(0));
}

TEST(TunerSchema, holds_for_every_recorded_launch_space) {
    std::size_t spaces = 0;
    for (const auto& file : std::filesystem::directory_iterator(RECORDED_SESSIONS)) {
        const std::string name = file.path().filename().string();
        if (!name.starts_with("blocks-") && !name.starts_with("tunables-")) continue;
        for (const TuningSpace& space : tuning_spaces(read_records(file.path()).records).spaces) {
            ++spaces;
            expect_valid(space);
        }
    }
    EXPECT_GT(spaces, 5U);
}

TEST(TunerSchema, finds_what_is_wrong) {
    const json good = json::parse(to_kernel_tuner(tuning_spaces({testing::full_record()}).spaces.at(0)));
    json bad = good;
    bad["schema_version"] = "1.0.0";
    bad.erase("objective");
    json& entry = *bad["cache"].begin();
    entry["time"] = "Slow";
    entry["times"][0] = "1";
    entry["timestamp"] = "yesterday";
    entry.erase("compile_time");
    EXPECT_EQ(schema_errors(cache_schema(), bad).size(), 6U);
}

}  // namespace
}  // namespace convscope
