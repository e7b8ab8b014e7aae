#include <gtest/gtest.h>

#include "visualizers/explain/figure_arrange.h"

namespace convscope {
namespace {

std::vector<FigureSize> figures(std::initializer_list<std::pair<double, double>> cells) {
    std::vector<FigureSize> sizes;
    for (const auto& [cols, rows] : cells) sizes.push_back({cols, rows, 20, 50, 90});
    return sizes;
}

PageLimits page(float width, float height) {
    return {width, height, 28, 16, 46, 28};
}

const std::vector<Arrangement> row_or_stack = {Arrangement::row({0, 1, 2}),
                                               Arrangement::column({Arrangement::row({0, 1}), 2})};

bool overlap(const FigureRect& a, const FigureRect& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

TEST(Arrange, never_clips_or_overlaps_figures_of_any_size) {
    for (const auto& cells : {figures({{5, 5}, {3, 3}, {4, 3}}), figures({{56, 56}, {9, 56}, {54, 54}}),
                              figures({{224, 224}, {678, 224}, {9, 50176}}), figures({{1, 1}, {1, 1}, {1, 1}})})
        for (const auto& [width, height] : {std::pair{720.0f, 360.0f}, {360.0f, 900.0f}, {3600.0f, 1900.0f}}) {
            const Page result = arrange(row_or_stack, cells, page(width, height));
            ASSERT_EQ(result.figures.size(), 3u);
            for (std::size_t i = 0; i < 3; ++i) {
                const FigureRect& rect = result.figures[i];
                EXPECT_GT(rect.width, 0);
                EXPECT_GE(rect.x, cells[i].left);
                EXPECT_GE(rect.y, cells[i].top);
                EXPECT_LE(rect.x + rect.width, width + 0.5f);
                EXPECT_LE(rect.y + rect.height, height + 0.5f);
                for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(rect, result.figures[j]));
            }
        }
}

TEST(Arrange, flat_cells_are_wider_where_the_page_is_low) {
    const auto cells = figures({{5, 5}, {5, 5}, {12, 3}});
    PageLimits low = page(900, 160);
    const FigureRect square = arrange(row_or_stack, cells, low).figures[0];
    low.flat = 0.6f;
    const FigureRect flat = arrange(row_or_stack, cells, low).figures[0];
    EXPECT_FLOAT_EQ(square.height, square.width);
    EXPECT_FLOAT_EQ(flat.height, 0.6f * flat.width);
    EXPECT_GT(flat.width, square.width);
}

TEST(Arrange, reads_from_left_to_right_where_there_is_room_and_stacks_where_there_is_none) {
    const auto cells = figures({{5, 5}, {5, 5}, {12, 3}});
    const Page wide = arrange(row_or_stack, cells, page(1600, 500));
    EXPECT_EQ(wide.figures[0].y, wide.figures[2].y);
    const Page tall = arrange(row_or_stack, cells, page(460, 700));
    EXPECT_GT(tall.figures[2].y, tall.figures[0].y + tall.figures[0].height);
}

TEST(Arrange, takes_the_arrangement_in_which_all_is_printed) {
    // Side by side the cells are largest, but those of the tall figure too low to be printed.
    auto cells = figures({{7, 7}, {5, 5}, {9, 25}});
    for (FigureSize& f : cells) f.print_width = f.print_height = 14;
    const Page result = arrange(
        {Arrangement::column({Arrangement::row({0, 1}), 2}), Arrangement::row({Arrangement::column({0, 1}), 2})}, cells,
        page(700, 470));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_GE(result.figures[i].width / static_cast<float>(cells[i].cols), 14);
        EXPECT_GE(result.figures[i].height / static_cast<float>(cells[i].rows), 14);
    }
}

TEST(Arrange, takes_the_arrangement_that_fills_the_room_where_all_can_be_read) {
    const auto cells = figures({{5, 5}, {5, 5}, {5, 5}});
    PageLimits limits = page(700, 1500);
    limits.largest_unit = 96;
    const Page result = arrange({row_or_stack[0], Arrangement::column({0, 1, 2})}, cells, limits);
    EXPECT_EQ(result.candidate, 1U) << "28 px in a row, three times that one below another";
    EXPECT_GT(result.unit, 70);
}

TEST(Arrange, squares_the_cells_of_small_figures) {
    const Page result = arrange(row_or_stack, figures({{5, 5}, {3, 3}, {4, 3}}), page(900, 400));
    EXPECT_NEAR(result.figures[0].width / 5, result.figures[0].height / 5, 0.01);
    EXPECT_NEAR(result.figures[0].width / 5, result.figures[2].width / 4, 0.01);
    EXPECT_LE(result.figures[0].width / 5, 46.01);
}

}  // namespace
}  // namespace convscope
