#include "visualizers/step/cell_map.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

void expect_every_square_to_be_found(const CellMap& map, float width, float height) {
    for (std::int64_t i = map.first; i < map.first + map.shown; ++i) {
        const CellMap::Rect rect = map.rect(i);
        EXPECT_GE(rect.x, 0);
        EXPECT_LE(rect.x + rect.size, width + 0.01F) << i;
        EXPECT_LE(rect.y + rect.size, height + 0.01F) << i;
        EXPECT_EQ(map.at(rect.x + rect.size / 2, rect.y + rect.size / 2), i);
    }
    EXPECT_FALSE(map.at(-1, 0));
    EXPECT_FALSE(map.at(width + 100, 0));
}

TEST(CellMap, gives_few_squares_the_largest_size_and_keeps_their_rows) {
    const CellMap map = fit_cells(300, 32, 3, 3, 0, 3, 28);
    EXPECT_EQ(map.side, 28);
    EXPECT_EQ(map.cols, 3);
    expect_every_square_to_be_found(map, 300, 32);
    const CellMap warps = fit_cells(300, 60, 32, 64, 0, 3, 28);
    EXPECT_EQ(warps.cols, 32);  // a row for each warp
    expect_every_square_to_be_found(warps, 300, 60);
}

TEST(CellMap, makes_rows_longer_where_there_are_too_many) {
    const CellMap map = fit_cells(300, 30, 4, 200, 0, 3, 28);
    EXPECT_GT(map.cols, 4);
    EXPECT_EQ(map.shown, 200);
    expect_every_square_to_be_found(map, 300, 30);
}

TEST(CellMap, shows_the_part_with_the_chosen_one_where_not_all_fit) {
    const std::int64_t count = 1'000'000, chosen = 765'432;
    const CellMap map = fit_cells(300, 30, 1000, count, chosen, 3, 28);
    EXPECT_LT(map.shown, count);
    EXPECT_LE(map.first, chosen);
    EXPECT_GT(map.first + map.shown, chosen);
    expect_every_square_to_be_found(map, 300, 30);
    // One outside, as a block is after its grid has shrunk, leaves the last part.
    EXPECT_EQ(fit_cells(300, 30, 1000, count, count + 5, 3, 28).first +
                  fit_cells(300, 30, 1000, count, count + 5, 3, 28).shown,
              count);
}

}  // namespace
}  // namespace convscope
