#include "app/sweep/sweep_plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/core/error.h"
#include "tests/app/sweep/told_source.h"
#include "tests/kernels/measure/fakes.h"

namespace convscope {
namespace {

FlagValues small_sweep() {
    FlagValues flags;
    flags.set("--device", "fake");
    flags.set("--methods", "a,baseline");
    flags.set("--h", "4,5");
    flags.set("--r", "3,9");
    return flags;
}

testing::FakeLab lab() {
    return testing::FakeLab({{.id = "a"}, {.id = "baseline", .vendor = true}});
}

TEST(SweepPlan, every_point_knows_its_place_and_why_it_cannot_be) {
    const auto fakes = lab();
    const SweepPlan plan(*fakes.registry, small_sweep());
    ASSERT_EQ(plan.axes().size(), 2U);
    ASSERT_EQ(plan.points().size(), 4U);
    EXPECT_EQ(plan.points()[2].place, (std::vector<std::size_t>{1, 0}));
    EXPECT_EQ(plan.points()[2].request.spec.shape.h, 5);
    EXPECT_TRUE(plan.points()[0].impossible.empty());
    EXPECT_NE(plan.points()[1].impossible.find("9"), std::string::npos) << plan.points()[1].impossible;
    EXPECT_EQ(plan.points()[1].request.candidates.size(), 2U);
}

TEST(SweepPlan, points_that_come_to_the_same_are_one) {
    const auto fakes = lab();
    FlagValues flags = small_sweep();
    flags.set("--h", "5,5,05");
    flags.set("--r", "3");
    const SweepPlan plan(*fakes.registry, flags);
    EXPECT_EQ(plan.points().size(), 1U);
    EXPECT_EQ(plan.repeated(), 2U);
}

TEST(SweepPlan, a_method_is_measured_once_where_only_what_it_does_not_take_differs) {
    const testing::FakeLab fakes({{.id = "tiled", .tunables = {{"tile", "of outputs", {8, 16, 32}, 8}}},
                                  {.id = "plain"},
                                  {.id = "baseline", .vendor = true}});
    FlagValues flags = small_sweep();
    flags.set("--methods", "plain,tiled,baseline");
    flags.set("--h", "5,6");
    flags.set("--r", "3");
    flags.set_all("--set", {"tile=8,16,32"});
    const SweepPlan plan(*fakes.registry, flags);
    std::string at;
    for (const SweepPoint& point : plan.points()) {
        at += fmt::format("{}:", point.request.spec.shape.h);
        for (const Candidate& each : point.request.candidates) at += " " + each.method;
        at += "\n";
    }
    EXPECT_EQ(at,
              "5: plain tiled baseline\n5: tiled baseline\n5: tiled baseline\n"
              "6: plain tiled baseline\n6: tiled baseline\n6: tiled baseline\n");
    EXPECT_EQ(plan.measured_once(), std::set<std::string>{"plain"});
    flags.set_all("--set", {"depth=1,2"});
    EXPECT_THROW(SweepPlan(*fakes.registry, flags), Error) << "none has it";
}

TEST(SweepPlan, spans_the_zeros_in_the_weights_and_keeps_the_shares_that_2_4_does_not_have) {
    const auto fakes = lab();
    FlagValues flags = small_sweep();
    flags.set("--h", "5");
    flags.set("--r", "3");
    flags.set("--weight-sparsity", "0,0.5");
    flags.set("--weight-pattern", "magnitude,2:4");
    const SweepPlan plan(*fakes.registry, flags);
    ASSERT_EQ(plan.points().size(), 4U);
    EXPECT_EQ(plan.points()[3].request.spec.weight_pattern, WeightPattern::two_of_four);
    EXPECT_EQ(plan.points()[3].request.spec.weight_sparsity, 0.5);
    for (const std::size_t point : {0U, 2U, 3U}) EXPECT_EQ(plan.points()[point].impossible, "") << point;
    EXPECT_NE(plan.points()[1].impossible.find("the pattern 2:4 keeps two of each four"), std::string::npos)
        << plan.points()[1].impossible;
}

TEST(SweepPlan, a_mistake_in_the_last_point_is_found_at_once) {
    const auto fakes = lab();
    FlagValues flags = small_sweep();
    flags.set("--sparsity", "0,0.5,1.5");
    EXPECT_THROW(SweepPlan(*fakes.registry, flags), Error);
}

TEST(SweepPlan, has_a_kernel_of_ones_own_at_every_point) {
    const auto fakes = lab();
    FlagValues flags = small_sweep();
    flags.set("--own", "conv.cu");
    flags.set_all("--define", {"TILE=8:24:8", "FILL=f(1,2)"});
    testing::ToldSource own;
    const SweepPlan plan(*fakes.registry, flags, {}, &own);
    ASSERT_EQ(plan.axes().size(), 3U);
    EXPECT_EQ(plan.axes()[2].values, (std::vector<std::string>{"TILE=8", "TILE=16", "TILE=24"}));
    ASSERT_EQ(plan.points().size(), 12U);
    const SweepPoint& second = plan.points()[1];
    EXPECT_EQ(second.own.defines, (std::vector<std::string>{"TILE=16", "FILL=f(1,2)"}));
    ASSERT_EQ(second.request.candidates.size(), 3U);
    EXPECT_EQ(second.request.candidates[0].method, "own/conv");
    EXPECT_EQ(second.request.candidates[0].launch.tunables.at("TILE"), 16);
    EXPECT_EQ(second.request.own.at(0).tunables.at(0).second, 16);
    EXPECT_EQ(own.compilations, 0);
}

TEST(SweepPlan, tries_blocks_of_a_kernel_of_ones_own) {
    const auto fakes = lab();
    FlagValues flags = small_sweep();
    flags.set("--h", "5");
    flags.set("--r", "3");
    flags.set("--own", "conv.cu");
    flags.set_all("--define", {"TILE=8"});
    flags.set("--block", "32x1x1,64x2x1");
    testing::ToldSource own;
    const SweepPlan plan(*fakes.registry, flags, {}, &own);
    ASSERT_EQ(plan.points().size(), 2U);
    const PointRequest& second = plan.points()[1].request;
    EXPECT_EQ(*plan.points()[1].own.block, (Dim3{64, 2, 1}));
    EXPECT_EQ(*second.candidates.at(0).launch.block, (Dim3{64, 2, 1}));
    EXPECT_EQ(second.candidates.at(1).launch, LaunchConfig{}) << "the methods that choose their block go on doing so";
    flags.set("--methods", "none");
    EXPECT_EQ(SweepPlan(*fakes.registry, flags, {}, &own).points()[0].request.candidates.size(), 1U);
    flags.set_all("--set", {"tile=3"});
    EXPECT_THROW(SweepPlan(*fakes.registry, flags, {}, &own), Error);
}

TEST(CommandLine, reads_back_in_a_shell) {
    FlagValues flags;
    flags.set("--preset", "mec/*");
    flags.set("--n", "1,32");
    flags.set("--input", "it's.npy");
    flags.set_all("--set", {"tile=8:32:8", "unroll=2"});
    EXPECT_EQ(command_line("sweep", flags),
              "convscope sweep --preset 'mec/*' --n 1,32 --input 'it'\\''s.npy' --set tile=8:32:8 --set unroll=2");
}

TEST(SweepPlan, points_of_other_grids_are_others) {
    const auto fakes = lab();
    FlagValues flags = small_sweep();
    flags.set("--methods", "a");
    flags.set("--h", "5");
    flags.set("--r", "3");
    flags.set("--grid", "7x1x1,7x1x2,7x1x1");
    const SweepPlan plan(*fakes.registry, flags);
    EXPECT_EQ(plan.points().size(), 2U);
    EXPECT_EQ(plan.repeated(), 1U);
}

TEST(SweepPlan, a_kernel_of_ones_own_is_beside_the_vendors_best_where_there_is_one) {
    FlagValues flags;
    for (const auto& [flag, value] : {std::pair{"--device", "fake"}, {"--h", "4"}, {"--r", "3"}, {"--own", "conv.cu"}})
        flags.set(flag, value);
    flags.set_all("--define", {"TILE=8"});
    testing::ToldSource own;
    const auto compared = [&](const testing::FakeLab& fakes) {
        std::vector<std::string> ids;
        const SweepPlan plan(*fakes.registry, flags, {}, &own);
        for (const Candidate& each : plan.points().at(0).request.candidates) ids.push_back(each.method);
        return ids;
    };
    const testing::FakeLab with({{.id = "a"}, {.id = "best", .vendor = true, .vendor_best = true}});
    EXPECT_EQ(compared(with), (std::vector<std::string>{"own/conv", "best"}));
    EXPECT_EQ(compared(lab()), (std::vector<std::string>{"own/conv"}));
}

}  // namespace
}  // namespace convscope
