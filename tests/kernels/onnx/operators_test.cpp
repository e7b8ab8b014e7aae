// Each operator against values worked out by hand, from the definitions at onnx.ai.
#include "kernels/onnx/operators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/onnx/run_graph.h"

namespace convscope {
namespace {

using testing::attribute;
using testing::counting;
using testing::Graph;
using testing::graph_error;
using testing::Message;
using testing::node;
using testing::run_graph;
using testing::Sizes;
using testing::tensor;
using Reals = std::vector<float>;

/// One node of this operator, of x and constants.
ModelArray run_node(const std::string& op, const ModelArray& x, const std::vector<Message>& attributes = {},
                    const std::vector<Message>& constants = {}, std::int64_t opset = 13) {
    std::vector<std::string> inputs{"x"};
    for (std::size_t i = 0; i < constants.size(); ++i) inputs.push_back("c" + std::to_string(i + 1));
    return run_graph({{node(op, inputs, {"y"}, attributes)}, constants, {}, {}}, x, opset);
}

std::string node_error(const std::string& op, const ModelArray& x, const std::vector<Message>& attributes = {},
                       const std::vector<Message>& constants = {}, std::int64_t opset = 13) {
    std::vector<std::string> inputs{"x"};
    for (std::size_t i = 0; i < constants.size(); ++i) inputs.push_back("c" + std::to_string(i + 1));
    return graph_error({{node(op, inputs, {"y"}, attributes)}, constants, {}, {}}, x, opset);
}

void expect_array(const ModelArray& array, const NpyShape& shape, const Reals& values) {
    EXPECT_EQ(array.shape, shape);
    ASSERT_EQ(array.data.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_FLOAT_EQ(array.data[i], values[i]) << i;
}

TEST(OnnxOperators, relu_identity_dropout) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const ModelArray x{{2, 2}, {-1, 2, nan, -0.5F}};
    const ModelArray y = run_node("Relu", x);
    EXPECT_EQ(y.data[0], 0);
    EXPECT_EQ(y.data[1], 2);
    EXPECT_TRUE(std::isnan(y.data[2]));
    expect_array(run_node("Identity", counting({3})), {3}, {0, 1, 2});
    expect_array(run_node("Dropout", counting({3})), {3}, {0, 1, 2});
    EXPECT_EQ(node_error("Dropout", counting({3}), {}, {tensor("c1", {}, Reals{0.5}), tensor("c2", {}, Sizes{1})}),
              "node 'y' (Dropout): it is in training mode; accepted is inference");
}

TEST(OnnxOperators, clip_has_its_bounds_as_attributes_or_operands) {
    const ModelArray x = counting({5}, -2);
    expect_array(run_node("Clip", x, {attribute("min", -1.0F), attribute("max", 1.5F)}, {}, 10), {5},
                 {-1, -1, 0, 1, 1.5});
    expect_array(run_node("Clip", x, {}, {tensor("c1", {}, Reals{-1}), tensor("c2", {}, Reals{1.5})}), {5},
                 {-1, -1, 0, 1, 1.5});
    expect_array(run_graph({{node("Clip", {"x", "", "max"}, {"y"})}, {tensor("max", {}, Reals{0})}, {}, {}}, x), {5},
                 {-2, -1, 0, 0, 0});
    EXPECT_EQ(graph_error({{node("Clip", {"x", "x"}, {"y"})}, {}, {}, {}}, x),
              "node 'y' (Clip): its min must be a constant of the model");
}

TEST(OnnxOperators, add_repeats_what_has_one) {
    expect_array(run_node("Add", counting({2, 2}), {}, {tensor("c1", {2, 2}, Reals{10, 20, 30, 40})}), {2, 2},
                 {10, 21, 32, 43});
    expect_array(run_node("Add", counting({2, 3}), {}, {tensor("c1", {3}, Reals{10, 20, 30})}), {2, 3},
                 {10, 21, 32, 13, 24, 35});
    expect_array(run_node("Add", counting({1, 3}), {}, {tensor("c1", {2, 1}, Reals{10, 20})}), {2, 3},
                 {10, 11, 12, 20, 21, 22});
    expect_array(run_node("Add", counting({2}), {}, {tensor("c1", {}, Reals{5})}), {2}, {5, 6});
    expect_array(run_graph({{node("Add", {"x", "x"}, {"y"})}, {}, {}, {}}, counting({3})), {3}, {0, 2, 4});
    EXPECT_EQ(node_error("Add", counting({2, 3}), {}, {tensor("c1", {2}, Reals{1, 2})}),
              "node 'y' (Add): its operands of 2x3 and 2 do not go together");
}

TEST(OnnxOperators, batch_normalization) {
    const std::vector<Message> parameters{tensor("c1", {2}, Reals{2, 1}), tensor("c2", {2}, Reals{1, 0}),
                                          tensor("c3", {2}, Reals{3, 4}), tensor("c4", {2}, Reals{0.25, 4})};
    // (x - 3) / 0.5 * 2 + 1, and (x - 4) / 2.
    expect_array(run_node("BatchNormalization", counting({1, 2, 1, 2}), {attribute("epsilon", 0.0F)}, parameters),
                 {1, 2, 1, 2}, {-11, -7, -1, -0.5});
    EXPECT_EQ(node_error("BatchNormalization", counting({1, 3, 1, 1}), {}, parameters),
              "node 'y' (BatchNormalization): its scale has 2 elements for 3 channels");
    EXPECT_EQ(node_error("BatchNormalization", counting({1, 2}), {attribute("training_mode", 1)}, parameters),
              "node 'y' (BatchNormalization): it is in training mode; accepted is inference");
}

TEST(OnnxOperators, softmax_over_one_axis_or_all_from_it_on) {
    const ModelArray x{{2, 1, 2}, {0, std::log(3.0F), 0, 0}};
    expect_array(run_node("Softmax", x), {2, 1, 2}, {0.25, 0.75, 0.5, 0.5});
    expect_array(run_node("Softmax", x, {attribute("axis", 0)}), {2, 1, 2}, {0.5, 0.75, 0.5, 0.25});
    expect_array(run_node("Softmax", x, {attribute("axis", 0)}, {}, 11), {2, 1, 2},
                 {1 / 6.0F, 0.5, 1 / 6.0F, 1 / 6.0F});
    expect_array(run_node("Softmax", {{2}, {1000, 1000}}), {2}, {0.5, 0.5});
    EXPECT_EQ(node_error("Softmax", x, {attribute("axis", 3)}),
              "node 'y' (Softmax): its axis is 3, of an operand with 3 dimensions");
}

TEST(OnnxOperators, flatten_and_reshape_keep_the_elements) {
    EXPECT_EQ(run_node("Flatten", counting({2, 3, 4})).shape, (NpyShape{2, 12}));
    EXPECT_EQ(run_node("Flatten", counting({2, 3, 4}), {attribute("axis", 3)}).shape, (NpyShape{24, 1}));
    EXPECT_EQ(run_node("Flatten", counting({2, 3, 4}), {attribute("axis", -1)}).shape, (NpyShape{6, 4}));
    EXPECT_EQ(run_node("Reshape", counting({2, 3, 4}), {}, {tensor("c1", {3}, Sizes{0, -1, 2})}).shape,
              (NpyShape{2, 6, 2}));
    for (const Sizes& wrong : {Sizes{5, 5}, {-1, -1}, {-2, 12}, {7, -1}, {0, 0, 0, 0}})
        expect_contains(node_error("Reshape", counting({2, 3, 4}), {},
                                   {tensor("c1", {static_cast<std::int64_t>(wrong.size())}, wrong)}),
                        "its operand of 2x3x4 does not have the elements of ");
    EXPECT_EQ(graph_error({{node("Reshape", {"x", "x"}, {"y"})}, {}, {}, {}}, counting({4})),
              "node 'y' (Reshape): its shape must be a constant of the model");
}

TEST(OnnxOperators, concat_joins_along_an_axis) {
    const Message constant = tensor("c1", {2, 1, 2}, Reals{10, 11, 12, 13});
    expect_array(run_node("Concat", counting({2, 2, 2}), {attribute("axis", 1)}, {constant}), {2, 3, 2},
                 {0, 1, 2, 3, 10, 11, 4, 5, 6, 7, 12, 13});
    EXPECT_EQ(node_error("Concat", counting({2, 2, 2}), {attribute("axis", 2)}, {constant}),
              "node 'y' (Concat): its operands are 2x2x2 and 2x1x2; they may differ along axis 2 alone");
}

TEST(OnnxOperators, pad_of_every_dimension) {
    expect_array(run_node("Pad", counting({1, 1, 2, 2}), {}, {tensor("c1", {8}, Sizes{0, 0, 1, 0, 0, 0, 0, 2})}),
                 {1, 1, 3, 4}, {0, 0, 0, 0, 0, 1, 0, 0, 2, 3, 0, 0});
    expect_array(run_node("Pad", counting({2}, 1), {}, {tensor("c1", {2}, Sizes{1, 0}), tensor("c2", {}, Reals{9})}),
                 {3}, {9, 1, 2});
    EXPECT_EQ(node_error("Pad", counting({2}), {attribute("mode", "reflect")}, {tensor("c1", {2}, Sizes{1, 0})}),
              "node 'y' (Pad): its mode must be 'constant'");
    expect_contains(node_error("Pad", counting({2}), {}, {tensor("c1", {2}, Sizes{-1, 0})}), "none below 0");
    EXPECT_EQ(node_error("Pad", counting({2, 20}), {}, {tensor("c1", {4}, Sizes{16, 20, 0, 21})}),
              "node 'y' (Pad): it pads dimension 1 of 2x20 by 21; accepted are up to 20");
}

TEST(OnnxOperators, max_pool) {
    const ModelArray x = counting({1, 1, 5, 5});
    expect_array(run_node("MaxPool", x, {attribute("kernel_shape", Sizes{2, 2}), attribute("strides", Sizes{2, 2})}),
                 {1, 1, 2, 2}, {6, 8, 16, 18});
    expect_array(run_node("MaxPool", x,
                          {attribute("kernel_shape", Sizes{2, 2}), attribute("strides", Sizes{2, 2}),
                           attribute("ceil_mode", 1)}),
                 {1, 1, 3, 3}, {6, 8, 9, 16, 18, 19, 21, 23, 24});
    expect_array(run_node("MaxPool", x,
                          {attribute("kernel_shape", Sizes{3, 3}), attribute("strides", Sizes{2, 3}),
                           attribute("pads", Sizes{1, 0, 0, 1})}),
                 {1, 1, 2, 2}, {7, 9, 17, 19});
    expect_array(run_node("MaxPool", x, {attribute("kernel_shape", Sizes{2, 2}), attribute("dilations", Sizes{3, 4})}),
                 {1, 1, 2, 1}, {19, 24});
    // Below zero the padding is not the largest.
    expect_array(run_node("MaxPool", {{1, 1, 1, 1}, {-3}},
                          {attribute("kernel_shape", Sizes{3, 3}), attribute("pads", Sizes{1, 1, 1, 1})}),
                 {1, 1, 1, 1}, {-3});
    EXPECT_EQ(node_error("MaxPool", counting({1, 5, 5}), {attribute("kernel_shape", Sizes{2, 2})}),
              "node 'y' (MaxPool): its operand is 1x5x5; accepted are 4 dimensions: images, channels, height, width");
    expect_contains(node_error("MaxPool", x, {attribute("kernel_shape", Sizes{2})}),
                    "its attribute 'kernel_shape' must be 2 integers, each at least 1");
    EXPECT_EQ(node_error("MaxPool", x, {attribute("kernel_shape", Sizes{6, 2})}),
              "node 'y' (MaxPool): its window spans 6x2, more than its map of 5x5 with padding");
    EXPECT_EQ(node_error("MaxPool", x, {attribute("kernel_shape", Sizes{2, 2}), attribute("pads", Sizes{0, 3, 0, 0})}),
              "node 'y' (MaxPool): its padding of 0 rows or 3 columns is more than its window of 2x2 spans");
    EXPECT_EQ(graph_error({{node("MaxPool", {"x"}, {"y", "where"}, {attribute("kernel_shape", Sizes{2, 2})}),
                            node("Relu", {"where"}, {"z"})},
                           {},
                           {},
                           {}},
                          x),
              "node 'y' (MaxPool): the model uses the places of the maxima, which is not computed here");
}

TEST(OnnxOperators, a_window_that_is_rounded_up_begins_on_the_map) {
    // 3 elements with one of padding on each side have windows of 2 at -1, 1 and, rounded up, 3: that is past the map.
    const std::vector<Message> attributes{attribute("kernel_shape", Sizes{1, 2}), attribute("strides", Sizes{1, 2}),
                                          attribute("pads", Sizes{0, 1, 0, 1}), attribute("ceil_mode", 1)};
    expect_array(run_node("MaxPool", counting({1, 1, 1, 3}, 1), attributes), {1, 1, 1, 2}, {1, 3});
}

TEST(OnnxOperators, average_pool_counts_the_padding_or_not) {
    const ModelArray x = counting({1, 1, 3, 3}, 1);
    const std::vector<Message> padded{attribute("kernel_shape", Sizes{2, 2}), attribute("strides", Sizes{2, 2}),
                                      attribute("pads", Sizes{1, 1, 0, 0})};
    expect_array(run_node("AveragePool", x, padded), {1, 1, 2, 2}, {1, 2.5, 5.5, 7});
    std::vector<Message> counted = padded;
    counted.push_back(attribute("count_include_pad", 1));
    expect_array(run_node("AveragePool", x, counted), {1, 1, 2, 2}, {0.25, 1.25, 2.75, 7});
    // A window that is rounded up never counts places beyond the padding.
    const std::vector<Message> up{attribute("kernel_shape", Sizes{2, 2}), attribute("strides", Sizes{2, 2}),
                                  attribute("ceil_mode", 1), attribute("count_include_pad", 1)};
    expect_array(run_node("AveragePool", x, up), {1, 1, 2, 2}, {3, 4.5, 7.5, 9});
    expect_array(run_node("GlobalAveragePool", counting({1, 2, 2, 2})), {1, 2, 1, 1}, {1.5, 5.5});
}

TEST(OnnxOperators, same_padding_has_its_odd_row_below_or_above) {
    const ModelArray x = counting({1, 1, 1, 4}, 1);
    const auto pooled = [&](const char* automatic) {
        return run_node("AveragePool", x,
                        {attribute("kernel_shape", Sizes{1, 2}), attribute("auto_pad", automatic),
                         attribute("count_include_pad", 1)});
    };
    expect_array(pooled("SAME_UPPER"), {1, 1, 1, 4}, {1.5, 2.5, 3.5, 2});
    expect_array(pooled("SAME_LOWER"), {1, 1, 1, 4}, {0.5, 1.5, 2.5, 3.5});
    expect_array(pooled("VALID"), {1, 1, 1, 3}, {1.5, 2.5, 3.5});
    EXPECT_EQ(node_error("AveragePool", x, {attribute("kernel_shape", Sizes{1, 2}), attribute("auto_pad", "SAME")}),
              "node 'y' (AveragePool): its auto_pad must be NOTSET, VALID, SAME_UPPER or SAME_LOWER");
}

}  // namespace
}  // namespace convscope
