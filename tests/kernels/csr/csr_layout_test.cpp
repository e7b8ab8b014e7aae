// The extended map in CSR: the map of Xu Fig. 4 to the digit, and what must hold for any shape.
#include "kernels/csr/csr_layout.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/im2col/im2col_layout.h"
#include "tests/support/paper_examples.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

TEST(CsrLayout, is_the_compressed_extension_of_the_map_of_xu_figure_4) {
    const Workload workload = testing::example_workload("ecr_figure_4");
    const CsrLayout layout = make_csr_layout(workload.spec.shape, workload.x);
    // A row for each 3x3 window; its columns are the places of the window, row after row.
    EXPECT_EQ(layout.row_offsets, (std::vector<std::int32_t>{0, 3, 7, 10, 13, 16, 18, 22, 25, 27}));
    EXPECT_EQ(layout.columns, (std::vector<std::int32_t>{2, 3, 7, 1, 2, 5, 6, 0, 1, 4, 0, 4, 8, 2,
                                                         3, 7, 1, 6, 1, 5, 6, 7, 0, 4, 6, 3, 8}));
    EXPECT_EQ(layout.values, (std::vector<float>{15, 22, 8,  15, 8, 23, 8,  15, 8, 23, 22, 8,  19, 23,
                                                 8,  19, 23, 19, 8, 19, 10, 4,  8, 19, 4,  19, 22}));
}

TEST(CsrLayout, holds_the_extended_map) {
    const auto shapes = testing::random_shapes(150, 7);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Workload workload = testing::random_workload(shapes[i], testing::sparsity_of(i), i);
        const Im2colLayout extended = make_im2col_layout(shapes[i], workload.x);
        const CsrLayout layout = make_csr_layout(shapes[i], workload.x);
        ASSERT_EQ(static_cast<std::int64_t>(layout.row_offsets.size()), extended.rows() + 1);
        ASSERT_EQ(layout.values.size(), layout.columns.size());
        std::vector<float> restored(extended.matrix.size(), 0.0f);
        for (std::int64_t row = 0; row < extended.rows(); ++row)
            for (std::int32_t at = layout.row_offsets[row]; at < layout.row_offsets[row + 1]; ++at) {
                if (at > layout.row_offsets[row]) {
                    ASSERT_LT(layout.columns[at - 1], layout.columns[at]);
                }
                ASSERT_NE(layout.values[at], 0.0f);
                restored[row * extended.cols() + layout.columns[at]] = layout.values[at];
            }
        ASSERT_EQ(restored, extended.matrix) << to_string(shapes[i]);
    }
}

}  // namespace
}  // namespace convscope
