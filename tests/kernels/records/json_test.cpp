#include "kernels/records/json.h"
#include "kernels/records/record_csv.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace convscope {
namespace {

TEST(Json, has_every_column_of_the_csv) {
    const auto array = nlohmann::json::parse(to_json({Record{}}));
    ASSERT_EQ(array.size(), 1U);
    for (const std::string& column : csv_columns()) EXPECT_TRUE(array[0].contains(column)) << column;
}

TEST(Json, carries_what_fits_no_cell) {
    Record record;
    record.samples_us = {1.5, 2.5};
    record.stages_us = {{"convert", 1}, {"multiply", 2}};
    record.speedup_interval = {1.5, 2};
    record.quantities = {{"N_FMA", 66048, "FMA", "hides the latency"}};
    record.max_rel_err = std::numeric_limits<double>::infinity();
    record.device_name = "bad \xff text";
    const auto json = nlohmann::json::parse(to_json({record}))[0];
    EXPECT_EQ(json["samples_us"], (std::vector<double>{1.5, 2.5}));
    EXPECT_EQ(json["stages_us"][1]["stage"], "multiply");
    EXPECT_EQ(json["speedup_interval"][1], 2);
    EXPECT_EQ(json["quantities"][0]["symbol"], "N_FMA");
    EXPECT_EQ(json["quantities"][0]["value"], 66048);
    EXPECT_TRUE(json["max_rel_err"].is_null());
    EXPECT_TRUE(json["time_median_us"].is_null());
}

TEST(Stages, of_three_columns_hold_those_of_every_method) {
    Record record;
    record.pool_us = 7;  // of an earlier round
    set_stages(record, {{"extend", 1}, {"compress", 2.5}, {"multiply", 4}, {"invert", 8}});
    EXPECT_EQ(record.convert_us, 3.5);
    EXPECT_EQ(record.multiply_us, 12);
    EXPECT_FALSE(record.pool_us);
    ASSERT_EQ(record.stages_us.size(), 4U);
    EXPECT_EQ(record.stages_us[1], (std::pair<std::string, double>("compress", 2.5)));
    set_stages(record, {{"multiply", 4}, {"pool", 1}});
    EXPECT_FALSE(record.convert_us);
    EXPECT_EQ(record.multiply_us, 4);
    EXPECT_EQ(record.pool_us, 1);
    set_stages(record, {{"convert", 3}});
    EXPECT_EQ(record.convert_us, 3);
}

TEST(Tunables, are_the_whole_numbers_among_a_rows_settings) {
    Record record;
    record.tunables = "tile=32;auto;order=nhwc;unroll=-1;";
    EXPECT_EQ(tunables_of(record), (std::map<std::string, std::int64_t>{{"tile", 32}, {"unroll", -1}}));
    record.tunables.clear();
    EXPECT_TRUE(tunables_of(record).empty());
}

TEST(Json, no_rows_are_an_empty_array) {
    EXPECT_EQ(to_json({}), "[]\n");
}

}  // namespace
}  // namespace convscope
