// oneDNN beyond the random shapes: Winograd, which takes few shapes, and the choice of the best.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "kernels/measure/verify.h"
#include "kernels/method/registry.h"
#include "kernels/reference/reference_result.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

constexpr ConvShape suits_winograd{.n = 2, .c = 32, .h = 28, .w = 28, .k = 32, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};

ConvShape pooled(ConvShape shape) {
    shape.pool_h = 3;
    shape.pool_w = shape.pool_stride = 2;
    return shape;
}

void expect_right(const Method& method, const ConvShape& shape, Device& device) {
    const Workload workload = testing::random_workload(shape, 0.5, 3);
    const auto execution = method.instantiate(shape, {}, device);
    testing::run_execution(*execution, workload);
    const ReferenceResult reference = reference_result(workload);
    const Verification result = verify(execution->output(), reference.y, reference.scale, shape, method.info().dtype,
                                       summation_of(method.info(), *execution));
    EXPECT_TRUE(result.ok) << method.info().id << " on " << to_string(shape) << ": " << result.reason;
}

TEST(Onednn, winograd_is_right_or_says_that_the_library_has_none) {
    const auto registry = make_registry();
    const Method& winograd = registry->get("onednn-winograd", DeviceKind::cpu);
    for (const ConvShape& shape : {suits_winograd, pooled(suits_winograd)}) {
        if (const Support support = winograd.supports(shape); support)
            expect_right(winograd, shape, registry->device("cpu"));
        else
            EXPECT_NE(support.reason.find("oneDNN"), std::string::npos) << support.reason;
    }
}

TEST(Onednn, winograd_alone_is_checked_as_a_transform) {
    const auto registry = make_registry();
    for (const char* id : {"onednn-winograd", "onednn-direct-blocked"}) {
        const Method& method = registry->get(id, DeviceKind::cpu);
        if (!method.supports(suits_winograd)) continue;
        const auto execution = method.instantiate(suits_winograd, {}, registry->device("cpu"));
        execution->setup();
        const bool winograd = std::string(id) == "onednn-winograd";
        EXPECT_EQ(execution->choice().starts_with("winograd"), winograd);
        EXPECT_EQ(summation_of(method.info(), *execution), winograd ? Summation::transform : Summation::direct);
    }
}

TEST(Onednn, winograd_rejects_a_stride) {
    const auto registry = make_registry();
    ConvShape strided = suits_winograd;
    strided.stride_h = strided.stride_w = 2;
    const Support support = registry->get("onednn-winograd", DeviceKind::cpu).supports(strided);
    EXPECT_FALSE(support.ok);
    EXPECT_FALSE(support.reason.empty());
}

TEST(Onednn, best_names_its_choice_and_counts_its_workspace) {
    const auto registry = make_registry();
    const ConvShape shape = pooled(suits_winograd);
    const Method& best = registry->get("onednn", DeviceKind::cpu);
    expect_right(best, shape, registry->device("cpu"));
    const auto execution = best.instantiate(shape, {}, registry->device("cpu"));
    execution->setup();
    EXPECT_FALSE(execution->choice().empty());
    EXPECT_GE(execution->workspace_bytes(), shape.conv_elements() * 4)
        << "the convolution before pooling has to be somewhere";
}

TEST(Onednn, the_device_names_the_version) {
    const auto registry = make_registry();
    EXPECT_TRUE(registry->device("cpu").info().vendor_version.starts_with("oneDNN "));
}

}  // namespace
}  // namespace convscope
