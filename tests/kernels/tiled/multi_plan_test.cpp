// The planner of tiled-multi against Chang et al., Section 3.2, worked by hand.
#include "kernels/tiled/multi_plan.h"

#include <gtest/gtest.h>

#include "tests/kernels/tiled/models.h"
#include "tests/support/device_models.h"

namespace convscope {
namespace {

using testing::h100;
using testing::layer;
using testing::model_of;

TEST(MultiPlan, is_what_the_paper_found_best_on_its_gpu) {
    const MultiPlan plan = plan_multi(layer(64, 224, 64, 3), model_of("GTX 1080 Ti"));
    ASSERT_TRUE(plan.support) << plan.support.reason;
    EXPECT_EQ(plan.M, 64);
    EXPECT_EQ(plan.W_x, 128);
    // With 32 bytes M' >= 66,048 x 4 / (32 x 128) = 64.5, which 64 is not; with 64 bytes 32.25.
    EXPECT_EQ(plan.S, 64);
    EXPECT_EQ(plan.min_M, 33);
    EXPECT_EQ(plan.W_y, 6);                            // 64 / 12, rounded up
    EXPECT_EQ(plan.set_bytes, 64 * 64 + 6 * 128 * 4);  // step 4
    EXPECT_EQ(plan.room, 49'152);
    EXPECT_EQ(plan.fma, 16 * 64 * 128);
    EXPECT_EQ(plan.segments, 36);  // 576 weights of a filter, 16 at a time
    EXPECT_EQ(plan.groups, 1);
    EXPECT_EQ(plan.tiles, 222 * 2);  // 222 output rows, 128 and 94 pixels of each
}

TEST(MultiPlan, gives_every_line_of_a_segment_its_place) {
    struct Row {
        std::int64_t S, K, lines;
    };
    for (const Row& row : {Row{32, 1, 8}, {32, 3, 3}, {32, 5, 2}, {64, 1, 16}, {64, 3, 6}, {64, 5, 4}, {32, 11, 1}}) {
        const MultiPlan plan = plan_multi(layer(16, 28, 64, row.K), h100(), row.S);
        EXPECT_EQ(plan.W_y, row.lines) << row.S << " bytes, K " << row.K;
        // The most filter rows that a segment and the one after it touch, at any phase of the segments against the
        // filter rows.
        std::int64_t most = 0;
        const std::int64_t taps = row.S / 4;
        for (std::int64_t first = 0; first < 16 * row.K * row.K; first += taps)
            most = std::max(most, (first + 2 * taps - 1) / row.K - first / row.K + 1);
        EXPECT_LE(most, plan.tiling.ring) << row.S << " bytes, K " << row.K;
    }
}

TEST(MultiPlan, takes_the_short_segment_where_its_filters_are_enough) {
    // A100: 466 cycles, 64 cores: 59,648 operations; 59,648 x 4 / (32 x 128) = 58.25.
    const MultiPlan plan = plan_multi(layer(64, 224, 64, 3), model_of("A100"));
    EXPECT_EQ(plan.S, 32);
    EXPECT_EQ(plan.min_M, 59);
    EXPECT_EQ(plan.M, 64);
}

TEST(MultiPlan, takes_whole_rows_of_a_narrow_map) {
    ConvShape shape = layer(512, 14, 512, 3);
    shape.pad_h = shape.pad_w = 1;
    const MultiPlan plan = plan_multi(shape, h100());
    EXPECT_EQ(plan.W_x, 128);
    EXPECT_EQ(plan.tiling.columns, 14);
    EXPECT_EQ(plan.tiling.rows, 9);  // 126 of 128 pixels
    EXPECT_EQ(plan.tiles, 2);
    EXPECT_EQ(plan.groups, 8);
    EXPECT_EQ(plan.tiling.row_pitch, 14 + 32);
    // A map of 7 x 7 has no use for 128 pixels.
    shape.h = shape.w = 7;
    const MultiPlan small = plan_multi(shape, h100());
    EXPECT_EQ(small.W_x, 64);
    EXPECT_EQ(small.tiling.rows, 7);
}

TEST(MultiPlan, takes_what_it_is_asked_for) {
    const MultiPlan plan = plan_multi(layer(64, 224, 64, 3), h100(), 32, 64, 128);
    EXPECT_EQ(plan.S, 32);
    EXPECT_EQ(plan.W_x, 64);
    EXPECT_EQ(plan.M, 128);
    EXPECT_EQ(plan.min_M, 240);  // 122,624 x 4 / (32 x 64) = 239.5
}

TEST(MultiPlan, shrinks_on_a_gpu_with_little_shared_memory_and_rejects_in_one_sentence_when_that_is_not_enough) {
    const ConvShape shape = layer(64, 224, 64, 3);
    // 64 x 64 + 6 x 128 x 4 = 7168 do not fit into 6000, 64 x 64 + 6 x 64 x 4 = 5632 do.
    const MultiPlan plan = plan_multi(shape, testing::with_shared_memory(12'000));
    ASSERT_TRUE(plan.support) << plan.support.reason;
    EXPECT_EQ(plan.W_x, 64);
    EXPECT_EQ(plan.M, 64);
    EXPECT_EQ(plan_multi(shape, testing::with_shared_memory(2000)).support.reason,
              "a set of 32 bytes of 32 filters and 3 lines of 32 pixels takes 1408 bytes; half of the shared memory of "
              "an SM of a small GPU is 1000");
    EXPECT_EQ(plan_multi(shape, testing::with_shared_memory(12'000), 64, 128, 64).support.reason,
              "a set of 64 bytes of 64 filters and 6 lines of 128 pixels takes 7168 bytes; half of the shared memory "
              "of an SM of a small GPU is 6000");
}

}  // namespace
}  // namespace convscope
