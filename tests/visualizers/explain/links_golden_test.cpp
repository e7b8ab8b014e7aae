// The links of the papers' worked examples, and the sentences that a user reads.
#include <gtest/gtest.h>

#include "tests/visualizers/explain/example_map.h"

namespace convscope {
namespace {

using testing::map_values_of;

using Cells = std::vector<Cell>;

class EcrFigure4 : public ::testing::Test {
protected:
    MapValues map_values = map_values_of("ecr_figure_4");
    LinkSet at(ArrayId array, Cell cell, ThreadMap map = {}) {
        return find_links(Format::ecr, map_values, {array, cell}, map);
    }
};

TEST_F(EcrFigure4, links_a_slot_with_its_cell_weight_thread_and_output) {
    const LinkSet links = at(ArrayId::F_data, {1, 2});
    EXPECT_EQ(links.sentence, "F_data[5] = 23: from x[1,3], times w[1,2] = 1, by thread T2 of block B1, into y[0,1]");
    EXPECT_EQ(links.of(ArrayId::x), (Cells{{1, 3}}));
    EXPECT_EQ(links.of(ArrayId::w), (Cells{{1, 2}}));
    EXPECT_EQ(links.of(ArrayId::K_data), (Cells{{1, 2}}));
    EXPECT_EQ(links.of(ArrayId::Ptr), (Cells{{0, 1}}));
    EXPECT_EQ(links.of(ArrayId::y), (Cells{{0, 1}}));
    EXPECT_EQ(links.block, 0);
    EXPECT_EQ(links.thread, 1);
    EXPECT_EQ(links.areas, (std::vector<LinkArea>{{ArrayId::x, 0, 1, 3, 3}}));
    EXPECT_EQ(links.details.at(0), "y[0,1] = 15*1 + 8*0 + 23*1 + 8*0");
}

TEST_F(EcrFigure4, counts_the_multiplications_of_the_figure) {
    EXPECT_EQ(map_values.needed_in_row(0), 10);
    EXPECT_EQ(map_values.needed_in_all(), 27);
    EXPECT_EQ(at(ArrayId::Ptr, {0, 1}).sentence,
              "Ptr[1] = 4: 4 multiplications instead of 9, by thread T2 of block B1, into y[0,1]");
}

TEST_F(EcrFigure4, says_what_a_zero_saves) {
    const LinkSet links = at(ArrayId::x, {2, 2});
    EXPECT_EQ(links.sentence, "x[2,2] = 0: not stored in F_data, and 9 multiplications are saved");
    EXPECT_EQ(links.products, 0);
    EXPECT_TRUE(links.of(ArrayId::F_data).empty());
    EXPECT_FALSE(links.thread);
}

TEST_F(EcrFigure4, counts_the_copies_of_a_cell) {
    const LinkSet links = at(ArrayId::x, {1, 3});
    EXPECT_EQ(links.sentence, "x[1,3] = 23: stored 4 times in F_data, for 4 multiplications");
    EXPECT_EQ(links.details.at(0), "in each format: 4 copies in im2col, 2 in L, 4 in F_data");
    EXPECT_EQ(links.of(ArrayId::y), (Cells{{0, 1}, {0, 2}, {1, 1}, {1, 2}}));
}

TEST_F(EcrFigure4, names_an_unused_slot) {
    const LinkSet links = at(ArrayId::F_data, {0, 3});
    EXPECT_EQ(links.sentence, "Unused slot: the window of y[0,0] has 3 non-zero inputs, so thread T1 stores no more");
    EXPECT_TRUE(links.of(ArrayId::x).empty());
}

TEST_F(EcrFigure4, gives_windows_in_turn_to_fewer_threads) {
    EXPECT_EQ(at(ArrayId::F_data, {5, 0}, {2}).thread, 0);  // the third window of the second row
    EXPECT_EQ(at(ArrayId::F_data, {5, 0}, {2}).block, 1);
    EXPECT_EQ(at(ArrayId::F_data, {5, 0}, {64}).thread, 2);
}

TEST(EcrAllZero, keeps_results_linked_and_says_minus_one) {
    const std::vector<float> x(16, 0.0f), w(9, 1.0f);
    ConvShape shape;
    shape.h = shape.w = 4;
    shape.r = shape.s = 3;
    const MapValues map_values(shape, x.data(), w.data());
    const LinkSet links = find_links(Format::ecr, map_values, {ArrayId::Ptr, {1, 0}});
    EXPECT_EQ(links.sentence,
              "Ptr[0] = -1, the mark of a window without products: all 9 inputs are zero; thread T1 of block B2 "
              "multiplies nothing");
    EXPECT_EQ(links.of(ArrayId::y), (Cells{{1, 0}}));
}

class PecrFigure7 : public ::testing::Test {
protected:
    MapValues map_values = map_values_of("pecr_figures_7_8");
    LinkSet at(ArrayId array, Cell cell) { return find_links(Format::pecr, map_values, {array, cell}); }
};

TEST_F(PecrFigure7, links_a_slot_within_its_own_pooling_window) {
    const LinkSet links = at(ArrayId::Data, {0, 4});
    EXPECT_EQ(links.sentence,
              "Data[4] = 8: from x[0,3], times w[0,2] = 1, by thread T1 of block B1, into conv[0,1], then y[0,0]");
    EXPECT_EQ(links.of(ArrayId::Index), (Cells{{0, 4}}));
    EXPECT_EQ(links.of(ArrayId::Count), (Cells{{0, 1}}));
    EXPECT_EQ(links.of(ArrayId::conv), (Cells{{0, 1}}));
    EXPECT_EQ(links.of(ArrayId::y), (Cells{{0, 0}}));
    EXPECT_EQ(at(ArrayId::Index, {0, 2}).sentence,
              "Index[2] = 7: row 2, column 1 of the filter, w[2,1] = 1; for x[2,1] = 8, by thread T1 of block B1, into "
              "conv[0,0], then y[0,0]");
}

TEST_F(PecrFigure7, links_a_convolution_with_every_pool_that_holds_it) {
    const LinkSet links = at(ArrayId::conv, {1, 1});
    EXPECT_EQ(links.of(ArrayId::y), (Cells{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
    EXPECT_FALSE(links.thread);  // four threads compute it
    EXPECT_EQ(links.products, 3);
    EXPECT_EQ(at(ArrayId::conv, {0, 0}).thread, 0);
}

TEST_F(PecrFigure7, explains_a_pooled_result) {
    const LinkSet links = at(ArrayId::y, {0, 0});
    EXPECT_EQ(links.sentence, "y[0,0] = 50 = max(0, 45, 46, 0, 50), by thread T1 of block B1");
    EXPECT_EQ(links.of(ArrayId::conv), (Cells{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
    EXPECT_EQ(links.of(ArrayId::Data).size(), 13u);
    EXPECT_EQ(at(ArrayId::Count, {1, 3}).sentence,
              "Count[3] = 2: convolution window CW4 of pooling window PW(0,1) has 2 non-zero inputs, by thread T2 of "
              "block B1, into conv[1,2]");
}

class MecFigure2 : public ::testing::Test {
protected:
    MapValues map_values = map_values_of("mec_figures_1_2");
    LinkSet at(ArrayId array, Cell cell) { return find_links(Format::mec, map_values, {array, cell}); }
};

TEST_F(MecFigure2, counts_copies) {
    EXPECT_EQ(at(ArrayId::x, {3, 3}).sentence, "x[3,3] = 1: 9 copies in im2col, 3 in L; used by 9 outputs");
    EXPECT_EQ(at(ArrayId::x, {0, 0}).sentence, "x[0,0] = 0: 1 copy in im2col, 1 in L; used by 1 output");
    EXPECT_EQ(at(ArrayId::x, {3, 3}).of(ArrayId::L).size(), 3u);
    EXPECT_EQ(at(ArrayId::x, {3, 3}).of(ArrayId::im2col).size(), 9u);
}

TEST_F(MecFigure2, names_windows_and_partitions) {
    const LinkSet links = at(ArrayId::L, {1, 7});
    EXPECT_EQ(links.sentence, "L[1,7] = 0: x[2,2], window B, in partitions P, Q, R; stands for 3 elements of im2col");
    EXPECT_EQ(links.details.at(0), "partition P: times w[2,1] = 0, into y[0,1]");
    EXPECT_EQ(links.of(ArrayId::y), (Cells{{0, 1}, {1, 1}, {2, 1}}));
    EXPECT_FALSE(links.thread);
}

TEST_F(MecFigure2, links_an_element_of_the_matrix_with_its_place_in_l) {
    const LinkSet links = at(ArrayId::im2col, {7, 3});
    EXPECT_EQ(links.of(ArrayId::L), (Cells{{2, 6}}));
    EXPECT_EQ(links.sentence, "im2col[7,3] = 0: x[2,2], times w[1,0] = 1, into y[1,2]");
    EXPECT_EQ(links.details.at(0), "in L it is L[2,6]");
}

TEST(MecNames, use_numbers_where_letters_run_out) {
    ConvShape shape;
    shape.h = shape.w = 30;
    shape.r = shape.s = 3;
    EXPECT_EQ(mec_window_label(13, shape), "13");
    EXPECT_EQ(mec_partition_label(4, shape), "4");
    EXPECT_EQ(mec_window_name(3, shape), "window 3");
    EXPECT_EQ(mec_partition_name(4, shape), "partition 4");
    EXPECT_EQ(describe_mec_overlap(0, shape), "Partitions 0 and 1 share 6 of 9 columns of L");
    shape.h = shape.w = 7;
    EXPECT_EQ(mec_window_label(4, shape), "E");
    EXPECT_EQ(mec_partition_label(4, shape), "T");
    EXPECT_EQ(mec_partition_name(4, shape), "partition T");
}

}  // namespace
}  // namespace convscope
