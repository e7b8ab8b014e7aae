// Kernel Tuner's cache (schema 1.1.0) and T4 (schema 1.0.0): what they must have, and that they read back.
#include "kernels/records/tuner_files.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/records/json.h"
#include "kernels/records/read_records.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/records/full_record.h"

namespace convscope {
namespace {

using nlohmann::json;

Record at(const Dim3& block, int unroll) {
    Record r = testing::full_record();
    r.block = block;
    r.tunables = "tile=32;unroll=" + std::to_string(unroll);
    r.time_median_us = static_cast<double>(block.x) / 10 + unroll;
    return r;
}

Record rejected() {
    Record r = at({2000, 1, 1}, 4);
    r.status = Status::invalid_config;
    r.status_reason = "2000 threads are more than 1024";
    r.time_median_us = r.time_mean_us = r.time_min_us = r.time_q1_us = r.time_q3_us = r.noise_pct = std::nullopt;
    r.samples_us.clear();
    r.samples = 0;
    r.throttled.reset();
    return r;
}

const std::vector<Record>& rows() {
    static const std::vector<Record> list{at({32, 4, 1}, 1), at({64, 4, 1}, 1), at({64, 4, 1}, 2), rejected()};
    return list;
}

TuningSpace space() {
    TuningSpaces found = tuning_spaces(rows());
    EXPECT_EQ(found.spaces.size(), 1U);
    EXPECT_EQ(found.left_out, 0U);
    return found.spaces.at(0);
}

TEST(TuningSpace, is_spanned_by_tunables_and_block) {
    EXPECT_EQ(space().parameters,
              (std::vector<std::string>{"block_size_x", "block_size_y", "block_size_z", "tile", "unroll"}));
    EXPECT_EQ(space().points.at(2).values, (std::vector<std::int64_t>{64, 4, 1, 32, 2}));
}

TEST(TuningSpace, one_for_each_method_and_workload) {
    std::vector<Record> many{rows()[0], rows()[1], rows()[2], rows()[3]};
    many[1].method = "pecr1";
    many[2].sparsity_target = 0.5;
    many[3].status = Status::cancelled;
    const TuningSpaces found = tuning_spaces(many);
    EXPECT_EQ(found.spaces.size(), 3U);
    EXPECT_EQ(found.left_out, 1U);
}

TEST(TuningSpace, takes_the_grid_where_nothing_else_tells_rows_apart) {
    Record a = at({32, 1, 1}, 1), b = a;
    EXPECT_EQ(tuning_spaces({a}).spaces[0].parameters.size(), 5U);
    b.grid = Dim3{7, 1, 1};
    EXPECT_EQ(tuning_spaces({a, b}).spaces[0].points.size(), 2U);
    EXPECT_EQ(tuning_spaces({a, b}).spaces[0].parameters.size(), 8U);
    b = a;
    b.timestamp_utc = "2026-11-21T00:00:00Z";
    ASSERT_EQ(tuning_spaces({b, a}).spaces[0].points.size(), 1U);
    EXPECT_EQ(tuning_spaces({b, a}).spaces[0].points[0].record.timestamp_utc, b.timestamp_utc) << "the later one";
    a.tunables = "k=3";
    EXPECT_EQ(tuning_spaces({a}).spaces[0].parameters.back(), "tunable_k") << "k is a column";
}

TEST(TuningSpace, has_a_place_for_rows_alone_that_have_every_parameter) {
    Record a = at({32, 1, 1}, 1), b = a, c = a;
    b.grid = Dim3{7, 1, 1};
    c.grid.reset();
    c.tunables = "tile=32;unroll=3";
    const TuningSpaces mixed = tuning_spaces({a, b, c});
    EXPECT_EQ(mixed.spaces.at(0).points.size(), 2U);
    EXPECT_EQ(mixed.left_out, 1U) << "the grid tells the others apart";
    a.tunables = "tile=1";
    b.tunables = "unroll=1";
    const TuningSpaces none = tuning_spaces({a, b});
    EXPECT_TRUE(none.spaces.empty());
    EXPECT_EQ(none.left_out, 2U);
}

TEST(KernelTuner, has_what_its_schema_asks_for) {
    const json cache = json::parse(to_kernel_tuner(space()));
    EXPECT_EQ(cache["schema_version"], "1.1.0");
    for (const char* key : {"device_name", "kernel_name", "problem_size", "objective"})
        EXPECT_TRUE(cache[key].is_string()) << key;
    EXPECT_EQ(cache["kernel_name"], "pecr2");
    ASSERT_EQ(cache["tune_params_keys"].size(), 5U);
    EXPECT_EQ(cache["tune_params"]["block_size_x"], (std::vector<int>{32, 64, 2000}));
    ASSERT_EQ(cache["cache"].size(), 4U);
    for (const auto& [key, entry] : cache["cache"].items()) {
        for (const char* time :
             {"compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"})
            EXPECT_TRUE(entry[time].is_number()) << key;
        EXPECT_TRUE(entry["timestamp"].is_string());
        for (const json& name : cache["tune_params_keys"]) EXPECT_TRUE(entry[std::string(name)].is_number());
    }
    const json& good = cache["cache"].at("64,4,1,32,2");
    EXPECT_DOUBLE_EQ(good["time"], 8.4 / 1000);
    EXPECT_DOUBLE_EQ(good["times"][2], 4.215 / 1000);
    EXPECT_EQ(good["GFLOP/s"], 1234.5);
    EXPECT_EQ(cache["cache"].at("2000,1,1,32,4")["time"], "InvalidConfig");
    EXPECT_EQ(cache["cache"].at("2000,1,1,32,4")["status_reason"], "2000 threads are more than 1024");
}

TEST(T4, has_what_its_schema_asks_for) {
    const json t4 = json::parse(to_t4(space()));
    EXPECT_EQ(t4["schema_version"], "1.0.0");
    EXPECT_TRUE(t4["metadata"]["hardware"]["hardware_description"].is_array());
    EXPECT_EQ(t4["metadata"]["environment"]["requirements"][0], "convscope 0.1.0");
    ASSERT_EQ(t4["results"].size(), 4U);
    for (const json& result : t4["results"]) {
        EXPECT_TRUE(result["configuration"].is_object() && result["objectives"].is_array());
        EXPECT_TRUE(result["times"]["runtimes"].is_array() && result["times"]["compilation_time"].is_number());
        EXPECT_TRUE(result["correctness"].is_number());
        for (const json& entry : result["measurements"]) {
            EXPECT_TRUE(entry["name"].is_string() && entry["unit"].is_string());
            EXPECT_TRUE(entry["value"].is_number() || entry["value"].is_string() || entry["value"].is_array()) << entry;
        }
    }
    EXPECT_EQ(t4["results"][0]["invalidity"], "correct");
    EXPECT_EQ(t4["results"][0]["measurements"][0]["name"], "time");
    EXPECT_EQ(t4["results"][3]["invalidity"], "constraints");
}

TEST(T4, a_suspicious_point_is_not_correct_and_has_no_time) {
    TuningSpace suspicious = space();
    suspicious.points[0].record.status = Status::suspicious;
    const json t4 = json::parse(to_t4(suspicious));
    const json& result = t4["results"][0];
    EXPECT_EQ(result["invalidity"], "correctness");
    EXPECT_EQ(result["correctness"], 0);
    for (const json& entry : result["measurements"]) EXPECT_NE(entry["name"], "time");
}

/// To the last bit but for the samples, which were milliseconds in between.
void expect_read_back(Record back, Record record) {
    ASSERT_EQ(back.samples_us.size(), record.samples_us.size());
    for (std::size_t i = 0; i < back.samples_us.size(); ++i) EXPECT_DOUBLE_EQ(back.samples_us[i], record.samples_us[i]);
    back.samples_us.clear();
    record.samples_us.clear();
    EXPECT_EQ(to_json({back}), to_json({record}));
}

TEST(TunerFiles, read_back_as_the_rows_that_they_were_made_of) {
    const TempFolder folder;
    for (const auto& text : {to_kernel_tuner(space()), to_t4(space())}) {
        const RecordFile file = read_records(folder.write("a.json", text));
        EXPECT_TRUE(file.errors.empty()) << file.errors[0];
        ASSERT_EQ(file.records.size(), rows().size());
        for (std::size_t i = 0; i < rows().size(); ++i) expect_read_back(file.records[i], rows()[i]);
    }
    Record sided = rows()[0];  // padding that differs by side
    sided.shape.pad_extra_h = 1;
    for (const Record& row : {rows()[0], sided}) {
        const TuningSpace one = tuning_spaces({row}).spaces[0];
        for (const auto& text : {to_kernel_tuner(one), to_t4(one)})
            expect_read_back(read_records(folder.write("a.json", text)).records.at(0), row);
    }
}

TEST(TunerFiles, of_other_programs_are_rejected) {
    const TempFolder folder;
    const auto rejection = [&](json whole, const char* part, const char* key) {
        (*part ? whole[part] : whole).erase(key);
        return error_of(ErrorKind::file, [&] { read_records(folder.write("a.json", whole.dump())); });
    };
    const json cache = json::parse(to_kernel_tuner(space())), t4 = json::parse(to_t4(space()));
    expect_contains(rejection(cache, "", "convscope"), "is a Kernel Tuner cache that convscope did not write");
    expect_contains(rejection(t4, "metadata", "convscope"), "is a T4 file that convscope did not write");
    json changed = cache;
    changed["cache"]["64,4,1,32,2"].erase("times");
    expect_contains(rejection(changed, "", "none"), "another program has changed");
}

TEST(TuningSpace, keeps_the_later_of_two_measurements_whichever_comes_first) {
    Record early = at({32, 1, 1}, 1), late = early;
    late.timestamp_utc = "2027-01-01T00:00:00Z";
    for (const auto& rows : {std::vector{early, late}, std::vector{late, early}})
        EXPECT_EQ(tuning_spaces(rows).spaces.at(0).points.at(0).record.timestamp_utc, late.timestamp_utc);
}

TEST(TuningSpace, a_point_without_a_block_or_a_time_has_a_place) {
    Record bare = at({32, 1, 1}, 1);
    bare.block.reset();
    bare.time_median_us.reset();
    bare.grid.reset();
    const TuningSpaces found = tuning_spaces({bare});
    EXPECT_EQ(found.spaces.at(0).parameters, (std::vector<std::string>{"tile", "unroll"}));
    const json cache = json::parse(to_kernel_tuner(found.spaces[0]));
    EXPECT_EQ(cache["cache"]["32,1"]["time"], "RuntimeFailedConfig");
    const TuningSpaces mixed = tuning_spaces({bare, at({32, 1, 1}, 2), at({64, 1, 1}, 2)});
    EXPECT_EQ(mixed.left_out, 1U) << "where the others have a block";
}

TEST(T4, has_the_unit_of_what_has_one_and_none_of_the_rest) {
    TuningSpace two = space();
    two.points[0].record.gb_per_s = 7;
    two.points[1].record.gb_per_s = 8;  // alike, it would stand next to the results
    const json t4 = json::parse(to_t4(two));
    std::map<std::string, std::string> units;
    for (const json& entry : t4["results"][0]["measurements"])
        units[entry["name"].get<std::string>()] = entry["unit"].get<std::string>();
    EXPECT_EQ(units.at("time"), "ms");
    EXPECT_EQ(units.at("gb_per_s"), "GB/s");
    EXPECT_EQ(units.at("status_reason"), "");
}

TEST(T4, requires_what_is_known_to_have_been_there) {
    TuningSpace one = space();
    for (TuningPoint& point : one.points) point.record.driver_version = point.record.cuda_version = "";
    const json t4 = json::parse(to_t4(one));
    const Record& first = one.points[0].record;
    EXPECT_EQ(t4["metadata"]["environment"]["requirements"],
              (std::vector<std::string>{"convscope 0.1.0", first.vendor_version}));
}

TEST(KernelTuner, has_a_word_for_a_point_without_a_time) {
    for (const auto& [status, word] : {std::pair{Status::not_supported, "InvalidConfig"},
                                       {Status::invalid_config, "InvalidConfig"},
                                       {Status::timeout, "RuntimeFailedConfig"},
                                       {Status::incorrect, "RuntimeFailedConfig"}}) {
        TuningSpace one = space();
        one.points[2].record.status = status;
        EXPECT_EQ(json::parse(to_kernel_tuner(one))["cache"]["64,4,1,32,2"]["time"], word) << to_string(status);
    }
}

TEST(T4, says_why_a_point_did_not_run) {
    for (const auto& [status, word] : {std::pair{Status::timeout, "timeout"},
                                       {Status::out_of_memory, "runtime"},
                                       {Status::runtime_error, "runtime"},
                                       {Status::not_supported, "constraints"},
                                       {Status::incorrect, "correctness"},
                                       {Status::passed, "correct"}}) {
        TuningSpace one = space();
        one.points[0].record.status = status;
        EXPECT_EQ(json::parse(to_t4(one))["results"][0]["invalidity"], word) << to_string(status);
    }
}

}  // namespace
}  // namespace convscope
