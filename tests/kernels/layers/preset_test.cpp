// The presets that convscope ships.
#include "kernels/layers/preset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "kernels/files/preset_folder.h"
#include "kernels/layers/fully_connected.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/support/paper_examples.h"

namespace convscope {
namespace {

const ConvShape& shape(const std::string& name) {
    return find_preset(name).spec.shape;
}

TEST(Presets, are_all_there) {
    std::map<std::string, int> count;
    for (const Preset& preset : all_presets()) ++count[preset.spec.name.substr(0, preset.spec.name.find('/'))];
    EXPECT_EQ(count["chang"], (6 + 7) * 3);
    EXPECT_EQ(count["examples"], 3);
    EXPECT_EQ(count["grisett"], 1);
    EXPECT_EQ(count["mec"], 12);
    EXPECT_EQ(count["alexnet"], 5 + 3);
    EXPECT_EQ(count["vgg19"], 16 + 5 + 3);
    EXPECT_EQ(count["vgg19fc"], 16 + 3);
    EXPECT_EQ(count["xu2019"], 10);
    EXPECT_EQ(count["xu2022"], 14);
}

TEST(Presets, begin_with_the_examples_and_the_networks_with_real_maps) {
    std::vector<std::string> families;
    for (const Preset& preset : all_presets())
        if (std::string family = preset.spec.name.substr(0, preset.spec.name.find('/'));
            families.empty() || families.back() != family)
            families.push_back(std::move(family));
    ASSERT_GT(families.size(), 4U);
    EXPECT_EQ(families[0], "examples");
    EXPECT_EQ(families[1], "resnet8");
    EXPECT_EQ(families[2], "shapes");
    EXPECT_TRUE(std::is_sorted(families.begin() + 3, families.end()));
}

TEST(Presets, say_where_their_figures_come_from) {
    for (const Preset& preset : all_presets()) {
        EXPECT_FALSE(preset.source_text.empty()) << preset.spec.name;
        EXPECT_EQ(preset.source_text.find('\n'), std::string::npos) << preset.spec.name;
    }
}

TEST(Presets, have_the_sparsity_they_ask_for) {
    for (const char* name : {"vgg19/conv5_1", "xu2022/googlenet-inception4a.1", "xu2019/lenet-conv2"}) {
        const WorkloadSpec& spec = find_preset(name).spec;
        EXPECT_NEAR(make_workload(spec).sparsity_measured, spec.sparsity,
                    0.5 / static_cast<double>(spec.shape.x_elements()))
            << name;
    }
}

TEST(Presets, examples_are_those_of_the_papers) {
    struct Example {
        const char *preset, *key, *input;
    };
    for (const Example& example : {Example{"examples/xu-fig4", "ecr_figure_4", "feature_map"},
                                   Example{"examples/xu-fig7", "pecr_figures_7_8", "feature_map"},
                                   Example{"examples/cho-fig1", "mec_figures_1_2", "input"}}) {
        const WorkloadSpec& spec = find_preset(example.preset).spec;
        const nlohmann::json& paper = testing::paper_examples().at(example.key);
        EXPECT_EQ(spec.example_x, testing::numbers(paper.at(example.input))) << example.preset;
        EXPECT_EQ(spec.example_w, testing::numbers(paper.at("kernel"))) << example.preset;
        EXPECT_EQ(spec.shape.stride_h, paper.at("stride").get<int>());
        EXPECT_EQ(make_workload(spec).x.data, spec.example_x);
    }
    EXPECT_EQ(to_string(shape("examples/xu-fig7")), "1x1x5x5 * 1x1x3x3, stride 1, pad 0, pool 2 stride 1");
}

TEST(Presets, mec_has_the_sizes_of_table_2) {
    EXPECT_EQ(to_string(shape("mec/cv1")), "1x3x227x227 * 96x3x11x11, stride 4, pad 0");
    EXPECT_EQ(to_string(shape("mec/cv4")), "1x64x224x224 * 64x64x7x7, stride 2, pad 0");
    EXPECT_EQ(to_string(shape("mec/cv12")), "1x512x7x7 * 512x512x3x3, stride 1, pad 0");
    // The dense GFLOP of three of them at batch 32, by hand: 2 * 32 * k * p * q * c * r * s.
    EXPECT_NEAR(32 * shape("mec/cv1").flops_dense(), 6.75e9, 0.005e9);
    EXPECT_NEAR(32 * shape("mec/cv6").flops_dense(), 7.55e9, 0.005e9);
    EXPECT_NEAR(32 * shape("mec/cv12").flops_dense(), 3.77e9, 0.006e9);
}

TEST(Presets, chang_has_the_ranges_of_figures_4_and_5) {
    EXPECT_EQ(to_string(shape("chang/single-28-k1")), "1x1x28x28 * 512x1x1x1, stride 1, pad 0");
    EXPECT_EQ(to_string(shape("chang/single-1024-k5")), "1x1x1024x1024 * 32x1x5x5, stride 1, pad 0");
    EXPECT_EQ(to_string(shape("chang/multi-7-k3")), "1x512x7x7 * 512x512x3x3, stride 1, pad 0");
    EXPECT_EQ(to_string(shape("chang/multi-512-k3")), "1x64x512x512 * 64x64x3x3, stride 1, pad 0");
    // 2 * 32 * 1022 * 1022 * 9 and 2 * 64 * 510 * 510 * 64 * 9.
    EXPECT_NEAR(shape("chang/single-1024-k3").flops_dense(), 0.60e9, 0.005e9);
    EXPECT_NEAR(shape("chang/multi-512-k3").flops_dense(), 19.2e9, 0.05e9);
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> last;  // size and channels of the preset before
    for (const Preset& preset : all_presets()) {
        const ConvShape& layer = preset.spec.shape;
        if (preset.spec.name.rfind("chang/", 0) != 0) continue;
        const std::string name = preset.spec.name.substr(6);
        const std::string figure = name.substr(0, name.find('-'));
        EXPECT_EQ(name, figure + "-" + std::to_string(layer.h) + "-k" + std::to_string(layer.s));
        EXPECT_EQ(layer.w, layer.h) << name;
        EXPECT_EQ(layer.r, layer.s) << name;
        EXPECT_TRUE(layer.s == 1 || layer.s == 3 || layer.s == 5) << name;
        EXPECT_EQ(layer.c, figure == "single" ? 1 : layer.k) << name;
        // A larger map has no more filters.
        auto [found, first] = last.try_emplace(figure, layer.h, layer.k);
        EXPECT_GE(layer.h, found->second.first) << name;
        EXPECT_LE(layer.k, found->second.second) << name;
        found->second = {layer.h, layer.k};
    }
}

TEST(Presets, vgg19_keeps_its_sizes_and_every_layer_takes_what_the_last_gives) {
    std::int64_t channels = 3, size = 224;
    int layers = 0;
    for (const Preset& preset : all_presets()) {
        const ConvShape& layer = preset.spec.shape;
        if (preset.spec.name.rfind("vgg19/", 0) != 0 || is_fully_connected(layer)) continue;
        if (layer.pooled()) {
            EXPECT_EQ(layer.p(), size) << preset.spec.name;
            size = layer.out_h();
            continue;
        }
        ++layers;
        EXPECT_EQ(layer.c, channels) << preset.spec.name;
        EXPECT_EQ(layer.h, size) << preset.spec.name;
        EXPECT_EQ(layer.out_h(), size) << preset.spec.name;
        EXPECT_EQ(layer.out_w(), size) << preset.spec.name;
        channels = layer.k;
    }
    EXPECT_EQ(layers, 16);
    EXPECT_EQ(size, 7);
    EXPECT_EQ(channels, 512);
    EXPECT_EQ(find_preset("vgg19/conv5_1").spec.sparsity, 0.85);
    EXPECT_EQ(find_preset("vgg19/conv5_3").spec.sparsity, 0.83);
}

TEST(Presets, fully_connected_layers_take_all_that_the_last_convolution_gives) {
    const auto expect_layer = [](const char* name, std::int64_t inputs, std::int64_t outputs) {
        const Preset& preset = find_preset(name);
        EXPECT_TRUE(is_fully_connected(preset.spec.shape)) << name;
        EXPECT_EQ(preset.spec.shape.c, inputs) << name;
        EXPECT_EQ(preset.spec.shape.k, outputs) << name;
        EXPECT_EQ(preset.sparsity_from, SparsityFrom::chosen) << name;
    };
    const auto outputs_of = [](const char* name) { return shape(name).y_elements(); };
    expect_layer("vgg19/fc6", outputs_of("vgg19/conv5_4+pool"), 4096);
    expect_layer("vgg19/fc7", 4096, 4096);
    expect_layer("vgg19/fc8", 4096, 1000);
    expect_layer("alexnet/fc6", outputs_of("alexnet/conv5"), 4096);
    expect_layer("alexnet/fc7", 4096, 4096);
    expect_layer("alexnet/fc8", 4096, 1000);
    EXPECT_EQ(find_preset("vgg19/fc6").spec.sparsity, 0.817);
}

TEST(Presets, xu_has_the_sizes_and_sparsities_of_its_tables) {
    struct Row {
        const char* layer;
        std::int64_t size;
        double sparsity;
    };
    const std::vector<Row> table{{"lenet-conv2", 11, .95},
                                 {"alexnetc-conv3", 6, .9},
                                 {"alexneti-conv4", 5, .9},
                                 {"googlenet-inception4a.1", 14, .9},
                                 {"googlenet-inception4a.2", 14, .9},
                                 {"googlenet-inception4e.3", 14, .9},
                                 {"googlenet-inception5a.1", 7, .95},
                                 {"googlenet-inception5a.2", 7, .9},
                                 {"googlenet-inception5b.3", 7, .95},
                                 {"googlenet-inception4a.7", 7, .95},
                                 {"vgg19-conv13", 14, .85},
                                 {"vgg19-conv15", 14, .83},
                                 {"resnet50-conv42", 14, .86},
                                 {"resnet50-conv46", 7, .9}};
    for (std::size_t i = 0; i < table.size(); ++i)
        for (const std::string family : {"xu2019/", "xu2022/"}) {
            if (family == "xu2019/" && i >= 10) continue;
            const WorkloadSpec& spec = find_preset(family + table[i].layer).spec;
            EXPECT_EQ(spec.shape.h, table[i].size) << spec.name;
            EXPECT_EQ(spec.shape.w, table[i].size) << spec.name;
            EXPECT_EQ(spec.sparsity, table[i].sparsity) << spec.name;
            EXPECT_EQ(spec.shape.c == 1 && spec.shape.k == 1, family == "xu2019/") << spec.name;
        }
}

TEST(Presets, grisetts_layer_has_the_reports_flops_and_output) {
    const ConvShape& toy = shape("grisett/toy");
    EXPECT_EQ(to_string(toy), "1x256x228x228 * 256x256x5x5, stride 1, pad 0, pool 2 stride 2");
    EXPECT_EQ(toy.p(), 224);
    EXPECT_EQ(toy.q(), 224);
    EXPECT_EQ(toy.out_h(), 112);
    EXPECT_EQ(toy.out_w(), 112);
    EXPECT_EQ(toy.y_elements(), 256 * 112 * 112);
    EXPECT_EQ(toy.flops_dense(), 2.0 * 256 * 256 * 25 * 224 * 224);  // 164.4 GFLOP
    // The report's times and rates agree with that: seconds x GFLOP/s of Table 1, and of Table 2's ends.
    EXPECT_NEAR(toy.flops_dense(), 0.097117 * 1692.98e9, 0.001e12);
    EXPECT_NEAR(toy.flops_dense(), 0.468 * 351.33e9, 0.001e12);
    EXPECT_NEAR(toy.flops_dense(), 0.0977 * 1682.32e9, 0.001e12);
}

TEST(Presets, suggest_the_nearest) {
    expect_contains(error_of(ErrorKind::not_found, [] { find_preset("vgg19/conv51"); }),
                    "no preset 'vgg19/conv51'; the nearest are vgg19/conv5_1");
    expect_contains(error_of(ErrorKind::not_found, [] { find_preset("lenet"); }),
                    "'lenet' is a network: convscope network --preset lenet; its layers are lenet/conv1");
    expect_contains(error_of(ErrorKind::not_found, [] { find_preset("zzz"); }), "'convscope list presets' names them");
    expect_contains(error_of(ErrorKind::not_found, [] { find_preset_or_file("mine.tomls"); }),
                    "no preset 'mine.tomls'");
}

TEST(Presets, of_a_file_are_found_by_its_path) {
    const TempFolder folder;
    const std::string one =
        folder.write("one.toml", "family = 'one'\n[[preset]]\nname = 'a'\nc = 1\nh = 5\nw = 5\nk = 1\nr = 3\ns = 3\n");
    EXPECT_EQ(find_preset_or_file(one).spec.name, "one/a");
    EXPECT_EQ(find_preset_or_file(one + "/a").spec.shape.h, 5);
    EXPECT_EQ(find_preset_or_file("vgg19/conv5_1").spec.name, "vgg19/conv5_1");
    const std::string two =
        folder.write("two.toml",
                     "family = 'two'\n[[preset]]\nname = 'a'\nc = 1\nh = 5\nw = 5\nk = 1\nr = 3\ns = 3\n"
                     "[[preset]]\nname = 'b'\nc = 1\nh = 6\nw = 6\nk = 1\nr = 3\ns = 3\n");
    EXPECT_EQ(names_in_file(two), (std::vector<std::string>{two + "/a", two + "/b"}));
    EXPECT_EQ(find_preset_or_file(two + "/b").spec.shape.h, 6);
    for (const auto& [name, sentence] :
         {std::pair{two, "holds several presets; give one of "}, {two + "/c", "has no preset 'c'"}})
        try {
            find_preset_or_file(name);
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("two.toml/b"), std::string::npos) << error.what();
        }
}

TEST(Presets, folder_can_be_chosen) {
    TempFolder folder;
    setenv("CONVSCOPE_PRESETS", (folder / "").c_str(), 1);
    EXPECT_EQ(preset_folder(), folder / "");
    setenv("CONVSCOPE_PRESETS", (folder / "none").c_str(), 1);
    expect_contains(error_of(ErrorKind::file, [] { preset_folder(); }), "there is no folder");
    setenv("CONVSCOPE_PRESETS", "", 1);
    EXPECT_TRUE(std::filesystem::exists(preset_folder() / "examples.toml")) << "an empty one is none";
    setenv("CONVSCOPE_PRESETS", std::string(5000, 'a').c_str(), 1);
    expect_contains(error_of(ErrorKind::file, [] { preset_folder(); }), "there is no folder aaaa");
    unsetenv("CONVSCOPE_PRESETS");
    EXPECT_TRUE(std::filesystem::exists(preset_folder() / "examples.toml"));
}

/// The presets of the folder that was chosen are read once in a process: this one's say what is wrong, then it ends.
[[noreturn]] void read_all_presets_of(const std::filesystem::path& folder) {
    setenv("CONVSCOPE_PRESETS", folder.c_str(), 1);
    try {
        all_presets();
    } catch (const Error& error) {
        std::fputs(error.what(), stderr);
    }
    std::filesystem::remove_all(folder);  // which std::exit leaves
    std::exit(0);
}

TEST(Presets, of_two_files_have_names_of_their_own) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // in a process that has read none yet
    const TempFolder folder;
    for (const char* file : {"a.toml", "b.toml"})
        folder.write(file, "family = 'f'\n[[preset]]\nname = 'x'\nc = 1\nh = 5\nw = 5\nk = 1\nr = 3\ns = 3\n");
    EXPECT_EXIT(read_all_presets_of(folder / ""), ::testing::ExitedWithCode(0),
                "b.toml: another file has a preset named 'f/x' too");
}

}  // namespace
}  // namespace convscope
