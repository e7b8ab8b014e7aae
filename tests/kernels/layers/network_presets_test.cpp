// The networks under presets/ have the layers that were published: counts of layers, of parameters, sizes of maps.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/layers/network.h"
#include "kernels/layers/workload.h"

namespace convscope {
namespace {

struct Totals {
    std::int64_t layers = 0, convolutions = 0;  ///< as listed, and with groups and repetitions counted
    std::int64_t weights = 0, filters = 0, inputs = 0;
    double multiply_adds = 0;
};

Totals totals(const std::string& name) {
    Totals sum;
    for (const Preset& layer : find_network(name).layers) {
        const ConvShape& shape = layer.spec.shape;
        ++sum.layers;
        sum.convolutions += layer.times;
        sum.weights += layer.times * shape.w_elements();
        sum.filters += layer.times * shape.k;
        sum.inputs += shape.c;
        sum.multiply_adds += static_cast<double>(layer.times) * shape.flops_dense() / 2;
    }
    return sum;
}

std::int64_t dense(std::int64_t in, std::int64_t out) {
    return in * out + out;
}

/// Output height of a layer's convolution.
std::int64_t size_of(const std::string& layer) {
    return find_preset(layer).spec.shape.p();
}

TEST(NetworkPresets, resnet50_has_its_published_parameters_and_maps) {
    const Totals net = totals("resnet50");
    EXPECT_EQ(net.layers, 53);
    // Every convolution is followed by a normalisation with two parameters for each filter.
    EXPECT_EQ(net.weights + 2 * net.filters + dense(2048, 1000), 25'557'032);
    for (const auto& [layer, size] : std::map<std::string, int>{{"conv1", 112},  // He et al. 2015, Table 1
                                                                {"conv2", 56},
                                                                {"conv10", 56},
                                                                {"conv12", 28},
                                                                {"conv22", 28},
                                                                {"conv24", 14},
                                                                {"conv40", 14},
                                                                {"conv42", 7},
                                                                {"conv49", 7},
                                                                {"projection2", 56},
                                                                {"projection3", 28},
                                                                {"projection4", 14},
                                                                {"projection5", 7}})
        EXPECT_EQ(size_of("resnet50/" + layer), size) << layer;
    // The layers whose sparsity Xu 2022, Table 3, prints read maps of the printed size.
    EXPECT_EQ(find_preset("resnet50/conv42").spec.shape.h, 14);
    EXPECT_EQ(find_preset("resnet50/conv42").spec.sparsity, 0.86);
    EXPECT_EQ(find_preset("resnet50/conv46").spec.shape.h, 7);
    EXPECT_EQ(find_preset("resnet50/conv46").spec.sparsity, 0.9);
}

TEST(NetworkPresets, densenet121_has_its_published_parameters_and_maps) {
    const Totals net = totals("densenet121");
    EXPECT_EQ(net.layers, 120);  // as Xu 2022, section 8.2.1, counts them
    // A normalisation stands before every convolution but the first, one after that, and one at the end.
    const std::int64_t normalisations = 2 * (net.inputs - 3 + 64 + 1024);
    EXPECT_EQ(net.weights + normalisations + dense(1024, 1000), 7'978'856);
    for (const auto& [layer, size] : std::map<std::string, int>{{"conv0", 112},  // Huang et al. 2017, Table 1
                                                                {"db1.6b", 56},
                                                                {"t1", 56},
                                                                {"db2.12b", 28},
                                                                {"t2", 28},
                                                                {"db3.24b", 14},
                                                                {"t3", 14},
                                                                {"db4.16b", 7}})
        EXPECT_EQ(size_of("densenet121/" + layer), size) << layer;
    EXPECT_EQ(find_preset("densenet121/t3").spec.shape.out_h(), 7);
}

TEST(NetworkPresets, regnetx16_gf_has_its_published_parameters_and_maps) {
    const Totals net = totals("regnetx16gf");
    EXPECT_EQ(net.layers, 71);  // as Xu 2022, section 8.2.1, counts them
    EXPECT_EQ(net.weights + 2 * net.filters + dense(2048, 1000), 54'278'536);
    for (const auto& [layer, size] : std::map<std::string, int>{
             {"stem", 112}, {"s1.b2c", 56}, {"s2.b6c", 28}, {"s3.b13c", 14}, {"s4.b1c", 7}, {"s4.projection", 7}})
        EXPECT_EQ(size_of("regnetx16gf/" + layer), size) << layer;
    for (const Preset& layer : find_network("regnetx16gf").layers)
        EXPECT_FALSE(layer.spec.shape.pooled()) << layer.spec.name;
}

TEST(NetworkPresets, regnetx400_mf_has_its_published_parameters_and_maps) {
    const Totals net = totals("regnetx400mf");
    EXPECT_EQ(net.layers, 71);
    EXPECT_EQ(net.weights + 2 * net.filters + dense(384, 1000), 5'157'512);  // "5.2M", Radosavovic et al. 2020
    EXPECT_EQ(net.multiply_adds + 384 * 1000, 397'677'568);                  // "400MF", likewise
    for (const Preset& layer : find_network("regnetx400mf").layers) {
        const ConvShape& shape = layer.spec.shape;
        EXPECT_EQ(shape.group_channels(), shape.r == 3 && shape.c != 3 ? 16 : shape.c) << layer.spec.name;
    }
    for (const auto& [layer, size] : std::map<std::string, int>{
             {"stem", 112}, {"s1.b1c", 56}, {"s2.b2c", 28}, {"s3.b7c", 14}, {"s4.b12c", 7}, {"s4.projection", 7}})
        EXPECT_EQ(size_of("regnetx400mf/" + layer), size) << layer;
}

TEST(NetworkPresets, mobilenetv2_has_its_published_parameters_and_maps) {
    const Totals net = totals("mobilenetv2");
    EXPECT_EQ(net.layers, 52);
    EXPECT_EQ(net.weights + 2 * net.filters + dense(1280, 1000), 3'504'872);
    EXPECT_EQ(net.multiply_adds + 1280 * 1000, 300'774'272);  // "300M", Sandler et al. 2018, Table 4
    for (const Preset& layer : find_network("mobilenetv2").layers) {
        const ConvShape& shape = layer.spec.shape;
        const bool depthwise = layer.spec.name.ends_with("depthwise");
        EXPECT_EQ(shape.groups, depthwise ? shape.c : 1) << layer.spec.name;
    }
    for (const auto& [layer, size] : std::map<std::string, int>{
             {"stem", 112}, {"b2.depthwise", 56}, {"b4.depthwise", 28}, {"b7.depthwise", 14}, {"b14.depthwise", 7}})
        EXPECT_EQ(size_of("mobilenetv2/" + layer), size) << layer;
}

TEST(NetworkPresets, alexnet_has_its_published_parameters_and_maps) {
    const Totals net = totals("alexnet");
    EXPECT_EQ(net.layers, 5);
    EXPECT_EQ(net.weights + net.filters + dense(256 * 6 * 6, 4096) + dense(4096, 4096) + dense(4096, 1000), 61'100'840);
    EXPECT_EQ(size_of("alexnet/conv1"), 55);
    EXPECT_EQ(find_preset("alexnet/conv5").spec.shape.out_h(), 6);
}

TEST(NetworkPresets, googlenet_has_its_published_parameters_and_maps) {
    const Totals net = totals("googlenet");
    EXPECT_EQ(net.layers, 57);
    EXPECT_EQ(net.weights + net.filters + dense(1024, 1000), 6'998'552);
    for (const auto& [layer, size] : std::map<std::string, int>{
             {"conv1", 112}, {"conv2.2", 56}, {"inception3b.5", 28}, {"inception4e.3", 14}, {"inception5b.7", 7}})
        EXPECT_EQ(size_of("googlenet/" + layer), size) << layer;
    // The branches of a module together are the input of the next: Szegedy et al. 2015, Table 1.
    const auto outputs = [](const std::string& module) {
        std::int64_t sum = 0;
        for (const char* branch : {".1", ".3", ".5", ".7"})
            sum += find_preset("googlenet/inception" + module + branch).spec.shape.k;
        return sum;
    };
    for (const auto& [module, next] : std::map<std::string, std::string>{
             {"3a", "3b"}, {"3b", "4a"}, {"4a", "4b"}, {"4b", "4c"}, {"4c", "4d"}, {"4d", "4e"}, {"4e", "5a"}})
        EXPECT_EQ(outputs(module), find_preset("googlenet/inception" + next + ".1").spec.shape.c) << module;
    EXPECT_EQ(outputs("5b"), 1024);
}

TEST(NetworkPresets, lenet_has_its_published_parameters_and_maps) {
    const Totals net = totals("lenet");
    EXPECT_EQ(net.layers, 2);
    EXPECT_EQ(net.weights + net.filters + dense(50 * 4 * 4, 500) + dense(500, 10), 431'080);
    EXPECT_EQ(find_preset("lenet/conv2").spec.shape.out_h(), 4);
}

TEST(NetworkPresets, the_trained_networks_maps_are_those_of_its_layers) {
    for (const auto& [name, layers] : {std::pair("shapes", 9U), {"resnet8", 10U}}) {
        const Network net = find_network(name);
        EXPECT_EQ(net.layers.size(), layers);
        for (const Preset& layer : net.layers) {
            const Workload workload = make_workload(layer.spec);
            EXPECT_EQ(workload.spec.shape, layer.spec.shape) << layer.spec.name;
            EXPECT_EQ(workload.sparsity_measured, layer.spec.sparsity) << layer.spec.name;
        }
    }
}

TEST(NetworkPresets, resnet8_has_its_own_weights) {
    std::int64_t weights = 0;
    for (const Preset& layer : find_network("resnet8").layers) {
        EXPECT_FALSE(layer.spec.weights_path.empty()) << layer.spec.name;
        weights += make_workload(layer.spec).w.elements();
    }
    EXPECT_EQ(weights, 77'072);
}

TEST(NetworkPresets, a_trained_network_in_another_batch_says_that_its_inputs_are_drawn) {
    const Network named = find_network("shapes");
    Network network = named;
    draw_where_values_do_not_fit(network, named);
    EXPECT_EQ(network.head.profile, named.head.profile);
    for (Preset& layer : network.layers) layer.spec.shape.n = 2;
    draw_where_values_do_not_fit(network, named);
    EXPECT_EQ(network.layers.front().spec.source, Source::uniform);
    EXPECT_EQ(network.layers.front().spec.sparsity, named.layers.front().spec.sparsity);
    EXPECT_EQ(network.layers.front().sparsity_from, SparsityFrom::unsaid);
    EXPECT_EQ(network.head.profile.rfind("Drawn", 0), 0u) << network.head.profile;
}

TEST(NetworkPresets, resnet101_has_the_layers_and_weights_of_cho_and_brand) {
    // Table 3's layers are those of Table 2.
    const Network net = find_network("resnet101");
    const std::map<std::string, int> weights{{"cv4", 1}, {"cv9", 3}, {"cv10", 4}, {"cv11", 23}, {"cv12", 3}};
    EXPECT_EQ(net.layers.size(), weights.size());
    for (const Preset& layer : net.layers) {
        EXPECT_EQ(layer.times, weights.at(layer_name(layer)));
        EXPECT_EQ(layer.spec.shape, find_preset("mec/" + layer_name(layer)).spec.shape) << layer.spec.name;
    }
}

}  // namespace
}  // namespace convscope
