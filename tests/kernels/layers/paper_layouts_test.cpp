// The host layouts reproduce the papers' figures to the digit (tests/data/paper-examples.json).
#include <gtest/gtest.h>

#include <vector>

#include "kernels/ecr/ecr_layout.h"
#include "kernels/im2col/im2col_layout.h"
#include "kernels/mec/mec_layout.h"
#include "kernels/pecr/pecr_layout.h"
#include "tests/support/paper_examples.h"

namespace convscope {
namespace {

using testing::example_workload;
using testing::numbers;
using testing::paper_examples;

template <class T>
std::vector<float> as_floats(const T& begin, const T& end) {
    return {begin, end};
}

/// The windows of one block row, flat, for comparison with the figure's rows.
struct BlockRow {
    std::vector<float> F_data, K_data, Ptr;
};

BlockRow block_row(const EcrLayout& layout, const std::vector<float>& K_data, std::int64_t p) {
    const EcrBlockRow row = ecr_block_row(layout.shape, 0, p);
    const std::int64_t first = layout.offsets[row.begin], last = layout.offsets[row.end];
    return {as_floats(layout.F_data.begin() + first, layout.F_data.begin() + last),
            as_floats(K_data.begin() + first, K_data.begin() + last),
            as_floats(layout.Ptr.begin() + row.begin, layout.Ptr.begin() + row.end)};
}

TEST(PaperLayouts, ecr_is_figure_4) {
    const auto& figure = paper_examples()["ecr_figure_4"];
    const Workload workload = example_workload("ecr_figure_4");
    const EcrLayout layout = make_ecr_layout(workload.spec.shape, workload.x);
    const std::vector<float> K_data = layout.gather_K_data(workload.w.data.data());
    const BlockRow B1 = block_row(layout, K_data, 0);
    EXPECT_EQ(B1.F_data, numbers(figure["B1"]["F_data"]));
    EXPECT_EQ(B1.K_data, numbers(figure["B1"]["K_data"]));
    EXPECT_EQ(B1.Ptr, numbers(figure["B1"]["Ptr"]));
    EXPECT_EQ(as_floats(layout.Ptr.begin(), layout.Ptr.end()), numbers(figure["Ptr_all_rows"]));
    EXPECT_EQ(static_cast<int>(B1.F_data.size()), figure["B1"]["multiplications"].get<int>());
    EXPECT_EQ(static_cast<int>(B1.F_data.size() - B1.Ptr.size()), figure["B1"]["additions"].get<int>());
}

TEST(PaperLayouts, pecr_is_figures_7_and_8) {
    const auto& windows = paper_examples()["pecr_figures_7_8"]["pooling_windows"];
    const Workload workload = example_workload("pecr_figures_7_8");
    const PecrLayout layout = make_pecr_layout(workload.spec.shape, workload.x);
    ASSERT_EQ(layout.pooling_windows(), 4);
    const char* names[] = {"PW(0,0)", "PW(0,1)", "PW(1,0)", "PW(1,1)"};
    for (std::int64_t i = 0; i < 4; ++i) {
        const auto& figure = windows[names[i]];
        const std::int64_t first = layout.offsets[i], last = layout.offsets[i + 1],
                           per_pool = layout.windows_per_pool();
        EXPECT_EQ(as_floats(layout.Data.begin() + first, layout.Data.begin() + last), numbers(figure["Data"]));
        EXPECT_EQ(as_floats(layout.Index.begin() + first, layout.Index.begin() + last), numbers(figure["Index"]));
        EXPECT_EQ(as_floats(layout.Count.begin() + i * per_pool, layout.Count.begin() + (i + 1) * per_pool),
                  numbers(figure["Count"]));
    }
}

TEST(PaperLayouts, mec_is_figure_2) {
    const auto& figure = paper_examples()["mec_figures_1_2"];
    const Workload workload = example_workload("mec_figures_1_2");
    const MecLayout layout = make_mec_layout(workload.spec.shape, workload.x);
    EXPECT_EQ(layout.rows(), figure["L_shape"][0].get<std::int64_t>());
    EXPECT_EQ(layout.cols(), figure["L_shape"][1].get<std::int64_t>());
    EXPECT_EQ(layout.L, numbers(figure["L"]));
    const char* names[] = {"P", "Q", "R", "S", "T"};
    ASSERT_EQ(layout.partitions.size(), 5u);
    for (std::size_t p = 0; p < 5; ++p) {
        EXPECT_EQ(layout.partitions[p].begin, figure["partition_column_ranges"][names[p]][0].get<std::int64_t>());
        EXPECT_EQ(layout.partitions[p].end, figure["partition_column_ranges"][names[p]][1].get<std::int64_t>());
    }
}

TEST(PaperLayouts, im2col_is_figure_1) {
    const auto& figure = paper_examples()["mec_figures_1_2"];
    const Workload workload = example_workload("mec_figures_1_2");
    const Im2colLayout layout = make_im2col_layout(workload.spec.shape, workload.x);
    EXPECT_EQ(layout.rows(), figure["im2col_shape"][0].get<std::int64_t>());
    EXPECT_EQ(layout.cols(), figure["im2col_shape"][1].get<std::int64_t>());
    // Its row of output (p, q) is the piece of L's row q that partition p selects.
    const std::vector<float> L = numbers(figure["L"]);
    for (std::int64_t p = 0; p < 5; ++p)
        for (std::int64_t q = 0; q < 5; ++q)
            for (std::int64_t t = 0; t < 9; ++t) EXPECT_EQ(layout.matrix[(p * 5 + q) * 9 + t], L[q * 21 + 3 * p + t]);
}

}  // namespace
}  // namespace convscope
