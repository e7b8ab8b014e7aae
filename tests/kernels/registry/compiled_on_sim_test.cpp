// The methods that the simulated GPU has as nvcc compiled them: known without their module, and with the reason where
// it is missing or cannot be opened.
#include "kernels/registry/compiled_on_sim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/measure/measure.h"
#include "kernels/method/any_size.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"

namespace convscope {
namespace {

int opened = 0;

std::string none_missing() {
    return {};
}
std::string missing() {
    return "this build has no module";
}
CompiledMethods* cannot_be_opened(std::string* reason) {
    ++opened;
    *reason = "the module cannot be loaded";
    return nullptr;
}

/// Does nothing, and notes whether it was stopped before its run.
class StoppedExecution final : public CompiledExecution {
public:
    explicit StoppedExecution(bool& stopped) : stopped_(stopped) {}
    void allocate() override {}
    void stage_inputs(const Workload&) override {}
    void upload() override {}
    void poison_output() override {}
    void run(StageClock*) override {
        stopped_ = stop_.stop_requested();
        throw Error(ErrorKind::failed, "the run was stopped");
    }
    void download() override {}
    Tensor output() const override { return {}; }
    void release() override {}
    std::int64_t workspace_bytes() const override { return 0; }
    RunCost cost() const override { return {}; }
    void set_stop(std::stop_token stop) override { stop_ = std::move(stop); }
    std::vector<simt::LaunchCost> launch_costs() const override { return {}; }

private:
    bool& stopped_;
    std::stop_token stop_;
};

class StoppedMethods final : public CompiledMethods {
public:
    std::vector<std::string> ids() const override { return {}; }
    std::string reason(const std::string&, const ConvShape&) const override { return {}; }
    std::unique_ptr<CompiledExecution> instantiate(const std::string&, const ConvShape&, const LaunchConfig&) override {
        return std::make_unique<StoppedExecution>(stopped);
    }
    CompiledRun run(const std::string&, const Workload&, const std::string&, double, const std::stop_token&) override {
        return {};
    }
    bool stopped = false;
};

StoppedMethods& stopped_methods() {
    static StoppedMethods methods;
    return methods;
}
CompiledMethods* open_stopped(std::string*) {
    return &stopped_methods();
}

const ConvShape layer{.c = 16, .h = 8, .w = 8, .k = 16, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};

class CompiledOnSim : public ::testing::Test {
protected:
    Registry& with(CompiledSource source) {
        register_simulated_gpu(registry_);
        register_compiled_on_sim(registry_, source);
        return registry_;
    }
    std::vector<const Method*> added() const {
        std::vector<const Method*> methods = registry_.methods(DeviceKind::sim);
        std::erase_if(methods, [](const Method* method) {
            return testing::simulated_registry().find(method->info().id, DeviceKind::sim) != nullptr;
        });
        return methods;
    }
    Registry registry_;
};

TEST_F(CompiledOnSim, are_planned_without_opening_their_kernels) {
    opened = 0;
    const Registry& registry = with({none_missing, cannot_be_opened});
    const DeviceModel& model = registry.device("sim").info().model;
    EXPECT_GE(added().size(), 10U);
    for (const Method* method : added()) {
        ConvShape shape = layer;
        if (!method->supports(shape)) shape.pool_h = shape.pool_w = shape.pool_stride = 2;
        EXPECT_TRUE(method->supports(shape)) << method->info().id << ": " << method->supports(shape).reason;
        EXPECT_FALSE(method->resolve(shape, {}, model).kernels.empty()) << method->info().id;
        method->launch_space(shape);
        method->workspace_bytes(shape);
    }
    EXPECT_EQ(opened, 0);
}

TEST_F(CompiledOnSim, are_rejected_with_the_reason_where_the_build_has_no_module) {
    opened = 0;
    Registry& registry = with({missing, cannot_be_opened});
    for (const Method* method : added()) {
        ConvShape shape = layer;
        shape.pool_h = shape.pool_w = shape.pool_stride = 2;
        EXPECT_EQ(method->supports(shape).reason,
                  method->info().id + " is simulated as nvcc compiled it: this build has no module");
    }
    const auto records = measure(registry, registry.device("sim"), testing::random_workload(layer, 0.5, 1),
                                 {{"tensor1", {}}, {"ecr3", {}}}, {}, {}, {});
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].status, Status::not_supported);
    expect_contains(records[0].status_reason, "this build has no module");
    EXPECT_EQ(records[1].status, Status::passed) << records[1].status_reason;
    EXPECT_EQ(opened, 0);
}

TEST_F(CompiledOnSim, fail_with_the_reason_where_the_module_cannot_be_opened) {
    Registry& registry = with({none_missing, cannot_be_opened});
    Device& sim = registry.device("sim");
    EXPECT_EQ(error_of(ErrorKind::failed, [&] { registry.get("mec5", DeviceKind::sim).instantiate(layer, {}, sim); }),
              "mec5 cannot run: the module cannot be loaded");
    const auto records =
        measure(registry, sim, testing::random_workload(layer, 0.5, 1), {{"mec5", {}}, {"ecr3", {}}}, {}, {}, {});
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].status, Status::runtime_error);
    EXPECT_EQ(records[0].status_reason, "mec5 cannot run: the module cannot be loaded");
    EXPECT_EQ(records[1].status, Status::passed);
}

TEST_F(CompiledOnSim, end_when_they_are_stopped) {
    Registry& registry = with({none_missing, open_stopped});
    std::stop_source source;
    MeasureSinks sinks;
    sinks.working = [&](std::size_t) { source.request_stop(); };
    const auto records = measure(registry, registry.device("sim"), testing::random_workload(layer, 0.5, 1),
                                 {{"tensor1", {}}}, {}, sinks, source.get_token());
    EXPECT_TRUE(stopped_methods().stopped) << "its run knows of the request";
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].status, Status::cancelled);
}

TEST_F(CompiledOnSim, take_no_layer_that_would_take_minutes) {
    const Registry& registry = with({none_missing, cannot_be_opened});
    const ConvShape large{.n = 8, .c = 256, .h = 56, .w = 56, .k = 256, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const DeviceModel& model = registry.device("sim").info().model;
    for (const Method* method : added()) {
        ConvShape shape = large;
        if (!supports_any_size(*method, shape)) shape.pool_h = shape.pool_w = shape.pool_stride = 2;
        expect_contains(method->supports(shape).reason, "simulating this shape would take about");
        EXPECT_FALSE(method->resolve(shape, {}, model).support) << method->info().id;
        const ResolvedLaunch planned = resolve_any_size(*method, shape, {}, model);
        EXPECT_TRUE(planned.support) << method->info().id << ": " << planned.support.reason;
        EXPECT_FALSE(planned.kernels.empty()) << method->info().id;
    }
}

TEST_F(CompiledOnSim, tensor3_chooses_by_the_shape_alone) {
    const Registry& registry = with({missing, cannot_be_opened});
    const Method& tensor3 = registry.get("tensor3", DeviceKind::sim);
    const ConvShape shape{.c = 64, .h = 56, .w = 56, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const DeviceModel& model = registry.device("sim").info().model;
    EXPECT_EQ(resolve_any_size(tensor3, shape, {}, model).kernels.at(0).kernel,
              resolve_any_size(registry.get("tensor1", DeviceKind::sim), shape, {}, model).kernels.at(0).kernel);
    EXPECT_EQ(tensor3.supports(shape).reason, "tensor3 is simulated as nvcc compiled it: this build has no module");
}

}  // namespace
}  // namespace convscope
