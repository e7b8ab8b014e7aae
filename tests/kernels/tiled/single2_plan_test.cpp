// tiled-single2: what its planner decides, and that every way to align, load and store is right.
#include <gtest/gtest.h>

#include "kernels/tiled/single2_plan.h"
#include "tests/kernels/tiled/models.h"
#include "tests/kernels/tiled/simulated_tiled.h"
#include "tests/support/device_models.h"

namespace convscope {
namespace {

using testing::h100;
using testing::layer;

TEST(Single2, loads_as_wide_as_every_quad_allows) {
    // 26 outputs in a row: rows start 0 or 2 elements from a multiple of four.
    const Single2Plan even = plan_single2(layer(1, 28, 512, 3), h100());
    EXPECT_EQ(even.load, 2);
    EXPECT_EQ(even.tiling.quads, 7);
    EXPECT_TRUE(even.tiling.aligned);
    EXPECT_EQ(plan_single2(layer(1, 28, 512, 5), h100()).load, 4);
    // 25 outputs in a row and 625 in a plane: no filter's plane starts where the one before did.
    const Single2Plan odd = plan_single2(layer(1, 27, 512, 3), h100());
    EXPECT_EQ(odd.load, 1);
    EXPECT_FALSE(odd.tiling.aligned);
    EXPECT_EQ(odd.tiling.quads, 7);
}

TEST(Single2, takes_few_filters_where_threads_are_few) {
    EXPECT_EQ(plan_single2(layer(1, 28, 512, 3), h100()).tiling.filters, 2);
    EXPECT_EQ(plan_single2(layer(1, 56, 256, 3), h100()).tiling.filters, 4);
    EXPECT_EQ(plan_single2(layer(1, 112, 128, 3), h100()).tiling.filters, 8);
    const Single2Plan large = plan_single2(layer(1, 1024, 32, 3), h100());
    EXPECT_EQ(large.tiling.filters, 2);
    EXPECT_TRUE(large.tiling.stream);
    EXPECT_EQ(large.rows_per_thread, 2);
    EXPECT_EQ(large.tiling.step, 2);  // rows of 1022 outputs: every other one starts at a multiple of four
    EXPECT_EQ(large.tiling.rows, 512);
    EXPECT_EQ(plan_single2(layer(1, 1024, 32, 5), h100()).tiling.step, 1);
}

TEST(Single2, rejects_two_rows_that_start_differently) {
    ConvShape shape = layer(1, 10, 4, 3);
    shape.w = 9;  // 8 rows of 7 outputs
    const Single2Plan plan = plan_single2(shape, h100(), 0, 2);
    EXPECT_EQ(plan.support.reason,
              "two rows of a thread need quads that start alike, and rows of q = 7 outputs have them 4 apart");
}

TEST(Single2, every_way_to_align_load_and_store_is_right) {
    struct Map {
        std::int64_t h, w, pad_h, pad_w;
    };
    for (const std::int64_t filter : {1, 2, 3, 5})
        for (const Map& map :
             {Map{13, 16, 0, 0}, {14, 14, 0, 0}, {12, 11, 0, 0}, {7, 9, 1, 1}, {9, 12, 2, 2}, {8, 8, 3, 4}})
            for (const std::int64_t rows : {1, 2}) {
                ConvShape shape = layer(1, map.h, 5, filter);
                shape.n = 2;
                shape.w = map.w;
                shape.pad_h = map.pad_h;
                shape.pad_w = map.pad_w;
                if (!plan_single2(shape, h100(), 0, rows).support) continue;
                testing::expect_right("tiled-single2", shape,
                                      {{}, {}, {{"rows", rows}, {"filters", filter == 3 ? 4 : 1}, {"threads", 64}}});
            }
}

}  // namespace
}  // namespace convscope
