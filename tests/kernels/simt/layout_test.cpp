// Layouts that kernels build: compared with the papers' figures, and with the host's layouts.
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/layers/layout_builder.h"
#include "tests/kernels/simt/simulated_builder.h"
#include "tests/support/layer_images.h"
#include "tests/support/paper_examples.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

using testing::built_layout;
using testing::numbers;
using testing::paper_examples;
using testing::simulated_builder;
using testing::Words;

std::vector<float> floats(const Words& words) {
    std::vector<float> values;
    for (std::uint32_t bits : words) values.push_back(std::bit_cast<float>(bits));
    return values;
}

/// The slots that were filled, one behind the other.
std::vector<float> filled(const Words& words, Element element) {
    std::vector<float> values;
    for (std::uint32_t bits : words)
        if (bits != 0xffffffffu)
            values.push_back(element == Element::f32 ? std::bit_cast<float>(bits)
                                                     : static_cast<float>(static_cast<int>(bits)));
    return values;
}

std::vector<float> ints(const Words& words) {
    std::vector<float> values;
    for (std::uint32_t bits : words) values.push_back(static_cast<float>(static_cast<int>(bits)));
    return values;
}

TEST(SimulatedLayouts, ecr_is_that_of_figure_4) {
    const auto& example = paper_examples()["ecr_figure_4"];
    const auto memory = built_layout(simulated_builder(), Format::ecr, testing::example_workload("ecr_figure_4"));
    const std::ptrdiff_t first_block_row = 3 * 9;  // three windows, nine slots each
    EXPECT_EQ(filled(Words(memory[2].begin(), memory[2].begin() + first_block_row), Element::f32),
              numbers(example["B1"]["F_data"]));
    EXPECT_EQ(filled(Words(memory[3].begin(), memory[3].begin() + first_block_row), Element::f32),
              numbers(example["B1"]["K_data"]));
    EXPECT_EQ(ints(memory[4]), numbers(example["Ptr_all_rows"]));
    EXPECT_EQ(floats(memory[5]), numbers(example["output"]));
}

TEST(SimulatedLayouts, pecr_is_that_of_figures_7_and_8) {
    const auto& example = paper_examples()["pecr_figures_7_8"];
    const auto memory = built_layout(simulated_builder(), Format::pecr, testing::example_workload("pecr_figures_7_8"));
    std::vector<float> data, index, count;
    for (const char* window : {"PW(0,0)", "PW(0,1)", "PW(1,0)", "PW(1,1)"}) {
        const auto append = [&](std::vector<float>& to, const char* array) {
            const std::vector<float> values = numbers(example["pooling_windows"][window][array]);
            to.insert(to.end(), values.begin(), values.end());
        };
        append(data, "Data");
        append(index, "Index");
        append(count, "Count");
    }
    EXPECT_EQ(filled(memory[2], Element::f32), data);
    EXPECT_EQ(filled(memory[3], Element::i32), index);
    EXPECT_EQ(ints(memory[4]), count);
    EXPECT_EQ(floats(memory[5]), numbers(example["convolution"]));
    EXPECT_EQ(floats(memory[6]), numbers(example["relu_max_pooled"]));
}

TEST(SimulatedLayouts, mec_is_that_of_figure_2) {
    const auto& example = paper_examples()["mec_figures_1_2"];
    const auto memory = built_layout(simulated_builder(), Format::mec, testing::example_workload("mec_figures_1_2"));
    EXPECT_EQ(floats(memory[2]), numbers(example["L"]));
    EXPECT_EQ(floats(memory[3]), numbers(example["output"]));
}

class SimulatedLayoutsOf : public ::testing::TestWithParam<Format> {};

// The formats to the bit; what was multiplied to rounding, since the host's builder works in double.
TEST_P(SimulatedLayoutsOf, equal_the_hosts_on_random_shapes) {
    const Format format = GetParam();
    std::size_t checked = 0;
    const std::vector<ConvShape> shapes = testing::random_shapes(testing::tried(900));
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const ConvShape& shape = shapes[i];
        if (shape.n != 1 || shape.c != 1 || shape.k != 1 || (format == Format::pecr && !shape.pooled())) continue;
        const Workload workload = testing::random_workload(shape, testing::sparsity_of(i), i);
        testing::compare_layout(format, workload, built_layout(simulated_builder(), format, workload));
        if (HasFatalFailure()) return;
        ++checked;
    }
    EXPECT_GE(checked, testing::tried(100));
}

// Kernels know the padding of the near sides alone: such layouts are the host's.
TEST_P(SimulatedLayoutsOf, reject_padding_that_differs_by_side) {
    const ConvShape shape{.h = 4, .w = 4, .r = 2, .s = 2, .pool_h = 2, .pool_w = 2, .pool_stride = 2, .pad_extra_h = 1};
    const Workload workload = testing::random_workload(shape, 0.5, 1);
    try {
        built_layout(simulated_builder(), GetParam(), workload);
        FAIL() << "was built";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "the CUDA kernels take as much padding below as above and right as left");
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, SimulatedLayoutsOf,
                         ::testing::Values(Format::im2col, Format::mec, Format::ecr, Format::pecr),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace
}  // namespace convscope
