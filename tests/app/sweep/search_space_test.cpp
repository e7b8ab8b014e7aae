#include "app/sweep/search_space.h"

#include <gtest/gtest.h>

#include "app/sweep/search_run.h"
#include "kernels/method/registry.h"

namespace convscope {
namespace {

const DeviceModel& h100() {
    return default_device_model();
}

ConvShape layer() {
    ConvShape shape;
    shape.c = shape.k = 64;
    shape.h = shape.w = 28;
    shape.r = shape.s = 3;
    return shape;
}

TEST(SearchSpace, is_the_product_of_blocks_and_tunables) {
    const auto registry = make_registry();
    const SearchSpace space = whole_launch_space(registry->get("ecr3", DeviceKind::sim), layer(), h100());
    EXPECT_EQ(space.axes(), (std::vector<std::string>{"block.x", "block.y", "convert_warps"}));
    EXPECT_EQ((space.size() + space.rejected().size()) % 6, 0U) << "six values of convert_warps for each block";
    EXPECT_GT(space.size(), 100U);
    for (std::size_t i = 0; i < space.size(); ++i) EXPECT_GT(space.point(i).occupancy_pct, 0);
}

TEST(SearchSpace, flat_blocks_of_two_extents_and_the_reasons_of_those_that_cannot_be) {
    const auto registry = make_registry();
    ConvShape map;
    map.h = map.w = 14;
    map.r = map.s = 9;
    const SearchSpace space = whole_launch_space(registry->get("ecr2", DeviceKind::sim), map, h100());
    EXPECT_EQ(space.axes(), (std::vector<std::string>{"block.x", "block.y"}));
    ASSERT_FALSE(space.rejected().empty()) << "1024 threads need more shared memory than a block can have";
    EXPECT_NE(space.rejected().front().reason.find("shared"), std::string::npos) << space.rejected().front().reason;
}

TEST(SearchSpace, neighbours_are_one_step_away_and_skip_holes) {
    std::vector<LaunchPoint> points;
    for (const std::int64_t x : {32, 64, 128})
        for (const std::int64_t tile : {1, 2})
            if (!(x == 64 && tile == 2)) points.push_back({{Dim3{x, 1, 1}, {}, {{"tile", tile}}}});
    const SearchSpace space(points);
    const auto at = [&](std::int64_t x, std::int64_t tile) {
        return *space.find({Dim3{x, 1, 1}, {}, {{"tile", tile}}});
    };
    EXPECT_EQ(space.neighbours(at(32, 1)), (std::vector<std::size_t>{at(32, 2), at(64, 1)}));
    EXPECT_EQ(space.neighbours(at(32, 2)), (std::vector<std::size_t>{at(32, 1), at(64, 1), at(128, 2)}))
        << "over the hole at 64, and a step up here for one down there";
}

TEST(SearchSpace, a_method_that_cannot_run_the_layer_has_none) {
    const auto registry = make_registry();
    EXPECT_EQ(whole_launch_space(registry->get("ecr2", DeviceKind::sim), layer(), h100()).size(), 0U);
}

TEST(Ties, are_what_samples_cannot_tell_apart) {
    Record a, b, c;
    for (int i = 0; i < 40; ++i) {
        a.samples_us.push_back(10 + 0.01 * i);
        b.samples_us.push_back(10.4 - 0.01 * i);
        c.samples_us.push_back(11 + 0.01 * i);
    }
    EXPECT_TRUE(cannot_be_told_apart(a, b));
    EXPECT_FALSE(cannot_be_told_apart(a, c));
    c.samples_us.resize(3);
    EXPECT_TRUE(cannot_be_told_apart(a, c)) << "too few samples to say so";
}

}  // namespace
}  // namespace convscope
