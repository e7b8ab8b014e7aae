#include "kernels/records/merge.h"

#include <gtest/gtest.h>

#include "kernels/records/read_records.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

Record measured(const std::string& method, const std::string& finished = "2026-11-20T22:16:34Z") {
    Record r;
    r.run_id = "20261120T221634Z-9f86d081";
    r.device = "cuda:0";
    r.device_name = "NVIDIA H100";
    r.method = method;
    r.timing_scope = "kernel";
    r.cache_mode = "hot";
    r.timestamp_utc = finished;
    r.time_median_us = 4;
    return r;
}

RecordFile file(const std::string& path, std::vector<Record> records) {
    return {path, std::move(records), {}, {}};
}

std::vector<std::string> methods(const Merged& merged) {
    std::vector<std::string> names;
    for (const Record& r : merged.records) names.push_back(r.method);
    return names;
}

TEST(Merge, keeps_the_row_that_was_finished_later) {
    const auto later = "2026-11-20T23:00:00Z";
    for (const bool later_first : {true, false}) {
        Record old = measured("a"), fresh = measured("a", later);
        fresh.time_median_us = 5;
        const auto merged = later_first ? merge_records({file("1", {fresh}), file("2", {old})}, {})
                                        : merge_records({file("1", {old}), file("2", {fresh})}, {});
        ASSERT_EQ(merged.records.size(), 1U);
        EXPECT_EQ(merged.records[0].time_median_us, 5);
        ASSERT_EQ(merged.replaced.size(), 1U);
        expect_contains(merged.replaced[0], later_first ? "one of 2026-11-20T23:00:00Z (passed) in '1' stays"
                                                        : "one of 2026-11-20T23:00:00Z (passed) in '2' stays");
    }
}

TEST(Merge, a_cancelled_row_was_not_finished) {
    Record cancelled = measured("a", "2026-11-20T23:00:00Z");
    cancelled.status = Status::cancelled;
    const Merged merged = merge_records({file("1", {measured("a")}), file("2", {cancelled})}, {});
    ASSERT_EQ(merged.records.size(), 1U);
    EXPECT_EQ(merged.records[0].status, Status::passed);
}

TEST(Merge, the_same_point_on_another_gpu_of_the_same_name_is_the_same_point) {
    Record second = measured("a");
    second.device = "cuda:1";
    EXPECT_EQ(merge_records({file("1", {measured("a")}), file("2", {second})}, {}).records.size(), 1U);
    second.device = "cpu";
    EXPECT_EQ(merge_records({file("1", {measured("a")}), file("2", {second})}, {}).records.size(), 2U);
}

TEST(Merge, rows_that_are_alike_are_counted_and_not_told) {
    const Merged merged = merge_records({file("1", {measured("a"), measured("b")}), file("2", {measured("b")})}, {});
    EXPECT_EQ(methods(merged), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(merged.repeated, 1U);
    EXPECT_TRUE(merged.replaced.empty());
}

TEST(Merge, rejects_what_does_not_belong_together) {
    const auto rejection = [](const auto& change, const Mix& mix = {}) -> std::string {
        Record other = measured("b");
        change(other);
        try {
            merge_records({file("one.csv", {measured("a")}), file("two.csv", {other})}, mix);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(rejection([](Record& r) { r.device_name = "NVIDIA H200"; }),
              "'one.csv' and 'two.csv' do not belong together: device_name is 'NVIDIA H100' in the first and 'NVIDIA "
              "H200' in the second; --mix device joins them all the same");
    expect_contains(rejection([](Record& r) { r.driver_version = "580"; }), "driver_version is nothing in the first");
    expect_contains(rejection([](Record& r) { r.cuda_version = "13"; }), "--mix versions");
    expect_contains(rejection([](Record& r) { r.vendor_version = "x"; }), "vendor_version");
    const std::string two = rejection([](Record& r) { r.cuda_version = r.app_version = "x"; });
    expect_contains(two, "cuda_version is nothing in the first and 'x' in the second, app_version is");
    expect_contains(two, "; --mix versions joins them");
    expect_contains(rejection([](Record& r) { r.app_version = "x"; }), "app_version");
    expect_contains(rejection([](Record& r) { r.timing_scope = "setup"; }), "--mix scope");
    expect_contains(rejection([](Record& r) { r.cache_mode = "cold"; }), "--mix cache");
    EXPECT_EQ(rejection([](Record& r) { r.cache_mode = "cold"; }, {.cache = true}), "");
    EXPECT_EQ(rejection([](Record& r) { r.device = "cuda:1"; }), "") << "another GPU of the same name";
}

// The shards of a sweep over two scopes need not both have both.
TEST(Merge, takes_what_a_file_mixes_already) {
    Record other = measured("b");
    other.timing_scope = "setup";
    EXPECT_EQ(merge_records({file("1", {measured("a"), other}), file("2", {other})}, {}).records.size(), 2U);
    EXPECT_EQ(merge_records({file("1", {measured("a")}), file("2", {})}, {}).records.size(), 1U) << "nor any rows";
}

TEST(Merge, knows_which_shards_are_not_there) {
    const auto shard = [](const std::string& method, const std::string& mark) {
        Record r = measured(method);
        r.run_id += "-" + mark;
        return r;
    };
    const auto missing = [](std::vector<Record> rows) { return merge_records({file("1", rows)}, {}).shards; };
    EXPECT_EQ(missing({measured("a")}), "");
    EXPECT_EQ(missing({shard("a", "1of2"), shard("b", "2of2")}), "");
    EXPECT_EQ(missing({shard("a", "2of4"), shard("b", "4of4")}), "no rows of shard 1, 3 of 4");
    EXPECT_EQ(missing({shard("a", "1of2"), shard("b", "3of3")}), "no rows of shard 2 of 2; no rows of shard 1, 2 of 3");
    for (const char* mark : {"2of4x", "0of4", "5of4", "1of99999999999"})
        EXPECT_EQ(missing({shard("a", mark)}), "") << "somebody else's mark: " << mark;
}

TEST(Merge, joins_the_shards_of_a_sweep_over_scopes_caches_and_devices) {
    Record one = measured("a"), two = measured("a");
    one.run_id += "-1of2";
    two.run_id += "-2of2";
    const auto rows = [&] { return merge_records({file("1", {one}), file("2", {two})}, {}).records.size(); };
    two.timing_scope = "copies";
    EXPECT_EQ(rows(), 2U);
    two.cache_mode = "cold";
    EXPECT_EQ(rows(), 2U);
    two.device = two.device_name = "cpu";
    two.vendor_version = "oneDNN";
    EXPECT_EQ(rows(), 2U);
    two.device = one.device;
    EXPECT_THROW(rows(), Error) << "one device that is two";
    two = one;
    two.run_id = measured("a").run_id + "-2of3";
    two.timing_scope = "copies";
    EXPECT_THROW(rows(), Error) << "of another sweep";
}

}  // namespace
}  // namespace convscope
