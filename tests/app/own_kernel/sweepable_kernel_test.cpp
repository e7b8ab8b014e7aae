#include "app/own_kernel/sweepable_kernel.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/kernels/core/temp_folder.h"

namespace convscope::app {
namespace {

using Constants = std::vector<std::pair<std::string, std::int64_t>>;

class SweepableKernelOfAFile : public ::testing::Test {
protected:
    SweepableKernel of(const std::string& text, const std::string& entry = "") const {
        std::ofstream(folder_ / "mine.cu") << text;
        ConvShape layer;
        layer.h = layer.w = 10;
        layer.r = layer.s = 3;
        return sweepable_kernel((folder_ / "mine.cu").string() + entry, layer);
    }
    TempFolder folder_;
};

constexpr const char* parameters_of_a_layer = "(const float* x, const float* w, float* y) {}\n";

TEST_F(SweepableKernelOfAFile, offers_its_constants_those_of_the_launch_first) {
    const SweepableKernel kernel =
        of(std::string("constexpr int ROWS = 2, TILE = 8;\n#define A 5\n"
                       "// convscope: grid = ceil(q/TILE), block = (TILE, q)\n__global__ void conv") +
           parameters_of_a_layer);
    EXPECT_EQ(kernel.id, "own/conv");
    EXPECT_EQ(kernel.reason, "");
    EXPECT_EQ(kernel.constants, (Constants{{"TILE", 8}, {"A", 5}, {"ROWS", 2}}));
    EXPECT_EQ(kernel.of_launch, 1U);
    ASSERT_TRUE(kernel.block);
    EXPECT_EQ(*kernel.block, (Dim3{8, 8, 1}));
    EXPECT_FALSE(kernel.grid_follows_block);
}

TEST_F(SweepableKernelOfAFile, knows_whether_the_grid_follows_the_block) {
    const SweepableKernel kernel =
        of(std::string("// convscope: grid = ceil(p*q/block_x), block = 64\n__global__ void conv") +
           parameters_of_a_layer);
    EXPECT_TRUE(kernel.grid_follows_block);
    EXPECT_EQ(*kernel.block, (Dim3{64, 1, 1}));
    EXPECT_TRUE(kernel.constants.empty());
    EXPECT_FALSE(
        of(std::string("constexpr int block_size = 16;\n// convscope: grid = ceil(q/block_size), block = block_size\n"
                       "__global__ void conv") +
           parameters_of_a_layer)
            .grid_follows_block);
}

TEST_F(SweepableKernelOfAFile, says_why_it_cannot_be_swept_over) {
    EXPECT_NE(of("__global__ void add(float* a) {}\n").reason.find("add computes no layer"), std::string::npos);
    const std::string two =
        std::string("__global__ void a") + parameters_of_a_layer + "__global__ void b" + parameters_of_a_layer;
    const SweepableKernel either = of(two);
    EXPECT_NE(either.reason.find("2 kernels"), std::string::npos) << either.reason;
    EXPECT_EQ(either.id, "own/mine") << "it has a name in any case";
    EXPECT_EQ(of(two, ":b").id, "own/b");
    EXPECT_EQ(of(two, ":b").reason, "");
    EXPECT_NE(sweepable_kernel("/nowhere.cu", {}).reason, "");
    EXPECT_FALSE(of(std::string("// convscope: block = 1/0\n__global__ void conv") + parameters_of_a_layer).block);
}

}  // namespace
}  // namespace convscope::app
