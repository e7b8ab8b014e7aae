// Whole layers as the kernels write them, image by image, against the host's.
#include <gtest/gtest.h>

#include "tests/support/layer_images.h"

#include "tests/kernels/simt/simulated_builder.h"

namespace convscope {
namespace {

using testing::simulated_builder;

class SimulatedLayersOf : public ::testing::TestWithParam<LayerArray> {};

TEST_P(SimulatedLayersOf, equal_the_hosts_on_random_shapes) {
    const testing::LayerWrite write = [](LayerWriter& writer, const std::vector<float>& input, testing::Words& out) {
        return writer.write(input, out.data());
    };
    const int checked = testing::compare_layers(simulated_builder(), GetParam(), 240, write);
    EXPECT_GE(checked, 80);
}

INSTANTIATE_TEST_SUITE_P(Arrays, SimulatedLayersOf, ::testing::ValuesIn(testing::every_layer_array()),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(LayerWriter, rejects_an_image_of_another_job) {
    const Workload work = testing::random_workload(testing::random_shapes(1).front(), 0.5, 1);
    const LayerArraySpec spec = layer_array(LayerArray::im2col, work.spec.shape);
    const auto writer =
        simulated_builder().make_layer_writer(layer_job(spec, work.spec.shape, spec.rows_per_image), nullptr);
    testing::Words out(static_cast<std::size_t>(spec.rows_per_image * spec.cols));
    EXPECT_THROW(writer->write({1, 2}, out.data()), std::logic_error);
}

}  // namespace
}  // namespace convscope
