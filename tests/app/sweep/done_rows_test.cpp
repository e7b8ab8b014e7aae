#include "app/sweep/done_rows.h"

#include <gtest/gtest.h>

#include "kernels/measure/sample_counts.h"
#include "kernels/records/csv_file.h"
#include "kernels/records/record_csv.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/records/full_record.h"

namespace convscope {
namespace {

TEST(DoneRows, are_none_where_there_is_no_file_or_an_empty_one) {
    const TempFolder folder;
    for (const std::string& path :
         {(folder / "missing.csv").string(), folder.write("empty.csv", "").string(), (folder / ".").string()})
        EXPECT_TRUE(DoneRows(path).empty()) << path;
}

TEST(DoneRows, are_the_latest_of_each_measurement_but_for_cancelled_and_too_busy_ones) {
    const TempFolder folder;
    Record first = testing::full_record(), later = first, cancelled = first;
    later.time_median_us = 5;
    cancelled.status = Status::cancelled;
    cancelled.seed += 1;
    Record busy = first;
    set_too_busy(busy, {0, 5});
    busy.seed += 2;
    const std::string text = csv_header() + "\r\n" + csv_row(first) + "\r\n" + csv_row(later) + "\r\n" +
                             csv_row(cancelled) + "\r\n" + csv_row(busy) + "\r\nno row\r\n";
    const DoneRows done(folder.write("rows.csv", text).string());
    ASSERT_TRUE(done.has(first));
    EXPECT_EQ(done.find(first)->time_median_us, 5);
    EXPECT_FALSE(done.has(busy)) << "a quieter moment may have a time";
    EXPECT_FALSE(done.has(cancelled));
    ASSERT_EQ(done.errors().size(), 1U);
    expect_contains(done.errors()[0], "rows.csv:");
}

TEST(DoneRows, forget_what_a_method_measured_before_a_moment) {
    std::vector<Record> records(4, testing::full_record());
    for (std::size_t i = 0; i < records.size(); ++i) records[i].seed = i;
    records[0].method = records[1].method = records[2].method = "own/conv";
    records[0].run_id = "20261120T235959Z-9f86d081";
    records[1].run_id = "20261121T000000Z-9f86d081";
    records[2].run_id = "20261122T000000Z-9f86d081";
    records[3].run_id = "20261101T000000Z-9f86d081";
    DoneRows done(records);
    done.forget("own/conv", "20261121T000000Z");
    EXPECT_FALSE(done.has(records[0]));
    for (std::size_t i = 1; i < records.size(); ++i) EXPECT_TRUE(done.has(records[i])) << i;
}

}  // namespace
}  // namespace convscope
