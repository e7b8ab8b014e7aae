// A model as a network of presets whose data are files.
#include "kernels/onnx/model_network.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/kernels/onnx/run_graph.h"

namespace convscope {
namespace {

const std::string lenet = std::string(ONNX_DATA) + "/lenet.onnx", lenet_input = std::string(ONNX_DATA) + "/lenet-x.npy";

TEST(ModelNetwork, its_layers_make_the_data_that_the_model_saw) {
    const TempFolder folder;
    const ModelNetwork model = run_as_network(lenet, lenet_input, {}, folder / "", {});
    const Network& network = model.network;
    EXPECT_EQ(network.name, "lenet");
    EXPECT_EQ(network.head.title, "lenet.onnx on lenet-x.npy");
    ASSERT_EQ(network.layers.size(), 4U);
    ASSERT_EQ(model.layers.size(), 4U);
    EXPECT_EQ(layer_text(network.layers[0].spec.shape), "1x28x28 * 6x5x5, pool 2");
    EXPECT_EQ(layer_text(network.layers[3].spec.shape), "fully connected, 20 -> 10");
    for (const Preset& layer : network.layers) {
        const ModelLayer& found = model.layer(layer);
        EXPECT_EQ(layer_name(layer), found.name);
        const Workload data = make_workload(layer.spec);
        EXPECT_EQ(data.spec.shape, found.shape) << "the files have the layer's sizes";
        EXPECT_DOUBLE_EQ(data.sparsity_measured, found.x_zeros);
        EXPECT_DOUBLE_EQ(data.sparsity_measured, layer.spec.sparsity);
        EXPECT_EQ(layer.sparsity_from, SparsityFrom::measured);
    }
    EXPECT_EQ(model.layers[0].x_zeros, 0);
    EXPECT_GT(model.layers[1].x_zeros, 0) << "ReLU has left zeros";
    EXPECT_EQ(read_npy(network.layers[0].spec.input_path).data, read_npy(lenet_input).data);
    expect_contains(network.layers[0].source_text, "' (Conv) of lenet.onnx: x is what it saw of lenet-x.npy");
    ASSERT_EQ(model.outputs.size(), 1U);
    EXPECT_EQ(model.outputs[0].array.shape, (NpyShape{1, 10}));
}

TEST(ModelNetwork, the_trained_model_sees_what_the_presets_of_its_layers_have) {
    const TempFolder folder;
    const std::filesystem::path models = MODELS;
    const ModelNetwork model = run_as_network(models / "resnet8.onnx", models / "boot.png", {}, folder / "", {});
    const Network presets = find_network("resnet8");
    ASSERT_EQ(model.network.layers.size(), presets.layers.size());
    for (std::size_t i = 0; i < presets.layers.size(); ++i) {
        const Workload saw = make_workload(model.network.layers[i].spec), has = make_workload(presets.layers[i].spec);
        const std::string& name = presets.layers[i].spec.name;
        EXPECT_EQ(saw.spec.shape, has.spec.shape) << name;
        EXPECT_EQ(saw.w.data, has.w.data) << name;
        ASSERT_EQ(saw.x.data.size(), has.x.data.size()) << name;
        for (std::size_t at = 0; at < has.x.data.size(); ++at)
            ASSERT_NEAR(saw.x.data[at], has.x.data[at], 1e-4) << name << ", " << at;
    }
    const std::vector<float>& kinds = model.outputs.at(0).array.data;
    EXPECT_EQ(std::ranges::max_element(kinds) - kinds.begin(), 9) << "an ankle boot";
}

TEST(ModelNetwork, an_input_is_drawn_where_none_is_given) {
    const TempFolder folder;
    const Network once = run_as_network(lenet, {}, {}, folder / "", {}).network;
    EXPECT_EQ(once.head.title, "lenet.onnx on drawn values");
    expect_contains(once.head.profile, "drawn, from -1 to 1 with seed 1");
    const std::vector<float> x = read_npy(once.layers[0].spec.input_path).data;
    EXPECT_EQ(std::ranges::count(x, 0.0F), 0);
    EXPECT_TRUE(std::ranges::all_of(x, [](float value) { return value > -1 && value < 1; }));
    run_as_network(lenet, {}, {}, folder / "", {});
    EXPECT_EQ(read_npy(once.layers[0].spec.input_path).data, x) << "the same each time";
    // A model that leaves its sizes open has none to draw.
    const auto path = folder.write(
        "net.onnx",
        testing::model({{testing::node("Relu", {"x"}, {"y"})}, {}, {testing::value("x")}, {testing::value("y")}}));
    expect_contains(error_of(ErrorKind::file, [&] { run_as_network(path, {}, {}, folder / "", {}); }),
                    "net.onnx: no values can be drawn for its input 'x', which is ?x?x?x?: give it a picture or a .npy "
                    "array");
}

TEST(ModelNetwork, a_model_without_a_layer_is_rejected) {
    const TempFolder folder;
    const auto path = folder.write(
        "net.onnx",
        testing::model({{testing::node("Relu", {"x"}, {"y"})}, {}, {testing::value("x")}, {testing::value("y")}}));
    expect_contains(error_of(ErrorKind::file, [&] { run_as_network(path, lenet_input, {}, folder / "", {}); }),
                    "net.onnx: it has no convolution and no fully connected layer; accepted is a model with one");
}

}  // namespace
}  // namespace convscope
