#include "visualizers/explain/figure_glide.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

std::vector<FigureRect> at(float x) {
    return {{x, 0, 10, 10, 0}};
}

TEST(FigureGlide, brings_figures_to_new_places_in_the_time_it_has) {
    FigureGlide glide;
    EXPECT_EQ(glide.toward(at(0), "x", false), at(0)) << "what was never drawn comes from nowhere";
    EXPECT_FALSE(glide.moving());
    EXPECT_EQ(glide.toward(at(100), "x", false), at(0));
    glide.advance(FigureGlide::duration_s / 2);
    const float half = glide.toward(at(100), "x", false)[0].x;
    EXPECT_GT(half, 50) << "quick at first";
    EXPECT_LT(half, 100);
    EXPECT_TRUE(glide.moving());
    glide.advance(FigureGlide::duration_s / 2 + 0.001F);
    EXPECT_EQ(glide.toward(at(100), "x", false), at(100));
    EXPECT_FALSE(glide.moving());
}

TEST(FigureGlide, turns_round_where_it_is) {
    FigureGlide glide;
    glide.toward(at(0), "x", false);
    glide.toward(at(100), "x", false);
    glide.advance(FigureGlide::duration_s / 2);
    const auto there = glide.toward(at(100), "x", false);
    EXPECT_EQ(glide.toward(at(0), "x", false), there);
}

TEST(FigureGlide, does_not_animate_other_figures_nor_what_is_wanted_at_once) {
    FigureGlide glide;
    glide.toward(at(0), "x", false);
    EXPECT_EQ(glide.toward(at(100), "y", false), at(100));
    EXPECT_EQ(glide.toward(at(50), "y", true), at(50));
    EXPECT_FALSE(glide.moving());
}

}  // namespace
}  // namespace convscope
