#include "app/user_kernel/sweepable_kernel.h"

#include <gtest/gtest.h>

#include <fstream>

#include "kernels/ptx/toolchain/compile.h"
#include "tests/kernels/files/temp_folder.h"

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

TEST_F(SweepableKernelOfAFile, may_have_its_parameters_from_a_macro_or_a_header) {
    if (!ptx::find_cuda_compiler()) GTEST_SKIP() << "neither nvcc nor clang is here";
    const std::string call = "constexpr int TILE = 4;\n// convscope: grid = q, block = TILE\n";
    std::ofstream(folder_ / "conv.h") << "__global__ void conv" << parameters_of_a_layer;
    for (const std::string& text :
         {"#define ARRAYS const float* x, const float* w, float* y\n" + call + "__global__ void conv(ARRAYS) {}\n",
          "#define ARRAY(name) const float* name\n" + call + "__global__ void conv(ARRAY(x), ARRAY(w), float* y) {}\n",
          call + "#include \"conv.h\"\n"}) {
        const SweepableKernel kernel = of(text, ":conv");
        EXPECT_EQ(kernel.reason, "") << text;
        EXPECT_EQ(kernel.constants, (Constants{{"TILE", 4}})) << text;
        ASSERT_TRUE(kernel.block) << text;
        EXPECT_EQ(kernel.block->x, 4) << text;
    }
}

TEST_F(SweepableKernelOfAFile, follows_the_layer) {
    SweepableKernel kernel =
        of(std::string("// convscope: grid = 1, block = q\n__global__ void conv") + parameters_of_a_layer);
    EXPECT_EQ(kernel.block->x, 8);
    set_layer(kernel, {.h = 20, .w = 20, .r = 3, .s = 3});
    EXPECT_EQ(kernel.block->x, 18);
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
