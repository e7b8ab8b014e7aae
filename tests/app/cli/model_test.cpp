// convscope network --model, seen from outside.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/files/npy.h"
#include "kernels/records/csv_file.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

using nlohmann::json;
using testing::expect_rejected;
using testing::Finished;
using testing::read_file;
using testing::run;

const std::string models = ONNX_DATA, lenet_model = models + "/lenet.onnx", lenet_input = models + "/lenet-x.npy";

std::vector<std::string> command(const std::vector<std::string>& more) {
    std::vector<std::string> words{"network", "--model", lenet_model, "--input", lenet_input, "--device", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(Model, a_run_says_what_each_layer_saw) {
    const TempFolder folder;
    const std::string file = (folder / "a.json").string();
    const Finished finished = run(command({"--run-only", "--json", file}));
    ASSERT_EQ(finished.status, 0) << finished.err;
    for (const char* part :
         {"lenet.onnx on lenet-x.npy: 4 layers, batch 1, run with the reference", "zeros in x", "zeros in w",
          "without a zero", "1x28x28 * 6x5x5, pool 2", "fully connected, 128 -> 20", "86 400", "1x10, the largest: ["})
        expect_contains(finished.out, part);
    EXPECT_EQ(finished.out.find("im2col"), std::string::npos) << "nothing is measured";

    const json result = json::parse(read_file(file));
    EXPECT_EQ(result["network"], "lenet");
    ASSERT_EQ(result["layers"].size(), 4U);
    std::int64_t multiply_adds = 0;
    for (const json& layer : result["layers"]) {
        EXPECT_TRUE(layer["rows"].empty());
        EXPECT_EQ(layer["sparsity_from"], "measured");
        EXPECT_EQ(layer["model"]["w_zeros"], 0);
        const auto nonzero = layer["model"]["nonzero_multiply_adds"].get<std::int64_t>();
        const auto all = layer["model"]["multiply_adds"].get<std::int64_t>();
        multiply_adds += all;
        // Without padding and zeros in w, each element of a fully connected layer's x counts once for each output.
        if (layer["model"]["shape"].get<std::string>().starts_with("fully")) {
            EXPECT_NEAR(static_cast<double>(nonzero),
                        (1 - layer["model"]["x_zeros"].get<double>()) * static_cast<double>(all), 0.01);
        }
        EXPECT_LE(nonzero, all);
    }
    EXPECT_EQ(multiply_adds, 24 * 24 * 6 * 25 + 8 * 8 * 8 * 6 * 25 + 128 * 20 + 20 * 10);
    EXPECT_LT(result["layers"][1]["model"]["nonzero_multiply_adds"], result["layers"][1]["model"]["multiply_adds"]);
}

TEST(Model, methods_are_measured_on_its_layers) {
    const TempFolder folder;
    const std::string csv = (folder / "a.csv").string(), file = (folder / "a.json").string();
    const Finished finished = run(command({"--layers", "3", "--methods", "im2col,ecr", "--timeout", "5",
                                           "--min-samples", "3", "--max-noise", "50", "--csv", csv, "--json", file}));
    ASSERT_EQ(finished.status, 0) << finished.err << finished.out;
    expect_contains(finished.out, "6x12x12 * 8x5x5, pool 2");
    expect_contains(finished.out, "batch 1, file data\n");
    expect_contains(finished.out, "sum of the layers that each method ran");
    const std::vector<Record> rows = read_csv(csv).records;
    ASSERT_EQ(rows.size(), 2U);
    const json model = json::parse(read_file(file))["layers"][0]["model"];
    for (const Record& row : rows) {
        EXPECT_EQ(row.status, Status::passed) << row.status_reason;
        EXPECT_EQ(row.source, "file");
        EXPECT_EQ(row.shape.k, 8);
        EXPECT_DOUBLE_EQ(row.sparsity_measured, model["x_zeros"].get<double>());
    }
}

TEST(Model, its_arrays_can_be_kept) {
    const TempFolder folder;
    const std::string out = (folder / "out").string();
    ASSERT_EQ(run(command({"--run-only", "--out", out})).status, 0);
    const json layout = json::parse(read_file(out + "/layout.json"));
    ASSERT_EQ(layout["arrays"].size(), 9U) << "x and w of four layers, and an output";
    for (const json& array : layout["arrays"])
        EXPECT_EQ(read_npy_shape(out + "/" + array["file"].get<std::string>()), array["shape"].get<NpyShape>());
    const std::string output = layout["arrays"][8]["file"];
    const NpyArray y = read_npy(out + "/" + output), expected = read_npy(models + "/lenet-y.npy");
    ASSERT_EQ(y.shape, expected.shape);
    for (std::size_t i = 0; i < y.data.size(); ++i) EXPECT_NEAR(y.data[i], expected.data[i], 1e-4);
    ASSERT_EQ(run(command({"--run-only", "--out", out})).status, 0) << "the folder is its own";
}

TEST(Model, runs_on_drawn_values_without_an_input) {
    const Finished drawn = run({"network", "--model", lenet_model, "--run-only"});
    EXPECT_EQ(drawn.status, 0) << drawn.err;
    expect_contains(drawn.out, "lenet.onnx on drawn values: 4 layers, batch 1, run with the reference");
    EXPECT_EQ(run({"network", "--model", lenet_model, "--run-only"}).out, drawn.out) << "seed 1";
}

TEST(Model, bad_input_is_one_sentence) {
    const TempFolder folder;
    expect_rejected({"network", "--input", lenet_input}, 2, "--input goes with --model NET.onnx");
    expect_rejected({"network", "--preset", "lenet", "--run-only"}, 2, "--run-only goes with --model NET.onnx");
    expect_rejected({"network", "--model", lenet_model, "--mean", "0.5"}, 2,
                    "--mean is of a picture: it goes with --input FILE");
    expect_rejected(command({"--preset", "lenet"}), 2, "--preset does not go with --model");
    expect_rejected(command({"--n", "2"}), 2, "--n does not go with --model");
    expect_rejected(command({"--chain"}), 2, "--chain does not go with --model");
    expect_rejected(command({"--run-only", "--csv", "a.csv"}), 2, "--csv has what is measured");
    expect_rejected(command({"--resize", "cubic"}), 2, "--resize: 'cubic' is neither nearest nor bilinear");
    expect_rejected(command({"--std", "0"}), 2, "--std");
    expect_rejected(command({"--layers", "conv9"}), 3, "lenet has no layer 'conv9'");
    expect_rejected(command({"--out", models}), 2, "lies in this folder and could be replaced");
    expect_rejected({"network", "--model", lenet_input, "--input", lenet_input}, 6,
                    "lenet-x.npy: this is not an ONNX model: ");
    expect_rejected({"network", "--model", lenet_model, "--input", lenet_model}, 6,
                    "lenet.onnx: this is neither a .npy array nor a picture");
    expect_rejected({"network", "--model", lenet_model, "--input", models + "/vgg-x.npy"}, 6,
                    "vgg-x.npy: its shape is 1x3x16x16; ");
}

}  // namespace
}  // namespace convscope
