// As many plots as are legible.
#include "app/ui/widgets/plot_grid.h"

#include <gtest/gtest.h>

namespace convscope::app {
namespace {

constexpr float gap = 16;

TEST(PlotGrid, shows_all_where_there_is_room) {
    const PlotGrid grid(4, {1000, 600}, {300, 200}, gap);
    EXPECT_EQ(grid.fits(), 4U);
    EXPECT_EQ(grid.at(0).x, 0);
    EXPECT_EQ(grid.at(0).y, 0);
    EXPECT_FLOAT_EQ(grid.at(3).x + grid.size(3).x, 1000);
    EXPECT_FLOAT_EQ(grid.at(3).y + grid.size(3).y, 600);
    EXPECT_FLOAT_EQ(grid.at(1).x - grid.size(0).x, gap);
}

TEST(PlotGrid, shows_fewer_before_they_are_too_small) {
    EXPECT_EQ(PlotGrid(4, {1000, 390}, {300, 200}, gap).fits(), 2U);
    EXPECT_EQ(PlotGrid(4, {500, 390}, {300, 200}, gap).fits(), 1U);
    EXPECT_EQ(PlotGrid(4, {500, 640}, {300, 200}, gap).fits(), 3U) << "below one another";
    const PlotGrid tiny(4, {50, 50}, {300, 200}, gap);
    EXPECT_EQ(tiny.fits(), 1U) << "one in any case";
    EXPECT_EQ(tiny.size(0).x, 50);
    EXPECT_EQ(tiny.size(0).y, 50);
}

TEST(PlotGrid, gives_the_first_of_an_odd_number_a_row) {
    const PlotGrid grid(3, {1000, 600}, {300, 200}, gap);
    EXPECT_EQ(grid.fits(), 3U);
    EXPECT_EQ(grid.size(0).x, 1000);
    EXPECT_EQ(grid.at(1).y, grid.at(2).y);
    EXPECT_GT(grid.at(1).y, 0);
    EXPECT_FLOAT_EQ(grid.at(2).x + grid.size(2).x, 1000);
}

TEST(PlotGrid, two_in_a_row_may_differ_in_width) {
    const PlotGrid grid(2, {1016, 300}, {300, 200}, gap, 0.56F);
    EXPECT_FLOAT_EQ(grid.size(0).x, 560);
    EXPECT_FLOAT_EQ(grid.at(1).x, 576);
    EXPECT_FLOAT_EQ(grid.size(1).x, 440);
}

}  // namespace
}  // namespace convscope::app
