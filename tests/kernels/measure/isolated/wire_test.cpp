#include "kernels/measure/isolated/wire_types.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

PointRequest request() {
    PointRequest point;
    point.spec.name = "a";
    point.spec.example_x = {1, 2};
    LaunchConfig launch;
    launch.block = Dim3{32, 1, 1};
    launch.tunables["tile"] = 8;
    point.candidates = {{"ecr1", launch}};
    point.own = {{"own/conv",
                  {{"TILE", 16}},
                  ".version 9.0",
                  "_Z4conv",
                  {4, 2, 1},
                  {32, 1, 1},
                  64,
                  {{"x", UserRole::x, "1234"}}}};
    point.own[0].arguments[0].pointer = UserArgument::Pointer{2, 8};
    return point;
}

TEST(Wire, hands_over_what_it_was_given) {
    const PointRequest there = unpacked<PointRequest>(packed(request()));
    EXPECT_EQ(there.spec.name, "a");
    EXPECT_EQ(there.spec.example_x, (std::vector<float>{1, 2}));
    ASSERT_EQ(there.candidates.size(), 1U);
    EXPECT_EQ(there.candidates[0].launch.block, (Dim3{32, 1, 1}));
    ASSERT_EQ(there.own.size(), 1U);
    EXPECT_EQ(there.own[0].symbol, "_Z4conv");
    EXPECT_EQ(there.own[0].grid, (Dim3{4, 2, 1}));
    ASSERT_EQ(there.own[0].arguments.size(), 1U);
    EXPECT_EQ(there.own[0].arguments[0].bytes, "1234");
    ASSERT_TRUE(there.own[0].arguments[0].pointer);
    EXPECT_EQ(there.own[0].arguments[0].pointer->argument, 2U);
    EXPECT_EQ(there.own[0].arguments[0].pointer->offset, 8U);
}

TEST(Wire, a_message_that_is_cut_short_anywhere_is_an_error) {
    const std::string whole = packed(request());
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_THROW(unpacked<PointRequest>(std::string_view(whole).substr(0, size)), std::out_of_range) << size;
}

TEST(Wire, no_room_is_made_for_more_than_a_message_can_hold) {
    using Numbers = std::vector<double>;
    EXPECT_THROW(unpacked<Numbers>(packed(std::size_t{1} << 60)), std::out_of_range);
    EXPECT_THROW(unpacked<std::string>(packed(std::size_t{1} << 60)), std::out_of_range);
    EXPECT_EQ(unpacked<Numbers>(packed(Numbers{1, 2})), (Numbers{1, 2}));
}

TEST(Wire, a_truth_is_0_or_1) {
    EXPECT_TRUE(unpacked<bool>(std::string(1, '\1')));
    EXPECT_THROW(unpacked<bool>(std::string(1, '\2')), std::out_of_range);
}

}  // namespace
}  // namespace convscope
