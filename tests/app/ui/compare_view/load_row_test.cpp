// A recorded row in the panels: what is said to be there is there, and what is not is named.
#include "app/ui/compare_view/load_row.h"

#include <gtest/gtest.h>

#include "app/session/method_choice.h"
#include "kernels/layers/preset.h"

namespace convscope::app {
namespace {

class LoadRow : public ::testing::Test {
protected:
    void SetUp() override { choose_device(session_, *registry_, "cpu"); }

    static Record row(const std::string& method) {
        Record record;
        record.shape = find_preset("vgg19/conv5_1").spec.shape;
        record.method = method;
        record.device = "cuda:0";
        record.device_name = "NVIDIA H100 80GB HBM3";
        record.source = "uniform";
        record.seed = 7;
        record.sparsity_target = 0.95;
        record.timing_scope = "setup";
        record.cache_mode = "cold";
        record.block = Dim3{32, 4, 1};
        return record;
    }
    std::string load(const Record& record) {
        return load_row(session_, *registry_, *make_compare_data({record}, "test"), 0);
    }

    std::unique_ptr<Registry> registry_ = make_registry();
    Session session_ = make_session(*registry_);
};

TEST_F(LoadRow, a_method_of_gpus_alone_is_in_the_launch_panel_of_the_cpu) {
    ASSERT_EQ(registry_->find("ocpa2", DeviceKind::cpu), nullptr);
    const std::string said = load(row("ocpa2"));
    EXPECT_EQ(launched_method(session_, *registry_)->info().id, "ocpa2") << said;
    EXPECT_EQ(session_.good.sparsity, 0.95);
    EXPECT_EQ(session_.choices.scope, TimingScope::setup);
    EXPECT_EQ(session_.choices.cache, CacheMode::cold);
    EXPECT_NE(said.find("zeros 95 %, ocpa2 with "), std::string::npos) << said;
    EXPECT_NE(said.find("Not taken over: the device, NVIDIA H100 80GB HBM3"), std::string::npos) << said;
}

TEST_F(LoadRow, the_zeros_in_the_weights_come_with_it) {
    Record pruned = row("ocpa2");
    pruned.weight_sparsity_target = 0.75;
    pruned.weight_pattern = "rows";
    const std::string said = load(pruned);
    EXPECT_EQ(session_.good.weight_sparsity, 0.75);
    EXPECT_EQ(session_.good.weight_pattern, WeightPattern::rows);
    EXPECT_NE(said.find("zeros 95 %, weights 75 % zeros (rows), ocpa2"), std::string::npos) << said;
    load(row("ocpa2"));
    EXPECT_EQ(session_.good.weight_sparsity, 0) << "of a row without";
}

TEST_F(LoadRow, a_method_that_cannot_be_shown_is_named_and_not_chosen) {
    load(row("ocpa2"));
    const std::string said = load(row("method-of-another-program"));
    EXPECT_EQ(launched_method(session_, *registry_)->info().id, "ocpa2") << "it stays";
    EXPECT_FALSE(session_.choices.launch.contains("method-of-another-program"));
    EXPECT_NE(said.find("Not taken over: method-of-another-program"), std::string::npos) << said;
}

TEST_F(LoadRow, the_tunables_that_a_row_is_too_old_for_do_not_contradict_it) {
    Record record = row("ocpa2");
    record.block.reset();
    // As vgg19-conv5-sparsity has it, from before 'staged', which is 1 for this layer today.
    record.tunables =
        "rows=0;tile_h=7;tile_w=7;filters_per_lane=8;windows_per_warp=2;channel_warps=1;split_k=16;chunk=32";
    const auto can_be = [&] {
        const Method& method = *launched_method(session_, *registry_);
        return shown_launch(session_, *registry_, method, launch_model(session_, *registry_)).support;
    };
    const std::string said = load(record);
    EXPECT_TRUE(can_be()) << can_be().reason << "; " << said;
    std::map<std::string, std::int64_t> expected = tunables_of(record);
    expected["staged"] = 0;
    EXPECT_EQ(launch_of(session_, "ocpa2").tunables, expected) << said;
    record.tunables = "no_such_tunable=3";
    load(record);
    EXPECT_TRUE(can_be()) << can_be().reason;
    EXPECT_EQ(launch_of(session_, "ocpa2"), LaunchConfig{}) << "all is its own choice";
}

TEST_F(LoadRow, says_of_a_row_of_this_device_that_all_is_taken_over) {
    Record record = row("ecr3");
    record.device = "cpu";
    record.device_name = registry_->device("cpu").info().name;
    EXPECT_EQ(load(record).find("Not taken over"), std::string::npos);
    record.source = "file";
    EXPECT_NE(load(record).find("its data (file)"), std::string::npos);
}

}  // namespace
}  // namespace convscope::app
