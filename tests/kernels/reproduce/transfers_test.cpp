// The copies of a chain: all of them as measured, and by bytes those that are left when each array goes once.
#include "kernels/reproduce/transfers.h"

#include <gtest/gtest.h>

#include "tests/kernels/reproduce/figure_of_two.h"

namespace convscope {
namespace {

std::vector<Record> taking(double us) {
    return {testing::timed("cudnn", us)};
}

TEST(Transfers, are_what_the_copies_take_more) {
    PaperFigure figure;
    figure.methods = {"cudnn"};
    figure.points.resize(2);
    // x, w, y of 100, 100, 100 elements, then of 100, 10, 10.
    figure.points[0].spec.shape = {.n = 1, .c = 10, .h = 10, .w = 1, .k = 10, .r = 1, .s = 1};
    figure.points[1].spec.shape = {.n = 1, .c = 10, .h = 10, .w = 1, .k = 1, .r = 1, .s = 1};
    const auto rows = transfer_rows(figure, {taking(10), taking(20)}, {taking(40), taking(32)});
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_DOUBLE_EQ(rows[0].transfer_us, 30);
    EXPECT_DOUBLE_EQ(rows[0].once_us, 20);   // x and w of the first layer
    EXPECT_DOUBLE_EQ(rows[0].image_us, 10);  // x
    EXPECT_DOUBLE_EQ(rows[1].once_us, 2);    // w and y of the last layer, 20 of 120 elements
    const TransferRow sum = sum_of(rows);
    EXPECT_DOUBLE_EQ(sum.compute_us, 30);
    EXPECT_DOUBLE_EQ(sum.transfer_us, 42);
    EXPECT_DOUBLE_EQ(sum.image_us, 11);
}

}  // namespace
}  // namespace convscope
