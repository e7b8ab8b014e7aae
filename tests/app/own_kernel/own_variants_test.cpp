#include "app/own_kernel/own_variants.h"

#include <gtest/gtest.h>

#include <fstream>

#include "kernels/core/error.h"
#include "kernels/ptx/compile.h"
#include "tests/kernels/core/temp_folder.h"

namespace convscope::app {
namespace {

constexpr const char* convolution = R"(#ifndef TILE
#define TILE 4
#endif
static_assert(TILE != 3, "no tile of 3");
// convscope: grid = (ceil(q/TILE), ceil(p/TILE), k*n), block = (TILE, TILE)
__global__ void conv(const float* x, const float* w, float* y) { y[threadIdx.x] = x[0] * w[0]; }
)";

class OwnVariantsOfAFile : public ::testing::Test {
protected:
    void SetUp() override {
        if (!ptx::find_cuda_compiler()) GTEST_SKIP() << "neither nvcc nor clang is here";
        gpu_.kind = DeviceKind::cuda;
        gpu_.id = "cuda:0";
        gpu_.compute_capability = "8.0";
        gpu_.model.cc_major = 8;
        layer_.shape.h = layer_.shape.w = 10;
        layer_.shape.r = layer_.shape.s = 3;
    }
    std::string file(const std::string& text) const {
        std::ofstream(folder_ / "conv.cu") << text;
        return (folder_ / "conv.cu").string();
    }
    TempFolder folder_;
    DeviceInfo gpu_;
    WorkloadSpec layer_;
};

TEST_F(OwnVariantsOfAFile, have_the_launch_of_each_layer_and_define) {
    OwnVariants variants(file(convolution));
    EXPECT_EQ(variants.id(), "own/conv");
    const OwnLaunch launch = variants.of(layer_, gpu_, {"TILE=2"});
    EXPECT_EQ(launch.rejected, "");
    EXPECT_EQ(launch.id, "own/conv");
    EXPECT_EQ(launch.tunables, (std::vector<std::pair<std::string, std::int64_t>>{{"TILE", 2}}));
    EXPECT_EQ(launch.grid, (Dim3{4, 4, 1}));
    EXPECT_TRUE(launch.arguments.at(0).bytes.empty()) << "x comes with the layer";
    layer_.shape.h = 18;
    EXPECT_EQ(variants.of(layer_, gpu_, {"TILE=2"}).grid, (Dim3{4, 8, 1}));
}

TEST_F(OwnVariantsOfAFile, say_why_one_cannot_be) {
    OwnVariants variants(file(convolution));
    const OwnLaunch broken = variants.of(layer_, gpu_, {"TILE=3"});
    EXPECT_NE(broken.rejected.find("no tile of 3"), std::string::npos) << broken.rejected;
    EXPECT_EQ(broken.id, "own/conv");
    EXPECT_EQ(broken.tunables.at(0).second, 3);
    EXPECT_NE(variants.of(layer_, gpu_, {"TILE=0"}).rejected, "") << "a division by zero in the comment";
}

TEST_F(OwnVariantsOfAFile, reject_what_is_no_method_of_a_gpu) {
    OwnVariants variants(file(convolution));
    EXPECT_THROW(variants.of(layer_, DeviceInfo{}, {"TILE=2"}), Error);
    EXPECT_THROW(variants.of(layer_, gpu_, {"2=TILE"}), Error);
    EXPECT_THROW(OwnVariants("/nowhere.cu"), Error);
    EXPECT_THROW(OwnVariants(file("int nothing;\n")), Error);
    const std::string two = file(std::string(convolution) + "__global__ void add(float* a) { a[0] = 1; }\n");
    EXPECT_THROW(OwnVariants{two}, Error);
    EXPECT_EQ(OwnVariants(two + ":conv").of(layer_, gpu_, {"TILE=2"}).rejected, "");
    EXPECT_EQ(OwnVariants(two + ":add").id(), "own/add");
}

TEST_F(OwnVariantsOfAFile, are_of_the_one_kernel_that_is_no_comment) {
    const std::string gap(100'000, ' ');
    OwnVariants variants(file("// __global__ void old(float* y) {}\n__global__" + gap +
                              " void __launch_bounds__(64) conv(const float* x, const float* w, float* y) {}\n"));
    EXPECT_EQ(variants.id(), "own/conv");
}

TEST_F(OwnVariantsOfAFile, a_kernel_that_is_not_there_is_no_row) {
    OwnVariants variants(file(convolution) + ":other");
    EXPECT_THROW(variants.of(layer_, gpu_, {"TILE=2"}), Error);
}

}  // namespace
}  // namespace convscope::app
