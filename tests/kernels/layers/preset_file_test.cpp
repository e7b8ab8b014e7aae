// Everything that a preset file may hold, and the sentence for everything that it may not.
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "kernels/files/npy.h"
#include "kernels/layers/preset.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

const std::string good_preset = "family = \"my\"\n[[preset]]\nname = \"a\"\n";
const std::string sizes = "c = 3\nh = 8\nw = 9\nk = 4\nr = 3\ns = 2\n";

TEST(PresetFile, reads_every_key) {
    TempFolder folder;
    const auto path = folder.write(
        "p.toml", "family = \"my\"\nsource_text = \"All.\"\n[[preset]]\nname = \"a\"\n" + sizes +
                      "title = \"A\"\nn = 2\nstride = [2, 1]\npad = 1\ndilation = [1, 2]\ngroups = 1\npool = [2, 3]\n"
                      "pool_stride = 2\nsparsity = 0.25\npattern = \"blobs\"\nseed = 7\n"
                      "source_text = \"This.\"\n");
    const std::vector<Preset> presets = load_presets(path);
    ASSERT_EQ(presets.size(), 1u);
    const Preset& preset = presets[0];
    EXPECT_EQ(preset.spec.name, "my/a");
    EXPECT_EQ(preset.title, "A");
    EXPECT_EQ(preset.source_text, "All. This.");
    EXPECT_EQ(preset.file, path);
    EXPECT_EQ(to_string(preset.spec.shape), "2x3x8x9 * 4x3x3x2, stride 2,1, pad 1, dilation 1,2, pool 2,3 stride 2");
    EXPECT_EQ(preset.spec.sparsity, 0.25);
    EXPECT_EQ(preset.spec.source, Source::blobs);
    EXPECT_EQ(preset.spec.seed, 7u);
}

TEST(PresetFile, padding_may_differ_by_side) {
    TempFolder folder;
    const auto padded = [&](const std::string& pad) {
        const auto path = folder.write("p.toml", good_preset + sizes + "stride = 2\npad = " + pad + "\n");
        return to_string(load_presets(path).at(0).spec.shape);
    };
    EXPECT_EQ(padded("[0, 1, 2, 3]"), "1x3x8x9 * 4x3x3x2, stride 2, pad 0,1,2,3");
    EXPECT_EQ(padded("[1, 0]"), "1x3x8x9 * 4x3x3x2, stride 2, pad 1,0");
    EXPECT_EQ(padded("\"same\""), "1x3x8x9 * 4x3x3x2, stride 2, pad 0,1,0,1");
    for (const char* bad : {"[0, 1, 2]", "[0, 1, -1, 0]", "[0, 1, 0, 99999999999]", "\"valid\"", "-1"})
        expect_contains(error_of(ErrorKind::file, [&] { padded(bad); }), "'pad' is ");
}

TEST(PresetFile, has_defaults) {
    TempFolder folder;
    const Preset preset = load_presets(folder.write("p.toml", good_preset + sizes)).at(0);
    EXPECT_EQ(preset.title, "my/a");
    EXPECT_EQ(to_string(preset.spec.shape), "1x3x8x9 * 4x3x3x2, stride 1, pad 0");
    EXPECT_FALSE(preset.spec.shape.pooled());
    EXPECT_EQ(preset.spec.source, Source::uniform);
    EXPECT_EQ(preset.spec.sparsity, 0);
    EXPECT_EQ(preset.spec.seed, 1u);
}

const std::string example_layer = good_preset + "c = 1\nh = 2\nw = 2\nk = 1\nr = 1\ns = 1\npattern = \"example\"\n";

TEST(PresetFile, reads_a_worked_example) {
    TempFolder folder;
    const auto path = folder.write("p.toml", example_layer + "x_values = [[0, 1.5], [-2, 0]]\nw_values = [[3]]\n");
    const Preset preset = load_presets(path).at(0);
    EXPECT_EQ(preset.spec.example_x, (std::vector<float>{0, 1.5, -2, 0}));
    EXPECT_EQ(preset.spec.example_w, (std::vector<float>{3}));
    EXPECT_EQ(preset.spec.sparsity, 0.5);
}

TEST(PresetFile, takes_the_input_from_a_file_next_to_it) {
    const TempFolder folder;
    const std::string layer = good_preset + "c = 1\nh = 2\nw = 3\nk = 4\nr = 2\ns = 2\n";
    const auto path = folder.write("p.toml", layer + "input = \"a.npy\"\n");
    const std::string maps = (path.parent_path() / "a.npy").string();
    const std::vector<float> x{0, 1, 0, 2, 3, 0};
    write_npy(maps, std::span(x), {1, 1, 2, 3});
    const Preset preset = load_presets(path).at(0);
    EXPECT_EQ(preset.spec.source, Source::file);
    EXPECT_EQ(preset.spec.input_path, maps);
    EXPECT_EQ(preset.spec.sparsity, 0.5);
    EXPECT_EQ(preset.spec.weights_path, "");
    const std::vector<float> w(16, 2);
    write_npy(path.parent_path() / "w.npy", std::span(w), {4, 1, 2, 2});
    const auto own_weights = folder.write("own.toml", layer + "input = \"a.npy\"\nweights = \"w.npy\"\n");
    EXPECT_EQ(make_workload(load_presets(own_weights).at(0).spec).w.data, w);
    const auto error = [&](const std::string& keys) {
        return error_of(ErrorKind::file, [&] { load_presets(folder.write("bad.toml", layer + keys)); });
    };
    expect_contains(error("h = 2\n"), "bad.toml:10:");
    expect_contains(error("input = \"a.npy\"\nsparsity = 0.9\n"), ":11:12: 'sparsity' does not go with 'input'");
    expect_contains(error("input = \"../a.npy\"\n"), ":10:9: 'input' is '../a.npy'; it must be a path below");
    expect_contains(error("input = \"/a.npy\"\n"), ":10:9: 'input' is '/a.npy'; it must be a path below");
    expect_contains(error("input = \"b.npy\"\n"), ":10:9: ");
    expect_contains(error("weights = \"a.npy\"\n"), ":10:11: 'weights' goes with 'input'");
    expect_contains(error("input = \"a.npy\"\nweights = \"a.npy\"\n"),
                    ":11:11: a.npy has 1x1x2x3 elements; the preset takes ");
    expect_contains(error("n = 2\ninput = \"a.npy\"\n"), "a.npy has 1x1x2x3 elements; the preset takes 2x1x2x3");
}

struct BadPreset {
    const char* name;
    std::string text;
    const char* where_and_what;  ///< after the file's name
};

class PresetFileBad : public ::testing::TestWithParam<BadPreset> {};

TEST_P(PresetFileBad, is_rejected_with_its_place) {
    TempFolder folder;
    const auto path = folder.write("p.toml", GetParam().text);
    const std::string sentence = error_of(ErrorKind::file, [&] { load_presets(path); });
    expect_contains(sentence, path.string() + GetParam().where_and_what);
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Files, PresetFileBad,
    ::testing::Values(
        BadPreset{"Empty", "", ":1:1: this preset file has no 'family'"},
        BadPreset{"Syntax", "family = \"my\"\n[[preset]\n", ":2:"}, BadPreset{"Value", good_preset + "c = \n", ":4:"},
        BadPreset{"Bytes", "family = \"\xff\xfe\"\n", ":1:"},
        BadPreset{"TwiceTheKey", good_preset + sizes + "c = 4\n", ":10:"},
        BadPreset{"NoPreset", "family = \"my\"\n", ":1:1: this preset file has no 'preset'"},
        BadPreset{"PresetIsNoTable", "family = \"my\"\npreset = 3\n", ":2:10: 'preset' is 3; it must be tables"},
        BadPreset{"PresetsMixed", "family = \"my\"\npreset = [1, {name = \"a\"}]\n", ":2:10: 'preset' is an array; it"},
        BadPreset{"UnknownTopKey", "colour = 1\n" + good_preset + sizes,
                  ":1:1: unknown key 'colour' in this preset file; accepted are family, network, preset, source_text"},
        BadPreset{"UnknownKey", good_preset + sizes + "stirde = 2\n",
                  ":10:1: unknown key 'stirde' in this preset (did you mean stride?); accepted"},
        BadPreset{"MissingKey", good_preset + "c = 3\nh = 8\nw = 9\nk = 4\nr = 3\n", ":2:1: this preset has no 's'"},
        BadPreset{"NameMissing", "family = \"my\"\n[[preset]]\n" + sizes, ":2:1: this preset has no 'name'"},
        BadPreset{"NameEmpty", "family = \"\"\n[[preset]]\n", ":1:10: 'family' is ''; a name has letters"},
        BadPreset{"NameWithSlash", "family = \"a/b\"\n[[preset]]\n", ":1:10: 'family' is 'a/b'; a name has letters"},
        BadPreset{"TitleOfATerminal", good_preset + sizes + "title = \"\\u001b[2J\"\n",
                  ":10:9: 'title' has control characters in it"},
        BadPreset{"NameTwice", good_preset + sizes + "[[preset]]\nname = \"a\"\n" + sizes,
                  ":11:8: there are two presets named 'my/a'"},
        BadPreset{"StringForInteger", good_preset + "c = \"3\"\n", ":4:5: 'c' is '3'; it must be a whole number"},
        BadPreset{"FloatForInteger", good_preset + "c = 3.0\n", ":4:5: 'c' is 3.0; it must be a whole number"},
        BadPreset{"DateForInteger", good_preset + "c = 2020-01-01\n",
                  ":4:5: 'c' is 2020-01-01; it must be a whole number"},
        BadPreset{"StrideOfThree", good_preset + sizes + "stride = [1, 2, 3]\n",
                  ":10:10: 'stride' is an array; it must be a whole number, or two: [height, width]"},
        BadPreset{"StrideOfStrings", good_preset + sizes + "stride = [\"1\", 2]\n",
                  ":10:10: 'stride' is an array; it must"},
        BadPreset{"StrideZero", good_preset + sizes + "stride = 0\n", ":2:1: stride_h is 0; it must be at least 1"},
        BadPreset{"HeightNegative", good_preset + "c = 3\nh = -8\nw = 9\nk = 4\nr = 3\ns = 2\n",
                  ":2:1: h is -8; it must be"},
        BadPreset{"NoOutput", good_preset + "c = 3\nh = 2\nw = 9\nk = 4\nr = 3\ns = 2\n",
                  ":2:1: a 3x2 filter leaves no"},
        BadPreset{"PoolAlone", good_preset + sizes + "pool = 2\n", ":2:1: 'pool' and 'pool_stride' belong together"},
        BadPreset{"PoolZero", good_preset + sizes + "pool = 0\npool_stride = 1\n", ":2:1: pool_h is 0"},
        BadPreset{"SparsityAboveOne", good_preset + sizes + "sparsity = 85\n",
                  ":10:12: 'sparsity' is 85; it must be a number from 0 to 1"},
        BadPreset{"SparsityNan", good_preset + sizes + "sparsity = nan\n",
                  ":10:12: 'sparsity' is nan; it must be a number from"},
        BadPreset{"SparsityText", good_preset + sizes + "sparsity = \"0.5\"\n",
                  ":10:12: 'sparsity' is '0.5'; it must be"},
        BadPreset{"SeedNegative", good_preset + sizes + "seed = -1\n",
                  ":10:8: 'seed' is -1; it must be a whole number of at least 0"},
        BadPreset{"PatternUnknown", good_preset + sizes + "pattern = \"stripes\"\n",
                  ":10:11: 'stripes' is not a data source"},
        BadPreset{"PatternFile", good_preset + sizes + "pattern = \"file\"\n",
                  ":10:11: a preset's pattern is uniform, blobs, channels, pixels or example"},
        BadPreset{"ExampleWithoutValues", example_layer, ":2:1: this preset has no 'x_values'"},
        BadPreset{"ExampleOfAnotherSize", example_layer + "x_values = [[1, 2]]\nw_values = [[3]]\n",
                  ":11:12: 'x_values' is 1x2; the shape takes 2x2"},
        BadPreset{"ExampleOfMoreColumns", example_layer + "x_values = [[1, 2, 3], [4, 5, 6]]\nw_values = [[3]]\n",
                  ":11:12: 'x_values' is 2x3; the shape takes 2x2"},
        BadPreset{"ExampleRagged", example_layer + "x_values = [[1, 2], [3]]\nw_values = [[3]]\n",
                  ":11:21: 'x_values' is an array; it must be an array of rows"},
        BadPreset{"ExampleOfText", example_layer + "x_values = [[1, 2], [3, \"4\"]]\nw_values = [[3]]\n",
                  ":11:25: 'x_values' is '4'; it must be an array of rows"},
        BadPreset{"ExampleOfChannels", good_preset + sizes + "pattern = \"example\"\n",
                  ":2:1: a worked example has n, c"},
        BadPreset{"ExampleOfTwo", example_layer + "n = 2\n", ":2:1: a worked example has n, c"},
        BadPreset{"ExampleOfFilters", good_preset + "c = 1\nh = 2\nw = 2\nk = 2\nr = 1\ns = 1\npattern = \"example\"\n",
                  ":2:1: a worked example has n, c"},
        BadPreset{"ValuesWithoutExample", good_preset + sizes + "x_values = [[1]]\n", ":10:1: unknown key 'x_values'"}),
    [](const auto& test) { return test.param.name; });

/// A file that was cut anywhere is read as something, or rejected with its place.
TEST(PresetFile, survives_being_cut_anywhere) {
    TempFolder folder;
    const std::string whole = example_layer + "x_values = [[0, 1.5], [-2, 0]]\nw_values = [[3]]\n";
    int rejected = 0;
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto path = folder.write("p.toml", whole.substr(0, length));
        try {
            EXPECT_EQ(load_presets(path).size(), 1u);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::file);
            EXPECT_EQ(std::string(error.what()).rfind(path.string() + ":", 0), 0u);
            ++rejected;
        }
    }
    // Whole are: without the last line end, and, as a preset of uniform zeros, what ends with or after 's = 1'.
    EXPECT_EQ(rejected, static_cast<int>(whole.size()) - 3);
}

TEST(PresetFile, names_a_file_that_cannot_be_read) {
    TempFolder folder;
    expect_contains(error_of(ErrorKind::file, [&] { load_presets(folder / "none.toml"); }),
                    "none.toml' cannot be read: No such file or directory");
    expect_contains(error_of(ErrorKind::file, [&] { load_presets("/tmp"); }), "'/tmp' cannot be read: Is a directory");
    const auto large = folder.write("large.toml", std::string((1 << 20) + 1, '#'));
    expect_contains(error_of(ErrorKind::file, [&] { load_presets(large); }), "is larger than the 1 MiB");
}

}  // namespace
}  // namespace convscope
