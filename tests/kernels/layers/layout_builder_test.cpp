#include "kernels/layers/layout_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "kernels/core/error.h"
#include "tests/support/paper_examples.h"

namespace convscope {
namespace {

/// The arrays of one format, built for a worked example; out[0] and out[1] are x and w.
struct Built {
    explicit Built(Format format, const char* example) : workload(testing::example_workload(example)) {
        const ConvShape& shape = workload.spec.shape;
        specs = layout_arrays(format, shape);
        arrays.emplace_back(shape.x_elements());
        arrays.emplace_back(shape.w_elements());
        for (const ArraySpec& spec : specs) arrays.emplace_back(spec.rows * spec.cols, 12345.0f);
        std::vector<void*> out;
        for (auto& array : arrays) out.push_back(array.data());
        make_host_layout_builder()->build(format, shape, workload.x.data.data(), workload.w.data.data(), out);
    }
    const std::vector<float>& floats(std::size_t i) const { return arrays[i]; }
    std::int32_t integer(std::size_t array, std::size_t i) const {
        std::int32_t value;
        std::memcpy(&value, &arrays[array][i], sizeof value);
        return value;
    }
    Workload workload;
    std::vector<ArraySpec> specs;
    std::vector<std::vector<float>> arrays;
};

TEST(HostLayoutBuilder, fills_ecr_slots_and_leaves_the_rest_empty) {
    const Built built(Format::ecr, "ecr_figure_4");
    const auto& figure = testing::paper_examples()["ecr_figure_4"];
    EXPECT_EQ(built.floats(0), built.workload.x.data);
    EXPECT_EQ(built.floats(1), built.workload.w.data);
    const float T1[] = {15, 22, 8};
    for (std::size_t i = 0; i < 9; ++i) {
        if (i < 3) {
            EXPECT_EQ(built.floats(2)[i], T1[i]);
        } else {
            EXPECT_TRUE(std::isnan(built.floats(2)[i]));
            EXPECT_TRUE(std::isnan(built.floats(3)[i]));
        }
    }
    const auto ptr = testing::numbers(figure["Ptr_all_rows"]);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(static_cast<float>(built.integer(4, i)), ptr[i]);
    EXPECT_EQ(built.floats(5), testing::numbers(figure["output"]));
}

TEST(HostLayoutBuilder, fills_pecr) {
    const Built built(Format::pecr, "pecr_figures_7_8");
    const auto& figure = testing::paper_examples()["pecr_figures_7_8"];
    const std::size_t slots = 4 * 9;
    const auto data = testing::numbers(figure["pooling_windows"]["PW(0,1)"]["Data"]);
    const auto index = testing::numbers(figure["pooling_windows"]["PW(0,1)"]["Index"]);
    for (std::size_t i = 0; i < data.size(); ++i) {
        EXPECT_EQ(built.floats(2)[slots + i], data[i]);
        EXPECT_EQ(static_cast<float>(built.integer(3, slots + i)), index[i]);
    }
    EXPECT_TRUE(std::isnan(built.floats(2)[slots + data.size()]));
    EXPECT_EQ(built.integer(3, slots + data.size()), -1);
    EXPECT_EQ(built.integer(4, 4), 4);  // Count of PW(0,1)'s first window
    EXPECT_EQ(built.floats(5), testing::numbers(figure["convolution"]));
    EXPECT_EQ(built.floats(6), testing::numbers(figure["relu_max_pooled"]));
}

TEST(HostLayoutBuilder, fills_mec_and_im2col) {
    const auto& figure = testing::paper_examples()["mec_figures_1_2"];
    const Built mec(Format::mec, "mec_figures_1_2");
    EXPECT_EQ(mec.floats(2), testing::numbers(figure["L"]));
    EXPECT_EQ(mec.floats(3), testing::numbers(figure["output"]));
    const Built im2col(Format::im2col, "mec_figures_1_2");
    EXPECT_EQ(im2col.floats(2).size(), 25u * 9u);
    EXPECT_EQ(im2col.floats(3), testing::numbers(figure["output"]));
}

TEST(HostLayoutBuilder, every_array_is_written_in_full) {
    for (Format format : {Format::im2col, Format::mec, Format::ecr, Format::pecr}) {
        const Built built(format, "pecr_figures_7_8");
        for (const auto& array : built.arrays)
            for (float value : array) EXPECT_NE(value, 12345.0f) << to_string(format);
    }
}

void expect_usage_error(Format format, const ConvShape& shape, const char* names) {
    try {
        layout_arrays(format, shape);
        FAIL() << "no error for " << to_string(shape);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_NE(std::string(error.what()).find(names), std::string::npos) << error.what();
    }
}

TEST(LayoutArrays, reject_what_they_cannot_show) {
    expect_usage_error(Format::ecr, {.c = 2, .h = 5, .w = 5, .k = 1, .r = 3, .s = 3}, "c = 2");
    expect_usage_error(Format::pecr, {.h = 5, .w = 5, .r = 3, .s = 3}, "--pool");
    expect_usage_error(Format::mec, {.h = 8, .w = 8, .r = 3, .s = 3, .dilation_h = 2}, "dilation is 2,1 and must be 1");
    expect_usage_error(Format::mec, {.h = 2, .w = 2, .r = 3, .s = 3}, "3x3");
}

}  // namespace
}  // namespace convscope
