// Models as a whole: against PyTorch, and what is said of their layers.
#include "kernels/onnx/model_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/reference/reference_result.h"
#include "tests/kernels/onnx/run_graph.h"

namespace convscope {
namespace {

using testing::attribute;
using testing::counting;
using testing::Graph;
using testing::graph_error;
using testing::Message;
using testing::model;
using testing::node;
using testing::read_bytes;
using testing::run_graph;
using testing::Sizes;
using testing::tensor;
using testing::value;
using Reals = std::vector<float>;

struct Seen {
    ModelLayer layer;
    Workload data;
};

/// The layers of a graph of one input 'x', and its output 'y'.
std::vector<Seen> layers_of(Graph graph, ModelArray x) {
    graph.inputs = {value("x")};
    graph.outputs = {value("y")};
    std::vector<Seen> seen;
    ModelOptions options;
    options.layer = [&](const ModelLayer& layer, const Workload& data) { seen.push_back({layer, data}); };
    run_model(read_bytes(model(graph)), std::move(x), options);
    return seen;
}

class AgainstPyTorch : public ::testing::TestWithParam<const char*> {};

/// tests/scripts/onnx-models has made them with PyTorch 1.13.
TEST_P(AgainstPyTorch, the_output_is_the_same) {
    const std::string path = std::string(ONNX_DATA) + "/" + GetParam();
    const auto array = [&](const char* ending) {
        NpyArray read = read_npy(path + ending);
        return ModelArray{read.shape, read.data};
    };
    const ModelArray expected = array("-y.npy");
    const std::vector<ModelOutput> outputs = run_model(read_onnx(path + ".onnx"), array("-x.npy"), {});
    ASSERT_EQ(outputs.size(), 1U);
    const ModelArray& y = outputs[0].array;
    ASSERT_EQ(y.shape, expected.shape);
    const auto magnitude = [](float a, float b) { return std::abs(a) < std::abs(b); };
    const float largest = std::abs(*std::ranges::max_element(expected.data, magnitude));
    for (std::size_t i = 0; i < y.data.size(); ++i) EXPECT_NEAR(y.data[i], expected.data[i], 1e-4F * largest) << i;
}

INSTANTIATE_TEST_SUITE_P(TenNetworks, AgainstPyTorch,
                         ::testing::Values("averages", "densenet", "dilated", "inception", "lenet", "mobilenet",
                                           "products", "resnet", "squeezenet", "vgg"),
                         [](const auto& of) { return std::string(of.param); });

TEST(ModelRun, a_convolution_with_all_of_its_attributes) {
    // 2 groups, of 1x2 filters with 2 columns between their elements, over 2 x 5 with a column of padding on the left.
    const Graph graph{
        {node("Conv", {"x", "w", "b"}, {"y"},
              {attribute("group", 2), attribute("kernel_shape", Sizes{1, 2}), attribute("dilations", Sizes{1, 3}),
               attribute("strides", Sizes{2, 1}), attribute("pads", Sizes{0, 1, 0, 0})},
              "layer")},
        {tensor("w", {2, 1, 1, 2}, Reals{1, 10, 2, 0}), tensor("b", {2}, Reals{0.5, -1})},
        {},
        {}};
    const ModelArray x = counting({1, 2, 2, 5});
    const ModelArray y = run_graph(graph, x);
    EXPECT_EQ(y.shape, (NpyShape{1, 2, 1, 3}));
    EXPECT_EQ(y.data, (Reals{20.5, 30.5, 41.5, -1, 19, 21}));

    const std::vector<Seen> seen = layers_of(graph, x);
    ASSERT_EQ(seen.size(), 1U);
    const ModelLayer& layer = seen[0].layer;
    EXPECT_EQ(layer.name, "layer");
    EXPECT_EQ(layer.node, "'layer' (Conv)");
    EXPECT_EQ(to_string(layer.shape), "1x2x2x5 * 2x1x1x2, stride 2,1, pad 0,0,1,0, dilation 1,3, 2 groups");
    EXPECT_DOUBLE_EQ(layer.x_zeros, 0.05);
    EXPECT_DOUBLE_EQ(layer.w_zeros, 0.25);
    EXPECT_EQ(layer.multiply_adds, 12);
    // The first filter has x[1], and x[2..4] with the second weight: x[0] is zero; the second has x[10], x[11].
    EXPECT_EQ(layer.nonzero_multiply_adds, 1 + 3 + 2);
    EXPECT_FALSE(layer.normalized);
    EXPECT_EQ(seen[0].data.x.data, x.data);
}

TEST(ModelRun, a_convolution_may_have_more_padding_than_its_window_spans) {
    const Message w = tensor("w", {1, 1, 2, 2}, Reals{1, -2, 3, 4});
    const ModelArray x = counting({1, 1, 3, 4}, 1);
    const Graph padded{
        {node("Conv", {"x", "w"}, {"y"}, {attribute("pads", Sizes{5, 0, 3, 4}), attribute("strides", Sizes{1, 2})})},
        {w},
        {},
        {}};
    const Graph apart{{node("Pad", {"x", "pads"}, {"larger"}),
                       node("Conv", {"larger", "w"}, {"y"}, {attribute("strides", Sizes{1, 2})})},
                      {w, tensor("pads", {8}, Sizes{0, 0, 5, 0, 0, 0, 3, 4})},
                      {},
                      {}};
    const ModelArray y = run_graph(padded, x);
    EXPECT_EQ(y.shape, (NpyShape{1, 1, 10, 4}));
    EXPECT_EQ(y.data, run_graph(apart, x).data);
    EXPECT_EQ(y.data[0], 0) << "a window of padding alone";
    EXPECT_EQ(y.data[16], 3 * 1 + 4 * 2) << "the first window with elements of x: its lower row";
}

TEST(ModelRun, a_batch_normalization_is_folded_where_nothing_else_takes_the_convolution) {
    const std::vector<Message> constants{tensor("w", {2, 1, 1, 1}, Reals{1, 2}), tensor("b", {2}, Reals{3, 4}),
                                         tensor("scale", {2}, Reals{1, 3}),      tensor("bias", {2}, Reals{0, 10}),
                                         tensor("mean", {2}, Reals{1, 2}),       tensor("variance", {2}, Reals{4, 9})};
    const Message conv = node("Conv", {"x", "w", "b"}, {"c"});
    const Message normalization =
        node("BatchNormalization", {"c", "scale", "bias", "mean", "variance"}, {"y"}, {attribute("epsilon", 0.0F)});
    const ModelArray x = counting({1, 1, 1, 2}, 1);
    // (1 x + 3 - 1) / 2, and (2 x + 4 - 2) / 3 * 3 + 10.
    const Reals expected{1.5, 2, 14, 16};
    const Graph alone{{conv, normalization}, constants, {}, {}};
    EXPECT_EQ(run_graph(alone, x).data, expected);
    const std::vector<Seen> folded = layers_of(alone, x);
    EXPECT_TRUE(folded.at(0).layer.normalized);
    EXPECT_EQ(folded.at(0).data.w.data, (Reals{0.5, 2}));

    const Graph shared{{conv, normalization, node("Relu", {"c"}, {"z"})}, constants, {}, {}};
    EXPECT_EQ(run_graph(shared, x).data, expected);
    EXPECT_FALSE(layers_of(shared, x).at(0).layer.normalized);
}

TEST(ModelRun, fully_connected_layers) {
    const ModelArray x = counting({2, 2});
    const Message w = tensor("w", {2, 3}, Reals{1, 2, 3, 0, 5, 6}),
                  turned = tensor("w", {3, 2}, Reals{1, 0, 2, 5, 3, 6});
    const Message b = tensor("b", {3}, Reals{10, 20, 30});
    const Graph gemm{{node("Gemm", {"x", "w", "b"}, {"y"},
                           {attribute("alpha", 2.0F), attribute("beta", 0.5F), attribute("transB", 1)})},
                     {turned, b},
                     {},
                     {}};
    const ModelArray y = run_graph(gemm, x);
    EXPECT_EQ(y.shape, (NpyShape{2, 3}));
    EXPECT_EQ(y.data, (Reals{5, 20, 27, 9, 48, 63}));
    const ModelLayer layer = layers_of(gemm, x).at(0).layer;
    EXPECT_EQ(to_string(layer.shape), "fully connected, 2 -> 3, batch 2");
    EXPECT_DOUBLE_EQ(layer.x_zeros, 0.25);
    EXPECT_EQ(layer.nonzero_multiply_adds, 2 + 3 + 2) << "of x[1], x[2] and x[3]";

    EXPECT_EQ(run_graph({{node("MatMul", {"x", "w"}, {"y"})}, {w}, {}, {}}, x).data, (Reals{0, 5, 6, 2, 19, 24}));
    EXPECT_EQ(run_graph({{node("MatMul", {"x", "w"}, {"y"})}, {w}, {}, {}}, counting({1, 2, 2})).shape,
              (NpyShape{1, 2, 3}));
    EXPECT_EQ(graph_error({{node("Gemm", {"x", "w"}, {"y"}, {attribute("transA", 1)})}, {w}, {}, {}}, x),
              "node 'y' (Gemm): its transA is 1; accepted is 0");
    EXPECT_EQ(graph_error({{node("MatMul", {"x", "x"}, {"y"})}, {}, {}, {}}, x),
              "node 'y' (MatMul): its weights must be a constant of the model");
    EXPECT_EQ(graph_error({{node("Gemm", {"x", "w"}, {"y"})}, {turned}, {}, {}}, x),
              "node 'y' (Gemm): its weights of 3x2 do not go with an operand of 2x2");
}

TEST(ModelRun, a_layer_has_the_max_pooling_that_follows) {
    const auto shape_before = [](const std::vector<Message>& pooling, const std::string& output = "c") {
        std::vector<Message> nodes{node("Conv", {"x", "w"}, {output})};
        nodes.insert(nodes.end(), pooling.begin(), pooling.end());
        return layers_of({nodes, {tensor("w", {1, 1, 1, 1}, Reals{1})}, {}, {}}, counting({1, 1, 5, 5}))
            .at(0)
            .layer.shape;
    };
    const std::vector<Message> two{attribute("kernel_shape", Sizes{2, 2}), attribute("strides", Sizes{2, 2})};
    const ConvShape pooled = shape_before({node("Relu", {"c"}, {"r"}), node("MaxPool", {"r"}, {"y"}, two)});
    EXPECT_EQ(pooled.pool_h, 2);
    EXPECT_EQ(pooled.pool_w, 2);
    EXPECT_EQ(pooled.pool_stride, 2);
    EXPECT_EQ(shape_before({node("MaxPool", {"c"}, {"m"}, two), node("Relu", {"m"}, {"y"})}), pooled);

    const auto relu_and = [&](const std::vector<Message>& attributes) {
        return shape_before({node("Relu", {"c"}, {"r"}), node("MaxPool", {"r"}, {"y"}, attributes)}).pooled();
    };
    EXPECT_FALSE(relu_and({two[0], two[1], attribute("pads", Sizes{1, 1, 1, 1})}));
    EXPECT_FALSE(relu_and({two[0], two[1], attribute("ceil_mode", 1)})) << "5 is rounded up";
    EXPECT_FALSE(relu_and({two[0], attribute("strides", Sizes{2, 1})}));
    EXPECT_FALSE(relu_and({two[0], attribute("dilations", Sizes{2, 2})}));
    EXPECT_FALSE(shape_before({node("MaxPool", {"c"}, {"y"}, two)}).pooled()) << "there is no ReLU";
    EXPECT_FALSE(
        shape_before({node("Relu", {"c"}, {"r"}), node("MaxPool", {"r"}, {"m"}, two), node("Relu", {"r"}, {"y"})})
            .pooled())
        << "another node takes the map";
}

TEST(ModelRun, layers_have_short_names_of_their_own) {
    const auto conv = [](const std::string& from, const std::string& to, const std::string& name) {
        return node("Conv", {from, "w"}, {to}, {}, name);
    };
    std::vector<std::string> names;
    for (const Seen& seen : layers_of({{conv("x", "a", "/layer1/layer1.0/conv1/Conv"), conv("a", "b", "fc 1:0"),
                                        conv("b", "c", "fc_1_0"), conv("c", "y", "")},
                                       {tensor("w", {1, 1, 1, 1}, Reals{1})},
                                       {},
                                       {}},
                                      counting({1, 1, 2, 2})))
        names.push_back(seen.layer.name);
    EXPECT_EQ(names, (std::vector<std::string>{"layer1.0.conv1", "fc_1_0", "fc_1_0-2", "y"}));
}

TEST(ModelRun, a_node_that_is_not_supported_is_named) {
    const std::string accepted =
        "; accepted are Add, AveragePool, BatchNormalization, Clip, Concat, Constant, Conv, Dropout, Flatten, Gemm, "
        "GlobalAveragePool, Identity, MatMul, MaxPool, Pad, Relu, Reshape, Softmax";
    EXPECT_EQ(graph_error({{node("Softplus", {"x"}, {"y"}, {}, "last")}, {}, {}, {}}, counting({2})),
              "node 'last' (Softplus): this operator is not supported" + accepted);
    const Message other = node("Relu", {"x"}, {"y"}).text(7, "com.microsoft");
    EXPECT_EQ(graph_error({{other}, {}, {}, {}}, counting({2})),
              "node 'y' (Relu of com.microsoft): this operator is not supported" + accepted);
}

TEST(ModelRun, bad_graphs_are_one_sentence) {
    const ModelArray x = counting({1, 1, 3, 3});
    const Message w = tensor("w", {1, 1, 2, 2}, Reals{1, 2, 3, 4});
    const auto conv = [&](const std::vector<Message>& attributes, const Message& weights) {
        return graph_error({{node("Conv", {"x", "w"}, {"y"}, attributes)}, {weights}, {}, {}}, x);
    };
    EXPECT_EQ(graph_error({{node("Relu", {"z"}, {"y"})}, {}, {}, {}}, x),
              "node 'y' (Relu): its operand 'z' is not there: no node before it makes it");
    EXPECT_EQ(graph_error({{node("Relu", {"x"}, {"z"})}, {}, {}, {}}, x), "no node makes its output 'y'");
    EXPECT_EQ(graph_error({{node("Relu", {}, {"y"})}, {}, {}, {}}, x),
              "node 'y' (Relu): it has no operand or no output");
    EXPECT_EQ(graph_error({{node("Relu", {"x"}, {"x"})}, {}, {}, {}}, x), "no node makes its output 'y'");
    EXPECT_EQ(graph_error({{node("Add", {"x", ""}, {"y"})}, {}, {}, {}}, x),
              "node 'y' (Add): its operand 1 is missing");
    EXPECT_EQ(conv({attribute("group", 3)}, w),
              "node 'y' (Conv): its weights of 1x1x2x2 do not go with 1 channels in 3 groups");
    EXPECT_EQ(conv({attribute("kernel_shape", Sizes{3, 3})}, w),
              "node 'y' (Conv): its kernel_shape is not that of its weights of 1x1x2x2");
    EXPECT_EQ(conv({attribute("strides", Sizes{0, 1})}, w),
              "node 'y' (Conv): its attribute 'strides' must be 2 integers, each at least 1 and at most 2147483647, as "
              "of a convolution over height and width");
    EXPECT_EQ(
        conv({attribute("dilations", Sizes{2147483647, 1})}, tensor("w", {1, 1, 3, 1}, Reals{1, 2, 3})),
        "node 'y' (Conv): its window of 3x1 and dilation 2147483647x1 must span 1 to 2147483647 rows and columns");
    EXPECT_EQ(conv({}, tensor("w", {2}, Reals{1, 2})),
              "node 'y' (Conv): its weights are 2; accepted are 4 dimensions: filters, channels, height, width");
    EXPECT_EQ(conv({attribute("transposed", 1)}, w),
              "node 'y' (Conv): its attribute 'transposed' is unknown; accepted are auto_pad, dilations, group, "
              "kernel_shape, pads, strides");
    EXPECT_EQ(graph_error({{node("MatMul", {"x", "w"}, {"y"}, {attribute("alpha", 2.0F)})}, {w}, {}, {}}, x),
              "node 'y' (MatMul): its attribute 'alpha' is unknown; accepted are none");
    EXPECT_EQ(conv({attribute("group", 1.5F)}, w), "node 'y' (Conv): its attribute 'group' must be an integer");
}

TEST(ModelRun, a_few_bytes_cannot_ask_for_much_memory) {
    // Each node doubles what the one before it made.
    Graph graph;
    for (int i = 0; i < 60; ++i) {
        const std::string from = i == 0 ? "x" : "v" + std::to_string(i), to = "v" + std::to_string(i + 1);
        graph.nodes.push_back(node("Concat", {from, from}, {i == 59 ? "y" : to}, {attribute("axis", 0)}));
    }
    graph.inputs = {value("x")};
    graph.outputs = {value("y")};
    const OnnxModel net = read_bytes(model(graph));
    ModelOptions options;
    options.max_elements = 1000;
    expect_contains(error_of(ErrorKind::file, [&] { run_model(net, counting({1}), options); }),
                    "(Concat): its result would be 1024; a value has 1 to 1000 elements");
}

TEST(ModelRun, takes_one_input_of_floats) {
    const auto sentence = [](const std::vector<Message>& inputs) {
        const OnnxModel net = read_bytes(model({{}, {}, inputs, {}}));
        return error_of(ErrorKind::file, [&] { model_input(net); });
    };
    expect_contains(sentence({}), "it takes 0 inputs; accepted is one");
    expect_contains(sentence({value("a"), value("b")}), "it takes 2 inputs; accepted is one");
    expect_contains(sentence({Message().text(1, "a").message(2, Message().message(1, Message().number(1, 7)))}),
                    "its input is of ONNX's type 7; accepted is float32 (1)");
}

TEST(ModelRun, can_be_stopped) {
    std::stop_source source;
    source.request_stop();
    ModelOptions options;
    options.stop = source.get_token();
    Graph graph{{node("Relu", {"x"}, {"y"})}, {}, {value("x")}, {value("y")}};
    EXPECT_EQ(error_of(ErrorKind::failed, [&] { run_model(read_bytes(model(graph)), counting({1}), options); }),
              "running the model was stopped");
}

}  // namespace
}  // namespace convscope
