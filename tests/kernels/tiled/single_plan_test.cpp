// The planner of tiled-single against Chang et al., Section 3.1, worked by hand.
#include "kernels/tiled/single_plan.h"

#include <gtest/gtest.h>

#include "tests/kernels/tiled/models.h"
#include "tests/support/device_models.h"

namespace convscope {
namespace {

using testing::layer;
using testing::model_of;

struct Way {
    std::optional<std::int64_t> least;
    std::int64_t most;
};

struct Worked {
    const char* device;
    std::int64_t size, filters, K;
    Way P, Q;
    bool by_filters;
};

class Bounds : public ::testing::TestWithParam<Worked> {};

TEST_P(Bounds, are_those_of_steps_1_and_2) {
    const Worked& worked = GetParam();
    const SinglePlan plan = plan_single(layer(1, worked.size, worked.filters, worked.K), model_of(worked.device));
    ASSERT_TRUE(plan.support) << plan.support.reason;
    EXPECT_EQ(plan.filters.least, worked.P.least);
    EXPECT_EQ(plan.filters.most, worked.P.most);
    EXPECT_EQ(plan.maps.least, worked.Q.least);
    EXPECT_EQ(plan.maps.most, worked.Q.most);
    EXPECT_EQ(plan.by_filters, worked.by_filters);
}

INSTANTIATE_TEST_SUITE_P(
    Known, Bounds,
    ::testing::Values(
        // P <= 9 x 19 x 28 x 28 / 66,048 = 2.03; P >= 3136 / (98,304 - 684 - 224). Q <= 9 x 512 x 28 / 66,048 = 1.95.
        Worked{"GTX 1080 Ti", 28, 512, 3, {1, 2}, {1, 1}, true},
        // Too little work for N_FMA in either way, so that no value is in range and one piece is taken.
        Worked{"GTX 1080 Ti", 28, 512, 1, {1, 0}, {1, 0}, false},
        // P >= 200,704 / (98,304 - 108 - 1792) = 2.08; P <= 9 x 3 x 224 x 224 / 66,048 = 20.5.
        Worked{"GTX 1080 Ti", 224, 64, 3, {3, 20}, {1, 15}, false},
        // 37 rows and 2 more of 1024 pixels are 159,744 bytes: no number of pieces of the filters makes room for them.
        Worked{"GTX 1080 Ti", 1024, 32, 3, {47, 285}, {std::nullopt, 32}, true},
        // P >= 4,194,304 / (233,472 - 36 - 8192) = 18.6; Q <= 9 x 32 x 8 x 1024 / 122,624 = 19.2.
        Worked{"H100", 1024, 32, 3, {19, 76}, {1, 19}, false}));

TEST(SinglePlan, of_a_small_map_keeps_it_whole_and_divides_the_filters) {
    const SinglePlan plan = plan_single(layer(1, 28, 512, 3), model_of("GTX 1080 Ti"));
    // 512 filters over 28 SMs: 19 each, for 27 SMs.
    EXPECT_EQ(plan.filters.pieces, 1);
    EXPECT_EQ(plan.filters.bytes, 4 * (9 * 19 + (28 + 2) * 28));  // Eq. 5
    EXPECT_EQ(plan.filters.fma, 9 * 19 * 28 * 28);                // Eq. 6
    EXPECT_EQ(plan.filters.parts, 27);
    EXPECT_EQ(plan.maps.pieces, 1);
    EXPECT_EQ(plan.maps.bytes, 4 * (9 * 512 + (1 + 2) * 28));  // Eq. 8
    EXPECT_EQ(plan.maps.fma, 9 * 512 * 1 * 28);                // Eq. 9
    EXPECT_TRUE(plan.by_filters);                              // step 4: D1 = 4044 < D2 = 18,768
    EXPECT_EQ(plan.approach(), 1);                             // Th1 = 134,064 >= 66,048
    // Two blocks on an SM share the piece: 13 of the 26 output rows each, four of them in a thread's registers.
    const SingleTiling& tiling = plan.filters.tiling;
    EXPECT_EQ(plan.filters.sharers, 2);
    EXPECT_EQ(tiling.filters, 19);
    EXPECT_EQ(tiling.rows, 13);
    EXPECT_EQ(tiling.buffers, 1);
    EXPECT_EQ(tiling.window_pitch, 12);
    EXPECT_EQ(tiling.rows_per_thread, 4);
    EXPECT_EQ(tiling.lanes, 128);  // 4 x 26 pixels in 4 warps
    EXPECT_EQ(tiling.threads, 512);
    EXPECT_EQ(plan.filters.shared_bytes, 4 * (19 * 12 + (13 + 2) * 28));
}

TEST(SinglePlan, takes_as_many_pieces_as_two_buffers_of_its_blocks_need) {
    const SinglePlan plan = plan_single(layer(1, 224, 64, 3), model_of("GTX 1080 Ti"));
    // The paper's bound is 3. Of two blocks each holds 3 filters and two buffers of half a piece, in 48 KiB: with 4
    // pieces 2 x (28 + 2) rows of 896 bytes are 53,760, with 5 pieces 2 x (23 + 2) are 44,800.
    EXPECT_EQ(plan.filters.least, 3);
    EXPECT_EQ(plan.filters.pieces, 5);
    EXPECT_EQ(plan.filters.tiling.buffers, 2);
    EXPECT_EQ(plan.filters.shared_bytes, 4 * 3 * 12 + 44'800);
}

TEST(SinglePlan, gives_a_layer_too_small_for_either_approach_one_piece) {
    const SinglePlan plan = plan_single(layer(1, 5, 1, 3), model_of("GTX 1080 Ti"));
    EXPECT_TRUE(plan.support);
    EXPECT_EQ(plan.approach(), 0);
    EXPECT_EQ(plan.chosen().pieces, 1);
}

TEST(SinglePlan, hides_by_volume_where_there_is_too_little_work) {
    // One filter of one weight: an SM has 19 rows of 512 pixels, as many operations, and 27 SMs share the map.
    const SinglePlan plan = plan_single(layer(1, 512, 1, 1), model_of("GTX 1080 Ti"));
    EXPECT_EQ(plan.maps.fma, 9728);
    EXPECT_EQ(plan.volume, 27 * 4 * (1 + 19 * 512));
    EXPECT_EQ(plan.approach(), 2);  // 1,050,732 >= 86,016
}

TEST(SinglePlan, takes_what_it_is_asked_for) {
    const ConvShape shape = layer(1, 224, 64, 3);
    const SinglePlan by_filters = plan_single(shape, model_of("GTX 1080 Ti"), 6, 0);
    EXPECT_TRUE(by_filters.by_filters);
    EXPECT_EQ(by_filters.filters.pieces, 6);
    const SinglePlan by_maps = plan_single(shape, model_of("GTX 1080 Ti"), 0, 4);
    EXPECT_FALSE(by_maps.by_filters);
    EXPECT_EQ(by_maps.maps.pieces, 4);
    EXPECT_EQ(by_maps.maps.tiling.buffers, 2);
}

TEST(SinglePlan, rejects_in_one_sentence) {
    const ConvShape shape = layer(1, 224, 64, 3);
    EXPECT_EQ(plan_single(shape, model_of("GTX 1080 Ti"), 2, 3).support.reason,
              "P is 2 and Q is 3; either the map is divided into P pieces or the filters into Q: leave one at 0");
    EXPECT_EQ(
        plan_single(shape, model_of("GTX 1080 Ti"), 1, 0).support.reason,
        "a block needs 101392 bytes of shared memory for 3 filters and 113 rows of the map; GTX 1080 Ti has at most "
        "49152");
    // Not one row of the output: 2 x 3 rows of 896 bytes and 3 filters of 48.
    const SinglePlan none = plan_single(shape, testing::with_shared_memory(4096));
    EXPECT_EQ(
        none.support.reason,
        "a block needs 5520 bytes of shared memory for 3 filters and 3 rows of the map, these twice; a small GPU has "
        "at most 2048");
    EXPECT_FALSE(quantities(none).empty());
}

TEST(SinglePlan, gives_up_the_second_block_of_an_sm_before_it_rejects) {
    // 2 x 5 rows of 4096 bytes and a filter of 112 are more than half of a P100's 64 KiB.
    const SinglePlan plan = plan_single(layer(1, 1024, 32, 5), model_of("P100"));
    EXPECT_TRUE(plan.support) << plan.support.reason;
    EXPECT_EQ(plan.chosen().shared_bytes, 41'072);
}

/// Every output is made once, by a block that fits, on every device.
TEST(SinglePlan, covers_every_output_with_blocks_that_fit) {
    for (const DeviceModel& gpu : device_models())
        for (const std::int64_t size : {5, 28, 57, 224, 1024})
            for (const std::int64_t filters : {1, 32, 500})
                for (const std::int64_t K : {1, 3, 5, 4}) {
                    const SinglePlan plan = plan_single(layer(1, size, filters, K), gpu);
                    ASSERT_TRUE(plan.support) << plan.support.reason;
                    const Division& chosen = plan.chosen();
                    const SingleTiling& tiling = chosen.tiling;
                    const std::int64_t p = size - K + 1;
                    const std::int64_t kept = plan.by_filters ? tiling.filters : tiling.rows;
                    const std::int64_t sliced = plan.by_filters ? tiling.rows : tiling.filters;
                    const std::int64_t all_kept = plan.by_filters ? filters : p;
                    const std::int64_t all_sliced = plan.by_filters ? p : filters;
                    EXPECT_GE(chosen.parts * kept, all_kept);
                    EXPECT_LT((chosen.parts - 1) * kept, all_kept);
                    EXPECT_GE(tiling.slices * sliced, all_sliced);
                    EXPECT_LT((tiling.slices - 1) * sliced, all_sliced);
                    EXPECT_LE(chosen.sharers, tiling.slices);
                    EXPECT_EQ(tiling.buffers, tiling.slices > chosen.sharers ? 2 : 1);
                    EXPECT_LE(chosen.shared_bytes, gpu.shared_per_block_optin);
                    EXPECT_LE(chosen.parts * chosen.sharers, 2 * gpu.sms);
                    EXPECT_LE(tiling.threads, 512);
                    EXPECT_EQ(tiling.threads % tiling.lanes, 0);
                    EXPECT_EQ(tiling.lanes % 32, 0);
                }
}

}  // namespace
}  // namespace convscope
