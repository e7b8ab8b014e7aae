// Which methods ocpa4 chooses from, on a made registry.
#include "kernels/ocpa/candidates.h"

#include <gtest/gtest.h>

#include <string>

#include "kernels/ocpa/layer_choice.h"

namespace convscope {
namespace {

template <class Base>
class Fake final : public Base {
public:
    explicit Fake(MethodInfo info, std::int64_t max_channels) : info_(std::move(info)), most_(max_channels) {}
    const MethodInfo& info() const override { return info_; }
    std::int64_t workspace_bytes(const ConvShape&) const override { return 0; }
    std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&) const override {
        return nullptr;
    }

private:
    Support can_run(const ConvShape& shape) const override {
        return shape.c <= most_ ? Support{} : Support::no("too many channels");
    }
    MethodInfo info_;
    std::int64_t most_;
};

class Candidates : public ::testing::Test {
protected:
    template <class Base = Method>
    void add(const char* id, const char* family, DType dtype = DType::f32, std::int64_t max_channels = 1000,
             DeviceKind device = DeviceKind::cuda) {
        MethodInfo info;
        info.id = id;
        info.family = family;
        info.dtype = dtype;
        info.device = device;
        info.as_printed = std::string(id) == "ecr0";
        info.vendor = std::string(family) == "vendor";
        info.vendor_best = std::string(id) == "cudnn" || std::string(id) == "cudnn-fused";
        registry_.add(std::make_unique<Fake<Base>>(info, max_channels));
    }
    std::string names(DType precision = DType::f32, std::int64_t channels = 8) {
        std::string all;
        for (const Method* method : candidates(registry_, DeviceKind::cuda, precision, ConvShape{.c = channels}))
            all += (all.empty() ? "" : " ") + method->info().id;
        return all;
    }
    Registry registry_;
};

TEST_F(Candidates, are_the_newest_of_their_kind) {
    for (const char* id : {"ecr9", "ecr10", "ecr2", "ecr0"}) add(id, "ecr");
    add("mec2", "mec");
    add("mec2a", "mec");
    add("csr1", "csr");
    add("csr3", "spmm");
    add("tiled-single2", "tiled");
    add("tiled-single", "tiled");
    add("tiled-multi", "tiled");
    EXPECT_EQ(names(), "ecr10 mec2 mec2a csr1 csr3 tiled-single2 tiled-multi");
}

TEST_F(Candidates, support_the_shape_and_the_newest_of_these_counts) {
    add("tensor1", "tensor");
    add("tensor2", "tensor", DType::f32, 64);
    EXPECT_EQ(names(), "tensor2");
    EXPECT_EQ(names(DType::f32, 65), "tensor1");
    EXPECT_EQ(names(DType::f32, 1001), "");
}

TEST_F(Candidates, give_the_precision_that_is_wanted) {
    add("mec6", "mec");
    add("mec7", "mec", DType::tf32);
    add("fcr2", "fcr", DType::f16);
    EXPECT_EQ(names(), "mec6");
    EXPECT_EQ(names(DType::tf32), "mec6 mec7") << "an FP32 method may still be the faster one";
}

TEST_F(Candidates, are_a_vendors_best_and_single_ones_where_it_has_none) {
    add("cudnn", "vendor", DType::f32, 64);
    add("cudnn-fused", "vendor", DType::f32, 64);
    add("cudnn-fft", "vendor");
    add("cublas", "vendor");
    EXPECT_EQ(names(), "cudnn cudnn-fused cublas");
    EXPECT_EQ(names(DType::f32, 65), "cudnn-fft cublas");
}

TEST_F(Candidates, are_of_the_device_and_no_choices_themselves) {
    add("im2col", "im2col", DType::f32, 1000, DeviceKind::cpu);
    add<ChoosingMethod>("ocpa4", "ocpa");
    EXPECT_EQ(names(), "");
}

}  // namespace
}  // namespace convscope
