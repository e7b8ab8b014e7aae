// cuDNN's methods without a GPU: which of them take padding that differs by side.
#include <gtest/gtest.h>

#include <string>

#include "kernels/method/registry.h"
#include "kernels/registry/modules.h"

namespace convscope {
namespace {

TEST(Cudnn, its_best_takes_padding_by_side_and_a_single_algorithm_rejects_it) {
    Registry registry;
    ASSERT_EQ(open_module(CUDNN_MODULE, registry), "");
    ConvShape shape{.h = 8, .w = 8, .r = 2, .s = 2};
    pad_same(shape);
    int best = 0, single = 0;
    for (const Method* method : registry.methods(DeviceKind::cuda)) {
        const MethodInfo& info = method->info();
        EXPECT_EQ(info.takes.sides, info.vendor_best) << info.id;
        ++(info.vendor_best ? best : single);
        if (info.vendor_best) continue;  // these ask cuDNN, on a GPU
        EXPECT_EQ(method->supports(shape).reason,
                  info.id + " takes as much padding below as above and right as left, not 0,1,0,1");
    }
    EXPECT_EQ(best, 6);
    EXPECT_EQ(single, 8);
    // Without pooling there is nothing to fuse, whatever the padding.
    EXPECT_NE(registry.get("cudnn-fused", DeviceKind::cuda).supports(shape).reason.find("only layers with pooling"),
              std::string::npos);
}

}  // namespace
}  // namespace convscope
