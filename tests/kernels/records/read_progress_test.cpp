#include "kernels/records/read_progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/records/csv_file.h"
#include "kernels/records/read_records.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/records/many_records.h"

namespace convscope {
namespace {

TEST(ReadProgress, is_a_share_and_what_is_left) {
    EXPECT_EQ(describe_progress(0, 0), "0 %");
    EXPECT_EQ(describe_progress(0.5, 0.1), "50 %") << "too early for a guess";
    EXPECT_EQ(describe_progress(0.25, 8), "25 %, about 24 s left");
}

TEST(ReadProgress, is_announced_once_where_it_takes_long) {
    ReadingTime time("'a.csv'");
    EXPECT_EQ(time.announcement(0, 1), "");
    EXPECT_EQ(time.announcement(0.01, 0.2), "") << "too early for a guess";
    EXPECT_FALSE(time.announced());
    EXPECT_EQ(time.announcement(0.02, 0.5), "reading 'a.csv' takes about 25 s");
    EXPECT_TRUE(time.announced());
    EXPECT_EQ(time.announcement(0.04, 1), "");
    EXPECT_EQ(ReadingTime("'b.csv'").announcement(0.9, 2), "") << "it is as good as done";
}

TEST(ReadProgress, of_a_file_comes_step_by_step) {
    const TempFolder folder;
    write_csv(folder / "a.csv", testing::many_records(12'000));
    std::vector<double> shares;
    const RecordFile file = read_records(folder / "a.csv", [&](double share) { shares.push_back(share); });
    EXPECT_EQ(file.records.size(), 12'000U);
    EXPECT_GT(shares.size(), 2U);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_EQ(shares.front(), 0) << "from here on the time is taken";
    EXPECT_LE(shares.back(), 1);
}

}  // namespace
}  // namespace convscope
