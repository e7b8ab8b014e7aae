// A model's input from arrays and pictures.
#include "kernels/onnx/input_file.h"

#include <gtest/gtest.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

#include <array>
#include <cstdint>

#include "tests/kernels/onnx/run_graph.h"

namespace convscope {
namespace {

using testing::model;
using testing::node;
using testing::read_bytes;
using testing::Sizes;
using testing::value;
using Reals = std::vector<float>;

OnnxModel taking(const Sizes& shape) {
    return read_bytes(model({{node("Relu", {"x"}, {"y"})}, {}, {value("x", shape)}, {value("y")}}));
}

class InputFile : public ::testing::Test {
protected:
    template <class Element>
    std::filesystem::path array(const std::vector<Element>& values, const NpyShape& shape) {
        write_npy(folder_ / "x.npy", std::span<const Element>(values), shape);
        return folder_ / "x.npy";
    }
    std::filesystem::path picture(const std::vector<std::uint8_t>& samples, int width, int height, int channels) {
        const std::filesystem::path path = folder_ / "x.png";
        stbi_write_png(path.c_str(), width, height, channels, samples.data(), width * channels);
        return path;
    }
    static std::string rejection(ErrorKind kind, const std::filesystem::path& path, const Sizes& wanted,
                                 const InputScaling& scaling = {}) {
        const OnnxModel net = taking(wanted);
        std::string sentence = error_of(kind, [&] { read_input(path, net, scaling); });
        for (const std::string& name : {path.string(), net.path.string()})
            if (const std::size_t at = sentence.find(name); at != std::string::npos)
                sentence.replace(at, name.size(), path.string() == name ? "FILE" : "MODEL");
        return sentence;
    }

    TempFolder folder_;
};

TEST_F(InputFile, floats_are_taken_as_they_are) {
    const auto path = array(Reals{-1, 2, 300, 0}, {1, 2, 2});
    const ModelArray x = read_input(path, taking({-1, 1, 2, 2}), {});
    EXPECT_EQ(x.shape, (NpyShape{1, 1, 2, 2})) << "one image";
    EXPECT_EQ(x.data, (Reals{-1, 2, 300, 0}));
    EXPECT_EQ(read_input(path, taking({1, 2, 2}), {}).shape, (NpyShape{1, 2, 2}));
    EXPECT_EQ(read_input(path, taking({}), {}).shape, (NpyShape{1, 1, 2, 2})) << "the model states no shape";
    EXPECT_EQ(rejection(ErrorKind::file, path, {1, 3, 2, -1}), "FILE: its shape is 1x2x2; MODEL takes 1x3x2x?");
    EXPECT_EQ(rejection(ErrorKind::usage, path, {1, 1, 2, 2}, {.resize = {}, .mean = {0.5}, .std = {}}),
              "--mean and --std are of pictures and arrays of uint8; FILE has floats");
    EXPECT_EQ(rejection(ErrorKind::usage, path, {1, 1, 2, 2}, {.resize = Resize::nearest, .mean = {}, .std = {}}),
              "--resize is of pictures; FILE is an array");
    EXPECT_EQ(rejection(ErrorKind::file, array(std::vector<std::int32_t>{1}, {1, 1, 1, 1}), {1, 1, 1, 1}),
              "FILE: its elements are of type 'i4'; accepted are float32, float64 and uint8");
}

TEST_F(InputFile, bytes_become_0_to_1_and_are_normalised) {
    const auto path = array(std::vector<std::uint8_t>{0, 255, 51, 102}, {1, 2, 1, 2});
    EXPECT_EQ(read_input(path, taking({1, 2, 1, 2}), {}).data, (Reals{0, 1, 0.2F, 0.4F}));
    const ModelArray x = read_input(path, taking({1, 2, 1, 2}), {.resize = {}, .mean = {0.5, 0.2}, .std = {0.25, 0.1}});
    const Reals expected{-2, 2, 0, 2};
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(x.data[i], expected[i], 1e-6F) << i;
    EXPECT_EQ(read_input(path, taking({1, 2, 1, 2}), {.resize = {}, .mean = {}, .std = {0.5}}).data,
              (Reals{0, 2, 0.4F, 0.8F}))
        << "one for all channels";
    EXPECT_EQ(rejection(ErrorKind::usage, path, {1, 2, 1, 2}, {.resize = {}, .mean = {1, 2, 3}, .std = {}}),
              "--mean has 3 numbers for 2 channels; give one for all, or 2");
}

TEST_F(InputFile, pictures_become_channels) {
    const std::vector<std::uint8_t> colors{255, 0, 51, 0, 102, 255};  // two pixels
    const auto path = picture(colors, 2, 1, 3);
    const ModelArray x = read_input(path, taking({1, 3, 1, 2}), {});
    EXPECT_EQ(x.shape, (NpyShape{1, 3, 1, 2}));
    EXPECT_EQ(x.data, (Reals{1, 0, 0, 0.4F, 0.2F, 1}));
    EXPECT_EQ(read_input(path, taking({-1, 3, -1, -1}), {}).shape, (NpyShape{1, 3, 1, 2})) << "of any size";
    const ModelArray grey = read_input(path, taking({1, 1, 1, 2}), {});
    EXPECT_EQ(grey.shape, (NpyShape{1, 1, 1, 2}));
    EXPECT_NEAR(grey.data[0], 0.299 * 1 + 0.114 * 0.2, 0.01);
    EXPECT_EQ(read_input(picture({255, 0}, 2, 1, 1), taking({1, 3, 1, 2}), {}).data, (Reals{1, 0, 1, 0, 1, 0}));
    EXPECT_EQ(read_input(picture({255, 7}, 1, 1, 2), taking({1, -1, 1, 1}), {}).data, Reals{1}) << "alpha is dropped";
    EXPECT_EQ(read_input(folder_.write("x.ppm", "P6 2 1 255 \xff\1\2\3\4\5"), taking({1, 3, 1, 2}), {}).data[0], 1);
    EXPECT_EQ(read_input(folder_.write("x.pgm", "P5 2 1 255 \xff\x33"), taking({1, 1, 1, 2}), {}).data,
              (Reals{1, 0.2F}));
    EXPECT_EQ(rejection(ErrorKind::file, path, {1, 4, 1, 2}),
              "FILE: a picture has 1 or 3 channels; the model takes 4: give a .npy array");
    EXPECT_EQ(rejection(ErrorKind::file, path, {2, 3, 1, 2}),
              "FILE: a picture is 1x3xHxW or 1x1xHxW; MODEL takes 2x3x1x2: give a .npy array");
}

TEST_F(InputFile, a_picture_is_resized_by_name_alone) {
    const auto path = picture({0, 100, 200, 40}, 4, 1, 1);
    EXPECT_EQ(
        rejection(ErrorKind::file, path, {1, 1, 1, 2}),
        "FILE: the picture is 4 wide and 1 high; MODEL takes 2 and 1: give --resize bilinear or --resize nearest");
    const auto resized = [&](Resize resize, const Sizes& wanted) {
        Reals values = read_input(path, taking(wanted), {.resize = resize, .mean = {}, .std = {}}).data;
        for (float& each : values) each = std::round(each * 2550) / 10;
        return values;
    };
    // Centres at 1 and 3 of 4: between two samples, and in the second and the fourth.
    EXPECT_EQ(resized(Resize::bilinear, {1, 1, 1, 2}), (Reals{50, 120}));
    EXPECT_EQ(resized(Resize::nearest, {1, 1, 1, 2}), (Reals{100, 40}));
    EXPECT_EQ(resized(Resize::bilinear, {1, 1, 2, 8}),
              (Reals{0, 25, 75, 125, 175, 160, 80, 40, 0, 25, 75, 125, 175, 160, 80, 40}));
    EXPECT_EQ(resized(Resize::nearest, {1, 1, 1, 8}), (Reals{0, 0, 100, 100, 200, 200, 40, 40}));
}

TEST_F(InputFile, bad_files_are_one_sentence) {
    EXPECT_EQ(rejection(ErrorKind::file, folder_.write("x.txt", "hello"), {1, 1, 1, 1}),
              "FILE: this is neither a .npy array nor a picture that is read; accepted are PNG, PPM and PGM");
    EXPECT_EQ(rejection(ErrorKind::file, folder_.write("x.ppm", "P6 30000 30000 255 abc"), {1, 3, -1, -1}),
              "FILE: it has 22 bytes, too few for a picture of 30000x30000");
    // A header alone, of 15000 x 15000 pixels.
    const std::string header("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x3a\x98\0\0\x3a\x98\x08\x02\0\0\0\0\0\0\0", 33);
    EXPECT_EQ(rejection(ErrorKind::file, folder_.write("x.png", header), {1, 3, -1, -1}),
              "FILE: it has 33 bytes, too few for a picture of 15000x15000");
    const auto path = picture(std::vector<std::uint8_t>(300, 9), 10, 10, 3);
    std::string cut(40, '\0');
    std::ifstream(path, std::ios::binary).read(cut.data(), 40);
    expect_contains(rejection(ErrorKind::file, folder_.write("cut.png", cut), {1, 3, -1, -1}),
                    "FILE: the picture cannot be read: ");
}

}  // namespace
}  // namespace convscope
