// Planning a user kernel. Its results: tests/kernels/gpu/user_kernel_test.cpp.
#include "kernels/user_kernel/user_method.h"

#include <gtest/gtest.h>

#include "kernels/core/device_model.h"

namespace convscope {
namespace {

ConvShape layer() {
    ConvShape shape;
    shape.c = shape.k = 2;
    shape.h = shape.w = 8;
    shape.r = shape.s = 3;
    return shape;
}

UserLaunch variant(std::int64_t tile, int threads) {
    UserLaunch launch{"own/conv", {{"TILE", tile}}, "", "conv", {3, 2, 1}, {threads, 1, 1}, 1024, {}};
    launch.arguments = {{"x", UserRole::x, ""}, {"sums", UserRole::array, std::string(100, '\0')}};
    return launch;
}

class UserMethodOfALayer : public ::testing::Test {
protected:
    ResolvedLaunch resolve(const LaunchConfig& config) const {
        return method_->resolve(layer(), config, default_device_model());
    }
    static LaunchConfig tile(std::int64_t value) { return {{}, {}, {{"TILE", value}}}; }

    std::unique_ptr<Method> method_ = make_user_method({variant(16, 64), variant(8, 128), variant(32, 2048)}, layer());
};

TEST_F(UserMethodOfALayer, has_the_values_that_it_was_compiled_with_as_tunables) {
    const LaunchSpace space = method_->launch_space(layer());
    EXPECT_FALSE(space.block_free);
    EXPECT_FALSE(space.grid_free);
    ASSERT_EQ(space.tunables.size(), 1u);
    EXPECT_EQ(space.tunables[0].name, "TILE");
    EXPECT_EQ(space.tunables[0].values, (std::vector<std::int64_t>{8, 16, 32}));
    EXPECT_EQ(space.tunables[0].default_value, 16) << "the first one given";
}

TEST_F(UserMethodOfALayer, is_launched_as_the_chosen_variant) {
    EXPECT_EQ(resolve({}).kernels.at(0).block.x, 64);
    const ResolvedLaunch chosen = resolve(tile(8));
    ASSERT_TRUE(chosen.support) << chosen.support.reason;
    EXPECT_EQ(chosen.kernels.at(0).kernel, "conv");
    EXPECT_EQ(chosen.kernels.at(0).block.x, 128);
    EXPECT_EQ(chosen.kernels.at(0).grid.count(), 6);
    EXPECT_EQ(chosen.kernels.at(0).shared_bytes, 1024u);
    EXPECT_EQ(method_->workspace_bytes(layer()), 100) << "of the arrays that are not the layer's";
}

TEST_F(UserMethodOfALayer, rejects_what_no_variant_is) {
    EXPECT_FALSE(resolve(tile(64)).support);
    LaunchConfig block;
    block.block = Dim3{32, 1, 1};
    EXPECT_FALSE(resolve(block).support);
    block.block = Dim3{128, 1, 1};
    EXPECT_TRUE(resolve(block).support) << "that of TILE=8";
    EXPECT_NE(resolve(tile(32)).support.reason.find("2048"), std::string::npos)
        << "no GPU runs blocks of so many threads: " << resolve(tile(32)).support.reason;
}

TEST_F(UserMethodOfALayer, is_of_this_layer_alone) {
    EXPECT_TRUE(method_->supports(layer()));
    ConvShape other = layer();
    other.h = 9;
    EXPECT_NE(method_->supports(other).reason.find("own/conv"), std::string::npos);
}

}  // namespace
}  // namespace convscope
