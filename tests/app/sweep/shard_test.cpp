#include "app/sweep/shard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

TEST(Shard, parts_hold_every_point_once_and_are_of_one_length) {
    for (const std::size_t count : {1U, 2U, 3U, 4U, 7U, 64U})
        for (const std::size_t points : {0U, 1U, 5U, 64U, 1000U}) {
            std::size_t total = 0, least = points, most = 0;
            for (std::size_t index = 1; index <= count; ++index) {
                std::size_t size = 0;
                for (std::size_t point = 0; point < points; ++point) size += Shard{index, count}.holds(point) ? 1 : 0;
                total += size;
                least = std::min(least, size);
                most = std::max(most, size);
            }
            EXPECT_EQ(total, points) << count << " parts";
            EXPECT_LE(most - least, 1U) << points << " points in " << count << " parts";
        }
}

// A sweep of two batch sizes inside, cut in two: neither part may be all of the large batches.
TEST(Shard, spreads_the_values_of_an_axis_that_its_count_divides) {
    for (const std::size_t count : {2U, 4U, 8U})
        for (std::size_t index = 1; index <= count; ++index) {
            std::set<std::size_t> values;
            for (std::size_t point = 0; point < 64 * count; ++point)
                if (Shard{index, count}.holds(point)) values.insert(point % count);
            EXPECT_EQ(values.size(), count);
        }
}

TEST(Shard, reads_its_part_strictly) {
    EXPECT_EQ(parse_shard("2/4").mark(), "2of4");
    EXPECT_EQ(parse_shard("1/1").mark(), "");
    for (const char* text : {"", "3", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/2", "1/ 2"}) {
        const std::string said = error_of(ErrorKind::usage, [&] { parse_shard(text); });
        EXPECT_TRUE(said.starts_with("--shard")) << said;
    }
}

}  // namespace
}  // namespace convscope
