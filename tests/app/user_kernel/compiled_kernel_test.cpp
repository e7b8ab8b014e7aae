// Our kernels for compute capability 9.0, looked at as a user's own are. Where this build has none, each case is
// skipped.
#include "app/user_kernel/compiled_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/user_kernel/kernel_check.h"
#include "app/user_kernel/line_steps.h"
#include "kernels/core/error.h"
#include "tests/support/registries.h"

namespace convscope::app {
namespace {

class CompiledKernel : public ::testing::Test {
protected:
    void SetUp() override {
        std::string reason;
        if (!compiled_methods(&reason)) GTEST_SKIP() << reason;
    }
    static KernelCheckRequest request(const std::string& method, const std::string& kernel = "") {
        KernelCheckRequest request;
        request.call.method = method;
        request.call.entry = kernel;
        request.call.layer = WorkloadSpec{};
        request.call.layer->shape = {.c = 64, .h = 14, .w = 14, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
        request.call.layer->sparsity = 0.5;
        return request;
    }
};

TEST_F(CompiledKernel, are_of_the_methods_that_no_simulated_gpu_has) {
    const std::vector<std::string> ids = compiled_methods()->ids();
    for (const char* id : {"mec5", "fused6", "tensor1", "union1"})
        EXPECT_NE(std::ranges::find(ids, id), ids.end()) << id;
    EXPECT_EQ(std::ranges::find(ids, "ecr3"), ids.end());
}

TEST_F(CompiledKernel, are_those_that_the_simulated_gpu_runs_without_a_build_of_its_own) {
    std::vector<std::string> ids = compiled_methods()->ids(), added;
    for (const Method* method : testing::registry().methods(DeviceKind::sim))
        if (const std::string& id = method->info().id; !testing::simulated_registry().find(id, DeviceKind::sim))
            added.push_back(id);
    EXPECT_EQ(std::set(ids.begin(), ids.end()), std::set(added.begin(), added.end()))
        << "register_compiled_on_sim() names them";
}

TEST_F(CompiledKernel, are_run_checked_counted_and_traced) {
    for (const std::string& id : compiled_methods()->ids()) {
        KernelCheckRequest of = request(id);
        ConvShape& shape = of.call.layer->shape;
        if (!compiled_methods()->reason(id, shape).empty()) shape.pool_h = shape.pool_w = shape.pool_stride = 2;
        const auto check = check_kernel(of, {});
        if (id == "nm1") {  // the layer's weights are not 2:4
            ASSERT_EQ(check->problems.size(), 1u);
            EXPECT_NE(check->problems[0].sentence.find("nm1 takes weights of which each four along c"),
                      std::string::npos)
                << check->problems[0].sentence;
            continue;
        }
        ASSERT_TRUE(check->problems.empty()) << id << ": " << check->problems.front().sentence;
        ASSERT_TRUE(check->result) << id;
        EXPECT_EQ(check->verdict, "") << id;
        ASSERT_TRUE(check->layer);
        EXPECT_LE(check->layer->error, check->layer->tolerance) << id;
        EXPECT_NE(check->source.find(check->kernel().text.name), std::string::npos) << id;
        EXPECT_GT(check->lines().size(), 5u) << id << ": lines of " << check->call.file;
        EXPECT_GT(line_steps(*check).size(), 3u) << id;
        EXPECT_EQ(check->kernel().text.parameters.front().name, "shape") << id;
    }
}

TEST_F(CompiledKernel, can_be_any_that_the_method_launches) {
    const auto all = check_kernel(request("union1"), {});
    ASSERT_GE(all->entries.size(), 3u);
    EXPECT_EQ(all->call.entry, "union1_multiply") << "the one with the products";
    const auto mark = check_kernel(request("union1", "union1_mark"), {});
    ASSERT_TRUE(mark->result);
    EXPECT_EQ(mark->kernel().text.name, "union1_mark");
    // As a session has it whose layer was another one.
    EXPECT_EQ(check_kernel(request("union1", "nothing"), {})->call.entry, "union1_multiply");
}

TEST_F(CompiledKernel, that_takes_too_long_or_is_stopped_says_so_and_runs_the_next_time) {
    KernelCheckRequest hasty = request("tensor1");
    hasty.max_seconds = 1e-6;
    const auto late = check_kernel(hasty, {});
    ASSERT_EQ(late->problems.size(), 1u);
    EXPECT_NE(late->problems[0].sentence.find("did not end within"), std::string::npos) << late->problems[0].sentence;
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(check_kernel(request("tensor1"), stop.get_token())->result);
    const auto check = check_kernel(request("tensor1"), {});
    ASSERT_TRUE(check->result);
    EXPECT_EQ(check->verdict, "");
}

TEST_F(CompiledKernel, of_a_layer_that_the_method_does_not_take_says_why) {
    KernelCheckRequest wide = request("union1");
    wide.call.layer->shape.r = wide.call.layer->shape.s = 5;
    const auto check = check_kernel(wide, {});
    ASSERT_EQ(check->problems.size(), 1u);
    EXPECT_NE(check->problems[0].sentence.find("union1"), std::string::npos) << check->problems[0].sentence;
    const auto unknown = check_kernel(request("tensor99"), {});
    ASSERT_EQ(unknown->problems.size(), 1u);
    EXPECT_NE(unknown->problems[0].sentence.find("tensor99"), std::string::npos) << unknown->problems[0].sentence;
}

}  // namespace
}  // namespace convscope::app
