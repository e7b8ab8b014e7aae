#include "app/session/method_choice.h"

#include "app/compare/method_colours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/layers/preset.h"
#include "kernels/registry/compiled_methods.h"
#include "visualizers/theme/theme.h"

namespace convscope::app {
namespace {

class MethodChoice : public ::testing::Test {
protected:
    void SetUp() override { choose_device(session_, *registry_, "cpu"); }

    void show(const char* preset, TabId tab, std::int64_t pool = 0) {
        WorkloadSpec spec = find_preset(preset).spec;
        spec.shape.pool_h = spec.shape.pool_w = spec.shape.pool_stride = pool;
        set_workload(session_, spec);
        session_.tab = tab;
    }
    std::string shown() const { return shown_method(session_, *registry_); }

    std::unique_ptr<Registry> registry_ = make_registry();
    Session session_;
};

TEST_F(MethodChoice, follows_the_view_and_the_layer) {
    show("examples/xu-fig4", TabId("ecr"));
    EXPECT_EQ(shown(), "ecr1");
    show("examples/xu-fig4", TabId("lowering"));
    EXPECT_EQ(shown(), "mec2");
    show("examples/xu-fig4", TabId("pecr"), 2);
    EXPECT_EQ(shown(), "pecr1");
    show("vgg19/conv5_1", TabId("ecr"));
    EXPECT_EQ(shown(), "ecr3");
    show("vgg19/conv5_1", TabId("pecr"), 2);
    EXPECT_EQ(shown(), "pecr3");
    show("vgg19/conv5_1", TabId("pecr"));  // no pooling: PECR cannot run it
    EXPECT_EQ(shown(), "ecr3");
}

TEST_F(MethodChoice, plans_launches_of_any_size_where_nothing_is_simulated) {
    WorkloadSpec spec = find_preset("vgg19/conv1_2").spec;
    spec.shape.n = 64;
    set_workload(session_, spec);
    session_.tab = "ecr";
    const Method* method = launched_method(session_, *registry_);
    ASSERT_NE(method, nullptr);
    const DeviceModel& model = launch_model(session_, *registry_);
    const ResolvedLaunch planned = shown_launch(session_, *registry_, *method, model);
    EXPECT_TRUE(planned.support) << planned.support.reason;
    EXPECT_FALSE(planned.kernels.empty());
    choose_device(session_, *registry_, "sim");
    EXPECT_FALSE(shown_launch(session_, *registry_, *registry_->find("ecr3", DeviceKind::sim), model).support);

    choose_device(session_, *registry_, "cpu");
    choose_method(session_, "tensor1");  // the simulated GPU has it as nvcc compiled it
    const Method* compiled = launched_method(session_, *registry_);
    ASSERT_NE(compiled, nullptr);
    EXPECT_EQ(compiled->info().id, "tensor1");
    const ResolvedLaunch large = shown_launch(session_, *registry_, *compiled, model);
    EXPECT_TRUE(large.support) << large.support.reason;
    EXPECT_FALSE(large.kernels.empty());
}

TEST_F(MethodChoice, keeps_what_was_chosen_by_hand_where_it_runs) {
    show("examples/xu-fig4", TabId("ecr"));
    choose_method(session_, "ecr1");
    session_.tab = "lowering";
    EXPECT_EQ(shown(), "ecr1");
    show("vgg19/conv5_1", TabId("lowering"));
    EXPECT_EQ(shown(), "mec2");
    show("examples/cho-fig1", TabId("lowering"));
    EXPECT_EQ(shown(), "ecr1");
    choose_method(session_, "");
    EXPECT_EQ(shown(), "mec2");
}

TEST_F(MethodChoice, ticks_methods_that_run_the_layer_in_colours_that_differ) {
    for (const char* preset : {"examples/xu-fig4", "vgg19/conv5_1", "mec/cv6"})
        for (std::int64_t pool : {0, 2}) {
            show(preset, TabId("ecr"), pool);
            const std::vector<std::string> ids = live_methods(session_, *registry_);
            EXPECT_GE(ids.size(), 4U) << preset;
            std::set<int> colours;
            for (const std::string& id : ids) {
                const Method* method = registry_->find(id, DeviceKind::cpu);
                EXPECT_TRUE(method->supports(session_.good.shape)) << preset << " " << id;
                if (method->info().vendor) continue;
                EXPECT_TRUE(colours.insert(colour_of(id)).second) << preset << " " << id;
            }
        }
}

TEST_F(MethodChoice, a_method_of_pruned_weights_does_not_run_a_layer_of_dense_ones) {
    if (!missing_compiled_methods().empty()) GTEST_SKIP() << "this build has no methods as compiled";
    show("vgg19/conv5_1", TabId("ecr"));
    const Method& nm1 = registry_->get("nm1", DeviceKind::sim);
    EXPECT_NE(runs_layer(session_, nm1).reason.find("nm1 takes weights of which each four along c"), std::string::npos);
    EXPECT_TRUE(runs_layer(session_, registry_->get("im2col", DeviceKind::sim)));
    session_.choices.launch["nm1"].tunables["sparse"] = 0;
    EXPECT_EQ(runs_layer(session_, nm1).reason, nm1.supports(session_.good.shape).reason) << "the dense twin takes any";
    session_.choices.launch.clear();
    WorkloadSpec pruned = session_.good;
    pruned.weight_pattern = WeightPattern::two_of_four;
    pruned.weight_sparsity = two_of_four_sparsity;
    set_workload(session_, pruned);
    EXPECT_EQ(runs_layer(session_, nm1).reason, nm1.supports(session_.good.shape).reason);
}

TEST_F(MethodChoice, a_tick_by_hand_stays_when_the_layer_changes) {
    show("examples/xu-fig4", TabId("ecr"));
    toggle_live_method(session_, *registry_, "reference");
    toggle_live_method(session_, *registry_, "im2col");
    const std::vector<std::string> ticked = live_methods(session_, *registry_);
    EXPECT_EQ(ticked.front(), "reference");
    EXPECT_EQ(std::count(ticked.begin(), ticked.end(), "im2col"), 0);
    show("vgg19/conv5_1", TabId("ecr"));
    EXPECT_EQ(live_methods(session_, *registry_), ticked);
}

}  // namespace
}  // namespace convscope::app
