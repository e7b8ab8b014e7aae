#include "kernels/method/registry.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

class FakeMethod : public Method {
public:
    FakeMethod(const std::string& id, DeviceKind device) {
        info_.id = id;
        info_.family = id.substr(0, id.find_first_of("0123456789"));
        info_.device = device;
    }
    const MethodInfo& info() const override { return info_; }
    std::int64_t workspace_bytes(const ConvShape&) const override { return 0; }
    std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&) const override {
        return nullptr;
    }

private:
    Support can_run(const ConvShape& shape) const override {
        return shape.r > 1 ? Support{} : Support::no("it takes no 1x1 filters");
    }
    MethodInfo info_;
};

class RegistryTest : public ::testing::Test {
protected:
    RegistryTest() {
        registry.add(std::make_unique<FakeMethod>("ecr1", DeviceKind::cpu));
        registry.add(std::make_unique<FakeMethod>("ecr1", DeviceKind::cuda));
        registry.add(std::make_unique<FakeMethod>("mec1", DeviceKind::cpu));
        DeviceInfo gpu;
        gpu.id = "cuda:0";
        gpu.reason = "the driver is too old";
        registry.add_unavailable(gpu);
    }
    Registry registry;
};

TEST_F(RegistryTest, tells_methods_apart_by_id_and_device) {
    EXPECT_EQ(registry.methods().size(), 3u);
    EXPECT_EQ(registry.methods(DeviceKind::cpu).size(), 2u);
    EXPECT_EQ(registry.get("ecr1", DeviceKind::cuda).info().device, DeviceKind::cuda);
    EXPECT_EQ(registry.find("mec1", DeviceKind::cuda), nullptr);
}

TEST_F(RegistryTest, finds_a_renamed_method_by_its_former_id) {
    for (const char* id : {"tensor1", "tensor2", "tensor3"})
        registry.add(std::make_unique<FakeMethod>(id, DeviceKind::cuda));
    EXPECT_EQ(registry.get("ecr6", DeviceKind::cuda).info().id, "tensor1");
    EXPECT_EQ(registry.get("pecr6", DeviceKind::cuda).info().id, "tensor2");
    EXPECT_EQ(registry.get("ocpa3", DeviceKind::cuda).info().id, "tensor3");
    EXPECT_EQ(registry.find("ecr6", DeviceKind::cpu), nullptr);
}

TEST_F(RegistryTest, rejects_the_same_method_twice) {
    EXPECT_THROW(registry.add(std::make_unique<FakeMethod>("mec1", DeviceKind::cpu)), std::logic_error);
}

TEST_F(RegistryTest, the_newest_of_a_family_has_the_highest_number) {
    for (const char* id : {"ecr2", "ecr10", "ecr9", "ecr10a", "tiled-multi"})
        registry.add(std::make_unique<FakeMethod>(id, DeviceKind::cpu));
    EXPECT_EQ(registry.newest("ecr", DeviceKind::cpu)->info().id, "ecr10");
    EXPECT_EQ(registry.newest("ecr", DeviceKind::cuda)->info().id, "ecr1");
    EXPECT_EQ(registry.newest("mec", DeviceKind::cuda), nullptr);
    EXPECT_EQ(registry.newest("tiled", DeviceKind::cpu), nullptr) << "nothing says which one is newer";
}

TEST_F(RegistryTest, names_the_methods_there_are) {
    EXPECT_EQ(error_of(ErrorKind::not_found, [&] { registry.get("ecr9", DeviceKind::cpu); }),
              "no method 'ecr9' on cpu; there are ecr1, mec1");
}

TEST_F(RegistryTest, says_why_a_device_cannot_be_used) {
    EXPECT_EQ(error_of(ErrorKind::not_found, [&] { registry.device("cuda:0"); }),
              "device 'cuda:0' cannot be used: the driver is too old");
    expect_contains(error_of(ErrorKind::not_found, [&] { registry.device("cuda:7"); }), "no device 'cuda:7'");
    ASSERT_EQ(registry.devices().size(), 1u);
    EXPECT_FALSE(registry.devices()[0]->available);
}

TEST_F(RegistryTest, a_method_without_launch_space_takes_no_configuration) {
    const Method& method = registry.get("mec1", DeviceKind::cpu);
    ConvShape shape;
    shape.h = shape.w = 5, shape.r = shape.s = 3;
    EXPECT_TRUE(method.resolve(shape, {}, {}).support);
    LaunchConfig config;
    config.block = Dim3{32, 1, 1};
    EXPECT_EQ(method.resolve(shape, config, {}).support.reason, "mec1 takes no launch configuration");
    shape.r = 1;
    EXPECT_EQ(method.resolve(shape, {}, {}).support.reason, "it takes no 1x1 filters");
}

}  // namespace
}  // namespace convscope
