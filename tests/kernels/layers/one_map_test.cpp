#include "kernels/layers/one_map.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/layers/workload.h"

namespace convscope {
namespace {

/// Counts by asking for every product whether its element of x is there and not zero.
MapWork counted(const ConvShape& shape, const std::vector<float>& x) {
    MapWork work;
    for (std::int64_t oh = 0; oh < shape.p(); ++oh)
        for (std::int64_t ow = 0; ow < shape.q(); ++ow) {
            std::int64_t products = 0;
            for (std::int64_t i = 0; i < shape.r; ++i)
                for (std::int64_t j = 0; j < shape.s; ++j) {
                    const std::int64_t row = oh * shape.stride_h + i - shape.pad_h;
                    const std::int64_t col = ow * shape.stride_w + j - shape.pad_w;
                    const bool inside = row >= 0 && row < shape.h && col >= 0 && col < shape.w;
                    if (inside && x[static_cast<std::size_t>(row * shape.w + col)] != 0) ++products;
                }
            work.needed_multiplications += products;
            if (products > 0) work.needed_additions += products - 1;
        }
    return work;
}

TEST(OneMap, the_work_of_all_ones_is_dense_without_padding) {
    ConvShape shape;
    shape.h = shape.w = 5;
    shape.r = shape.s = 3;
    const MapWork work = map_work(shape, std::vector<float>(25, 1.0F));
    EXPECT_EQ(work.dense_multiplications, 81);
    EXPECT_EQ(work.dense_additions, 72);
    EXPECT_EQ(work.needed_multiplications, 81);
    EXPECT_EQ(work.needed_additions, 72);
    EXPECT_EQ(work.skipped(), 0);
}

TEST(OneMap, skips_zeros_and_padding_for_any_shape) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        WorkloadSpec spec;
        const auto draw = [&](std::uint64_t part, std::int64_t from, std::int64_t to) {
            return from +
                   static_cast<std::int64_t>((seed * 2654435761u >> part) % static_cast<std::uint64_t>(to - from + 1));
        };
        spec.shape.c = 2;
        spec.shape.h = draw(3, 4, 12);
        spec.shape.w = draw(5, 4, 12);
        spec.shape.r = draw(7, 1, 4);
        spec.shape.s = draw(9, 1, 4);
        spec.shape.stride_h = draw(11, 1, 3);
        spec.shape.stride_w = draw(13, 1, 3);
        spec.shape.pad_h = draw(15, 0, 3);
        spec.shape.pad_w = draw(17, 0, 3);
        spec.sparsity = 0.6;
        spec.seed = seed;
        const std::vector<float> x = map_of(make_workload(spec).x, 0, 1);
        const ConvShape shape = map_shape(spec.shape);
        const MapWork work = map_work(shape, x), expected = counted(shape, x);
        EXPECT_EQ(work.needed_multiplications, expected.needed_multiplications) << "seed " << seed;
        EXPECT_EQ(work.needed_additions, expected.needed_additions) << "seed " << seed;
    }
}

TEST(OneMap, a_stop_ends_the_count) {
    std::stop_source stop;
    stop.request_stop();
    ConvShape shape;
    shape.h = shape.w = 5;
    shape.r = shape.s = 3;
    EXPECT_EQ(map_work(shape, std::vector<float>(25, 1.0F), stop.get_token()).needed_multiplications, 0);
}

/// 2 images of 3 channels of 4 x 4, of which these have all their values and the others none.
Workload with_live_maps(const std::vector<std::int64_t>& live) {
    Workload workload;
    workload.x = Tensor(2, 3, 4, 4);
    for (const std::int64_t map : live) std::fill_n(workload.x.data.begin() + map * 16, 16, 1.0F);
    workload.sparsity_measured = 1 - static_cast<double>(live.size()) / 6;
    return workload;
}

TEST(NearestMap, is_one_of_the_layer_with_a_filter_that_sees_its_channel) {
    const ConvShape shape{.n = 2, .c = 6, .h = 5, .w = 5, .k = 4, .r = 3, .s = 3, .groups = 2};
    EXPECT_EQ(nearest_map({1, 4, 3}, shape), (MapIndex{1, 4, 3}));
    EXPECT_EQ(nearest_map({9, 2, 9}, shape), (MapIndex{1, 2, 1}));
    EXPECT_EQ(nearest_map({-1, 9, 0}, shape), (MapIndex{0, 5, 2}));
}

TEST(OpeningMap, is_the_first_that_is_not_dead) {
    EXPECT_EQ(opening_map(with_live_maps({0, 1})).channel, 0);
    EXPECT_EQ(opening_map(with_live_maps({2, 5})).channel, 2);
    EXPECT_EQ(opening_map(with_live_maps({4})).image, 1);
    EXPECT_EQ(opening_map(with_live_maps({4})).channel, 1);
    EXPECT_EQ(opening_map(with_live_maps({})).channel, 0);
    Workload nearly = with_live_maps({2, 5});
    nearly.x.data[0] = 1;  // nearly empty
    EXPECT_EQ(opening_map(nearly).channel, 2);
}

TEST(OpeningMap, is_not_fuller_than_most_where_others_are_not) {
    Workload workload = with_live_maps({0});
    for (const std::int64_t map : {1, 3}) std::fill_n(workload.x.data.begin() + map * 16, 4, 1.0F);
    workload.sparsity_measured = 1 - 24.0 / 96;
    EXPECT_EQ(opening_map(workload).channel, 1) << "a quarter of this map and of the layer are values";
}

TEST(OpeningMap, is_the_first_of_maps_that_chance_alone_tells_apart) {
    WorkloadSpec spec;
    spec.shape.c = 64;
    spec.shape.h = spec.shape.w = 14;
    spec.shape.r = spec.shape.s = 3;
    spec.sparsity = 0.6;
    for (spec.seed = 1; spec.seed < 6; ++spec.seed) EXPECT_EQ(opening_map(make_workload(spec)).channel, 0);
}

TEST(OpeningRow, is_below_the_padding_and_what_is_empty) {
    ConvShape shape;
    shape.h = shape.w = 12;
    shape.r = shape.s = 3;
    const auto opening = [&](const std::vector<float>& x) { return opening_row(shape, x, map_work(shape, x)); };
    std::vector<float> x(144, 1.0F);
    EXPECT_EQ(opening(x), 0);
    shape.pad_h = shape.pad_w = 1;
    EXPECT_EQ(opening(x), 1) << "the first row of windows has a third of its inputs in the padding";
    std::fill_n(x.begin(), 72, 0.0F);
    EXPECT_EQ(opening(x), 6) << "the first row of windows whose middle row is not empty";
    EXPECT_EQ(opening(std::vector<float>(144, 0.0F)), 0);
}

TEST(FullestRow, has_the_most_products) {
    ConvShape shape;
    shape.h = shape.w = 12;
    shape.r = shape.s = 3;
    shape.pad_h = shape.pad_w = 1;
    std::vector<float> x(144, 0.0F);
    EXPECT_EQ(fullest_row(shape, x), 0);
    std::fill_n(x.begin() + 12, 12, 1.0F);
    std::fill_n(x.begin() + 84, 36, 1.0F);
    EXPECT_EQ(fullest_row(shape, x), 8) << "all three of its rows are full";
    std::fill(x.begin(), x.end(), 1.0F);
    EXPECT_EQ(fullest_row(shape, x), 1) << "the first of many";
}

}  // namespace
}  // namespace convscope
