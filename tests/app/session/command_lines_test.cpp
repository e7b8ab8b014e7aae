// The command lines of the live plot and the network plot are ones that the program takes.
#include "app/session/command_lines.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "app/session/session.h"

namespace convscope::app {
namespace {

struct CommandLines : ::testing::Test {
    std::unique_ptr<Registry> registry = make_registry();
    Session session = make_session(*registry);
};

TEST_F(CommandLines, name_the_preset_or_every_size) {
    choose_device(session, *registry, "cpu");
    session.choices.live_methods = {"im2col", "onednn"};
    EXPECT_EQ(
        bench_command(session, *registry),
        "convscope bench --preset examples/xu-fig4 --device cpu --methods im2col,onednn --scope kernel --cache hot");
    session.choices.workload.shape.pad_h = session.choices.workload.shape.pad_w = 1;
    edit_workload(session);
    const std::string custom = bench_command(session, *registry);
    EXPECT_NE(custom.find("--h 5"), std::string::npos) << custom;
    EXPECT_NE(custom.find("--pad 1"), std::string::npos) << custom;
    EXPECT_EQ(custom.find("--preset"), std::string::npos) << custom;
    session.choices.workload.shape.pad_extra_w = -1;
    edit_workload(session);
    EXPECT_NE(bench_command(session, *registry).find("--pad 1x1x1x0"), std::string::npos) << "of each side";
}

TEST_F(CommandLines, have_the_zeros_in_the_weights) {
    choose_device(session, *registry, "cpu");
    session.choices.live_methods = {"im2col"};
    WorkloadSpec& spec = session.choices.workload;
    spec.weight_pattern = WeightPattern::two_of_four;
    spec.weight_sparsity = 0.5;
    edit_workload(session);
    EXPECT_EQ(session.good.source, Source::example) << "its values stay";
    const std::string example = bench_command(session, *registry);
    EXPECT_TRUE(example.starts_with("convscope bench --preset examples/xu-fig4 --sparsity 0.64 ")) << example;
    EXPECT_NE(example.find(" --weight-sparsity 0.5 --weight-pattern 2:4 "), std::string::npos) << example;
    spec.source = Source::blobs;
    edit_workload(session);
    const std::string drawn = bench_command(session, *registry);
    EXPECT_EQ(drawn.find("--preset"), std::string::npos) << drawn;
    EXPECT_NE(drawn.find(" --weight-sparsity 0.5 --weight-pattern 2:4 "), std::string::npos) << drawn;
}

TEST_F(CommandLines, name_the_files_of_a_layer_from_files) {
    choose_device(session, *registry, "cpu");
    session.choices.live_methods = {"im2col"};
    session.good.source = Source::file;
    session.good.input_path = "/data/my x.npy";
    session.good.weights_path = "/data/w.npy";
    const std::string command = bench_command(session, *registry);
    EXPECT_NE(command.find("--input '/data/my x.npy' --weights /data/w.npy"), std::string::npos) << command;
    for (const char* flag : {"--sparsity", "--h ", "--r "}) EXPECT_EQ(command.find(flag), std::string::npos) << command;
}

TEST_F(CommandLines, give_a_method_with_a_block_of_its_own_its_line) {
    choose_device(session, *registry, "sim");
    session.choices.live_methods = {"ecr1", "ecr2", "im2col"};
    session.choices.launch["ecr1"].block = Dim3{64, 1, 1};
    const std::string text = bench_command(session, *registry);
    const std::size_t end = text.find('\n');
    ASSERT_NE(end, std::string::npos) << text;
    EXPECT_NE(text.substr(0, end).find("--methods ecr2,im2col"), std::string::npos) << text;
    EXPECT_NE(text.substr(end).find("--methods ecr1"), std::string::npos) << text;
    EXPECT_NE(text.substr(end).find("--block 64x1x1"), std::string::npos) << text;
}

TEST_F(CommandLines, of_a_network_have_its_batch_and_chain) {
    choose_device(session, *registry, "cpu");
    session.network.name = "alexnet";
    session.network.n = 4;
    session.network.methods = {"im2col"};
    session.network.chain = true;
    EXPECT_EQ(network_command(session, *registry),
              "convscope network --preset alexnet --n 4 --device cpu --methods im2col --scope kernel --cache hot "
              "--min-samples 5 --max-noise 3 --timeout 1.5 --chain");
    session.network.methods = std::vector<std::string>{};
    EXPECT_EQ(network_command(session, *registry), "");
}

TEST_F(CommandLines, of_a_model_resize_a_picture_and_no_array) {
    session.model.network = std::make_shared<const Network>(find_network("alexnet"));
    session.network.model = "/nets/net.onnx";
    session.network.name = model_name(session.network);
    session.network.n = session.model.network->layers.front().spec.shape.n;
    for (const auto& [input, resized] : {std::pair("/x.png", true), {"/x.npy", false}, {"/array", false}}) {
        session.network.input = input;
        const std::string text = network_command(session, *registry);
        EXPECT_NE(text.find(std::string("--model /nets/net.onnx --input ") + input), std::string::npos) << text;
        EXPECT_EQ(text.find("--resize bilinear") != std::string::npos, resized) << text;
    }
}

TEST_F(CommandLines, of_a_model_on_drawn_values_name_the_model_alone) {
    session.model.network = std::make_shared<const Network>(find_network("alexnet"));
    session.network.model = "/nets/net.onnx";
    session.network.name = model_name(session.network);
    session.network.n = session.model.network->layers.front().spec.shape.n;
    const std::string text = network_command(session, *registry);
    EXPECT_NE(text.find(" --model /nets/net.onnx --methods "), std::string::npos) << text;
    EXPECT_EQ(text.find("--input"), std::string::npos) << text;
    session.network.n += 1;
    EXPECT_EQ(network_command(session, *registry), "");
}

TEST_F(CommandLines, of_a_models_layer_write_its_files_first) {
    choose_device(session, *registry, "cpu");
    session.choices.live_methods = {"im2col"};
    Network network = find_network("alexnet");
    network.layers.front().spec.input_path = "/tmp/run 1/conv1-x.npy";
    session.model.network = std::make_shared<const Network>(std::move(network));
    session.network.model = "/nets/my net.onnx";
    session.network.input = "/x.png";
    session.good.source = Source::file;
    session.good.input_path = "/tmp/run 1/conv1-x.npy";
    session.good.weights_path = "/tmp/run 1/conv1-w.npy";
    const std::string text = bench_command(session, *registry);
    const char* const first =
        "convscope network --model '/nets/my net.onnx' --input /x.png --resize bilinear --out my_net-layers "
        "--run-only\n"
        "convscope bench ";
    EXPECT_TRUE(text.starts_with(first)) << text;
    EXPECT_NE(text.find(" --input 'my_net-layers/conv1-x.npy' --weights 'my_net-layers/conv1-w.npy' "),
              std::string::npos)
        << text;
    // A file of the user's own is named as it is.
    session.good.input_path = "/data/conv1-x.npy";
    const std::string own = bench_command(session, *registry);
    EXPECT_TRUE(own.starts_with("convscope bench ")) << own;
    EXPECT_NE(own.find(" --input /data/conv1-x.npy "), std::string::npos) << own;
}

}  // namespace
}  // namespace convscope::app
