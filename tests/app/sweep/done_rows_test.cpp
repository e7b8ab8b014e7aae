#include "app/sweep/done_rows.h"

#include <gtest/gtest.h>

#include "kernels/records/csv_file.h"
#include "kernels/records/record_csv.h"
#include "tests/kernels/core/temp_folder.h"
#include "tests/kernels/records/full_record.h"

namespace convscope {
namespace {

TEST(DoneRows, are_none_where_there_is_no_file_or_an_empty_one) {
    const TempFolder folder;
    for (const std::string& path :
         {(folder / "missing.csv").string(), folder.write("empty.csv", "").string(), (folder / ".").string()})
        EXPECT_TRUE(DoneRows(path).empty()) << path;
}

TEST(DoneRows, are_the_latest_of_each_measurement_but_for_cancelled_ones) {
    const TempFolder folder;
    Record first = testing::full_record(), later = first, cancelled = first;
    later.time_median_us = 5;
    cancelled.status = Status::cancelled;
    cancelled.seed += 1;
    const std::string text = csv_header() + "\r\n" + csv_row(first) + "\r\n" + csv_row(later) + "\r\n" +
                             csv_row(cancelled) + "\r\nno row\r\n";
    const DoneRows done(folder.write("rows.csv", text).string());
    ASSERT_TRUE(done.has(first));
    EXPECT_EQ(done.find(first)->time_median_us, 5);
    EXPECT_FALSE(done.has(cancelled));
    ASSERT_EQ(done.errors().size(), 1U);
    expect_contains(done.errors()[0], "rows.csv:");
}

}  // namespace
}  // namespace convscope
