// Networks of preset files: which layers, how often, and whether they chain.
#include "kernels/layers/network.h"

#include <gtest/gtest.h>

#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

const std::string head = "family = \"my\"\n[network]\ntitle = \"My net\"\nprofile = \"Chosen.\"\n";

/// A layer of 3x3 filters without padding.
std::string layer(const std::string& name, int c, int size, int k, const std::string& more = "") {
    return "[[preset]]\nname = \"" + name + "\"\nc = " + std::to_string(c) + "\nh = " + std::to_string(size) +
           "\nw = " + std::to_string(size) + "\nk = " + std::to_string(k) + "\nr = 3\ns = 3\n" +
           "sparsity_from = \"ramp\"\n" + more;
}

Network network(const std::string& text) {
    TempFolder folder;
    return find_network(folder.write("p.toml", text).string());
}

std::string rejection(const std::string& text) {
    TempFolder folder;
    const auto path = folder.write("p.toml", text);
    const std::string sentence = error_of(ErrorKind::file, [&] { find_network(path.string()); });
    EXPECT_EQ(sentence.rfind(path.string(), 0), 0u) << sentence;
    return sentence.substr(std::min(sentence.size(), path.string().size()));
}

TEST(Network, has_the_layers_of_its_file_in_order) {
    const Network net = network(head + "chain = true\n" + layer("b", 1, 8, 2) + layer("a", 2, 6, 3, "times = 0\n") +
                                layer("a+pool", 2, 6, 3, "pool = 2\npool_stride = 2\ntimes = 4\n"));
    EXPECT_EQ(net.name, "my");
    EXPECT_EQ(net.head.title, "My net");
    EXPECT_EQ(net.head.profile, "Chosen.");
    EXPECT_TRUE(net.head.chain);
    ASSERT_EQ(net.layers.size(), 2u);
    EXPECT_EQ(layer_name(net.layers[0]), "b");
    EXPECT_EQ(net.layers[0].times, 1);
    EXPECT_EQ(net.layers[0].sparsity_from, SparsityFrom::ramp);
    EXPECT_EQ(layer_name(net.layers[1]), "a+pool");
    EXPECT_EQ(net.layers[1].times, 4);
}

TEST(Network, zeros_that_no_source_prints_are_called_ours) {
    Network vgg = find_network("vgg19");
    EXPECT_EQ(zeros_text(vgg), vgg.head.profile + " What no paper prints is our choice.");
    for (Preset& layer : vgg.layers) layer.sparsity_from = SparsityFrom::measured;
    EXPECT_EQ(zeros_text(vgg), vgg.head.profile);
}

TEST(Network, vgg_has_sixteen_layers_five_of_them_pooled) {
    const Network vgg = find_network("vgg19");
    EXPECT_EQ(vgg.layers.size(), 16u);
    int pooled = 0, printed = 0;
    for (const Preset& layer : vgg.layers) {
        pooled += layer.spec.shape.pooled() ? 1 : 0;
        printed += layer.sparsity_from == SparsityFrom::printed ? 1 : 0;
    }
    EXPECT_EQ(pooled, 5);
    EXPECT_EQ(printed, 2);
    EXPECT_EQ(vgg.layers[0].sparsity_from, SparsityFrom::image);
    require_chain(vgg);
}

TEST(Network, vgg_with_its_fully_connected_layers_has_the_layers_of_vgg_and_three_more) {
    const Network vgg = find_network("vgg19"), all = find_network("vgg19fc");
    ASSERT_EQ(all.layers.size(), vgg.layers.size() + 3);
    for (std::size_t i = 0; i < vgg.layers.size(); ++i) {
        EXPECT_EQ(layer_name(all.layers[i]), layer_name(vgg.layers[i]));
        EXPECT_EQ(all.layers[i].spec.shape, vgg.layers[i].spec.shape) << i;
        EXPECT_EQ(all.layers[i].spec.sparsity, vgg.layers[i].spec.sparsity) << i;
        EXPECT_EQ(all.layers[i].sparsity_from, vgg.layers[i].sparsity_from) << i;
    }
    for (const char* name : {"fc6", "fc7", "fc8"}) {
        const Preset layer = take_layers(all, {name}).layers.front();
        const Preset& alone = find_preset(std::string("vgg19/") + name);
        EXPECT_EQ(layer.spec.shape, alone.spec.shape) << name;
        EXPECT_EQ(layer.spec.sparsity, alone.spec.sparsity) << name;
    }
    std::int64_t weights = 0, outputs = 0;
    for (const Preset& layer : all.layers) {
        weights += layer.spec.shape.w_elements();
        outputs += layer.spec.shape.k;
    }
    EXPECT_EQ(weights + outputs, 143'667'240) << "144 million, Simonyan & Zisserman 2014, Table 2";
    EXPECT_TRUE(zeros_text(all).ends_with(" What no paper prints is our choice."));
}

TEST(Network, describes_fully_connected_layers_by_inputs_and_outputs) {
    EXPECT_EQ(layer_text(find_preset("vgg19/fc6").spec.shape), "fully connected, 25088 -> 4096");
}

TEST(Network, every_chain_of_the_presets_chains) {
    ASSERT_FALSE(all_networks().empty());
    for (const Network& network : all_networks()) {
        EXPECT_FALSE(network.head.profile.empty()) << network.name;
        EXPECT_EQ(network.head.profile.find('\n'), std::string::npos) << network.name;
        if (network.head.chain) {
            EXPECT_NO_THROW(require_chain(network)) << network.name;
        }
        for (const Preset& layer : network.layers)
            if (layer.sparsity_from == SparsityFrom::image || layer.sparsity_from == SparsityFrom::dense) {
                EXPECT_EQ(layer.spec.sparsity, 0) << layer.spec.name;
            }
    }
}

TEST(Network, is_found_or_the_nearest_are_named) {
    expect_contains(error_of(ErrorKind::not_found, [] { find_network("vgg16"); }),
                    "no network 'vgg16'; the nearest is vgg19");
    expect_contains(error_of(ErrorKind::not_found, [] { find_network("zzzzzzzz"); }),
                    "no network 'zzzzzzzz'; the networks are ");
    expect_contains(error_of(ErrorKind::not_found, [] { find_network("mec"); }),
                    "the presets mec/... are not a network; the networks are ");
    expect_contains(rejection("family = \"my\"\n[[preset]]\nname = \"a\"\nc = 1\nh = 8\nw = 8\nk = 1\nr = 3\ns = 3\n"),
                    " is not a network: it has no [network] table");
}

TEST(Network, takes_some_layers_in_its_own_order) {
    const Network part = take_layers(find_network("vgg19"), {"conv2_2", "conv1_1", "conv5_4+pool"});
    ASSERT_EQ(part.layers.size(), 3u);
    EXPECT_EQ(layer_name(part.layers[0]), "conv1_1");
    EXPECT_EQ(layer_name(part.layers[1]), "conv2_2+pool");
    EXPECT_EQ(layer_name(part.layers[2]), "conv5_4+pool");
    expect_contains(error_of(ErrorKind::not_found, [] { take_layers(find_network("vgg19"), {"conv5_9"}); }),
                    "vgg19 has no layer 'conv5_9'; the nearest are conv5_");
    expect_contains(error_of(ErrorKind::not_found, [] { take_layers(find_network("vgg19"), {""}); }),
                    "vgg19 has no layer ''");
}

std::string break_in(const std::string& text) {
    return error_of(ErrorKind::usage, [&] { require_chain(network(text)); });
}

TEST(Network, names_the_two_layers_that_do_not_chain) {
    EXPECT_EQ(break_in(head + "chain = true\n" + layer("a", 1, 8, 2) + layer("b", 2, 5, 2)),
              "my does not chain: a gives 2x6x6, but b takes 2x5x5");
    EXPECT_EQ(break_in(head + "chain = true\n" + layer("a", 1, 8, 2) + layer("b", 3, 6, 2)),
              "my does not chain: a gives 2x6x6, but b takes 3x6x6");
    EXPECT_EQ(break_in(head + layer("a", 1, 8, 2) + layer("b", 2, 6, 2)),
              "my does not chain: between a and b it branches or does more than ReLU and pooling");
    EXPECT_EQ(break_in(head + "chain = true\n" + layer("a", 1, 8, 2, "times = 3\n") + layer("b", 2, 6, 2)),
              "my does not chain: a stands for 3 layers, and gives 2x6x6 but takes 1x8x8");
    EXPECT_NO_THROW(require_chain(network(head + layer("a", 1, 8, 2))));
}

TEST(Network, files_are_rejected_with_their_place) {
    const std::string good = layer("a", 1, 8, 2);
    EXPECT_EQ(rejection("family = \"my\"\n[network]\nprofile = \"x\"\n" + good), ":2:1: this network has no 'title'");
    EXPECT_EQ(rejection("family = \"my\"\n[network]\ntitle = \"x\"\n" + good), ":2:1: this network has no 'profile'");
    EXPECT_EQ(rejection(head + "chain = 1\n" + good), ":5:9: 'chain' is 1; it must be true or false");
    EXPECT_EQ(rejection("family = \"my\"\nnetwork = true\n" + good),
              ":2:11: 'network' is true; it must be a table headed by [network]");
    EXPECT_EQ(rejection(head + "colour = 1\n" + good),
              ":5:1: unknown key 'colour' in this network; accepted are chain, profile, title");
    EXPECT_EQ(rejection(head + layer("a", 1, 8, 2, "times = -1\n")),
              ":14:9: 'times' is -1; it must be a whole number of at least 0");
    EXPECT_EQ(rejection(head + layer("a", 1, 8, 2, "times = 0\n")),
              ":2:1: this network has no layer: every preset has 'times = 0'");
    EXPECT_EQ(rejection(head + "[[preset]]\nname = \"a\"\nc = 1\nh = 8\nw = 8\nk = 1\nr = 3\ns = 3\n"),
              ":5:1: this preset has no 'sparsity_from'");
    EXPECT_EQ(rejection(head + "[[preset]]\nname = \"a\"\nc = 1\nh = 8\nw = 8\nk = 1\nr = 3\ns = 3\n"
                               "sparsity_from = \"guess\"\n"),
              ":13:17: 'sparsity_from' is 'guess'; it must be one of image, printed, ramp, chosen, measured, dense");
    expect_contains(rejection("family = \"my\"\n" + layer("a", 1, 8, 2)),
                    ":10:1: unknown key 'sparsity_from' in this preset; accepted are ");
}

}  // namespace
}  // namespace convscope
