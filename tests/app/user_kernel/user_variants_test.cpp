#include "app/user_kernel/user_variants.h"

#include <gtest/gtest.h>

#include <fstream>

#include "kernels/core/error.h"
#include "kernels/measure/run_stamp.h"
#include "kernels/ptx/toolchain/compile.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

constexpr const char* convolution = R"(#ifndef TILE
#define TILE 4
#endif
static_assert(TILE != 3, "no tile of 3");
// convscope: grid = (ceil(q/TILE), ceil(p/TILE), k*n), block = (TILE, TILE)
__global__ void conv(const float* x, const float* w, float* y) { y[threadIdx.x] = x[0] * w[0]; }
)";

class UserVariantsOfAFile : public ::testing::Test {
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

TEST_F(UserVariantsOfAFile, have_the_launch_of_each_layer_and_define) {
    UserVariants variants(file(convolution));
    EXPECT_EQ(variants.id(), "own/conv");
    const UserLaunch launch = variants.made(layer_, gpu_, {{"TILE=2"}, {}, {}});
    EXPECT_EQ(launch.rejected, "");
    EXPECT_EQ(launch.id, "own/conv");
    EXPECT_EQ(launch.tunables, (std::vector<std::pair<std::string, std::int64_t>>{{"TILE", 2}}));
    EXPECT_EQ(launch.grid, (Dim3{4, 4, 1}));
    EXPECT_TRUE(launch.arguments.at(0).bytes.empty()) << "x comes with the layer";
    layer_.shape.h = 18;
    EXPECT_EQ(variants.made(layer_, gpu_, {{"TILE=2"}, {}, {}}).grid, (Dim3{4, 8, 1}));
}

TEST_F(UserVariantsOfAFile, are_launched_cooperatively_where_they_call_grid_sync) {
    EXPECT_FALSE(UserVariants(file(convolution)).made(layer_, gpu_, {{"TILE=2"}, {}, {}}).cooperative);
    std::string text = convolution;
    text.insert(text.rfind('}'), "    cooperative_groups::this_grid().sync();\n");
    UserVariants variants(file("#include <cooperative_groups.h>\n" + text));
    const UserLaunch launch = variants.made(layer_, gpu_, {{"TILE=2"}, {}, {}});
    EXPECT_EQ(launch.rejected, "");
    EXPECT_TRUE(launch.cooperative);
}

TEST_F(UserVariantsOfAFile, say_why_one_cannot_be) {
    UserVariants variants(file(convolution));
    const UserLaunch broken = variants.made(layer_, gpu_, {{"TILE=3"}, {}, {}});
    EXPECT_NE(broken.rejected.find("no tile of 3"), std::string::npos) << broken.rejected;
    EXPECT_EQ(broken.id, "own/conv");
    EXPECT_EQ(broken.tunables.at(0).second, 3);
    EXPECT_NE(variants.made(layer_, gpu_, {{"TILE=0"}, {}, {}}).rejected, "") << "a division by zero in the comment";
}

TEST_F(UserVariantsOfAFile, are_known_by_name_before_they_are_compiled) {
    UserVariants variants(file(convolution));
    const UserVariant variant{{"TILE=3"}, Dim3{8, 8, 1}, {}};
    const UserLaunch planned = variants.planned(gpu_, variant), made = variants.made(layer_, gpu_, variant);
    EXPECT_EQ(planned.id, "own/conv");
    EXPECT_EQ(planned.tunables, made.tunables);
    EXPECT_EQ(planned.rejected, "");
    EXPECT_NE(made.rejected, "") << "it does not compile";
    EXPECT_EQ(made.block, (Dim3{8, 8, 1})) << "what was tried is in its row";
}

TEST_F(UserVariantsOfAFile, take_a_block_that_the_grid_may_follow) {
    std::string text = convolution;
    text.replace(text.find("ceil(q/TILE)"), 12, "ceil(q/block_x)");
    UserVariants variants(file(text));
    EXPECT_EQ(variants.made(layer_, gpu_, {{"TILE=2"}, {}, {}}).grid, (Dim3{4, 4, 1}));
    const UserLaunch wide = variants.made(layer_, gpu_, {{"TILE=2"}, Dim3{8, 2, 1}, {}});
    EXPECT_EQ(wide.block, (Dim3{8, 2, 1}));
    EXPECT_EQ(wide.grid, (Dim3{1, 4, 1}));
    EXPECT_EQ(variants.made(layer_, gpu_, {{"TILE=2"}, {}, Dim3{7, 1, 1}}).grid, (Dim3{7, 1, 1}));
}

TEST_F(UserVariantsOfAFile, are_all_of_one_text) {
    UserVariants variants(file(convolution));
    EXPECT_EQ(variants.made(layer_, gpu_, {{"TILE=2"}, {}, {}}).rejected, "");
    file(std::string(convolution) + "// changed\n");
    EXPECT_THROW(variants.made(layer_, gpu_, {{"TILE=2"}, {}, {}}), Error);
}

TEST_F(UserVariantsOfAFile, leave_out_rows_of_what_the_file_was_before) {
    const UserVariants variants(file(convolution));
    Record old, fresh, other;
    old.method = fresh.method = "own/conv";
    other.method = "cudnn";
    old.tunables = "TILE=2";
    old.run_id = other.run_id = "20200101T000000Z-01234567";
    fresh.run_id = make_run_id();
    DoneRows done({old, fresh, other});
    variants.forget_older(done);
    EXPECT_FALSE(done.has(old));
    EXPECT_TRUE(done.has(fresh));
    EXPECT_TRUE(done.has(other));
}

TEST_F(UserVariantsOfAFile, reject_what_is_no_method_of_a_gpu) {
    UserVariants variants(file(convolution));
    EXPECT_THROW(variants.made(layer_, DeviceInfo{}, {{"TILE=2"}, {}, {}}), Error);
    EXPECT_THROW(variants.planned(gpu_, {{"2=TILE"}, {}, {}}), Error);
    EXPECT_THROW(UserVariants("/nowhere.cu"), Error);
    EXPECT_THROW(UserVariants(file("int nothing;\n")), Error);
    const std::string two = file(std::string(convolution) + "__global__ void add(float* a) { a[0] = 1; }\n");
    EXPECT_THROW(UserVariants{two}, Error);
    EXPECT_EQ(UserVariants(two + ":conv").made(layer_, gpu_, {{"TILE=2"}, {}, {}}).rejected, "");
    EXPECT_EQ(UserVariants(two + ":add").id(), "own/add");
}

TEST_F(UserVariantsOfAFile, are_of_the_one_kernel_that_is_no_comment) {
    const std::string gap(100'000, ' ');
    UserVariants variants(file("// __global__ void old(float* y) {}\n__global__" + gap +
                               " void __launch_bounds__(64) conv(const float* x, const float* w, float* y) {}\n"));
    EXPECT_EQ(variants.id(), "own/conv");
}

TEST_F(UserVariantsOfAFile, a_kernel_that_is_not_there_is_no_row) {
    UserVariants variants(file(convolution) + ":other");
    EXPECT_THROW(variants.made(layer_, gpu_, {{"TILE=2"}, {}, {}}), Error);
}

}  // namespace
}  // namespace convscope::app
