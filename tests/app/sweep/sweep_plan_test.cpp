#include "app/sweep/sweep_plan.h"

#include <gtest/gtest.h>

#include "kernels/core/error.h"
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
    const auto own = [](const WorkloadSpec&, const DeviceInfo&, const std::vector<std::string>& defines) {
        EXPECT_EQ(defines.at(1), "FILL=f(1,2)");
        OwnLaunch launch{"own/conv", {{"TILE", std::stoll(defines.at(0).substr(5))}}, "", "", {}, {}, 0, {}};
        return launch;
    };
    const SweepPlan plan(*fakes.registry, flags, {}, own);
    ASSERT_EQ(plan.axes().size(), 3U);
    EXPECT_EQ(plan.axes()[2].values, (std::vector<std::string>{"TILE=8", "TILE=16", "TILE=24"}));
    ASSERT_EQ(plan.points().size(), 12U);
    const PointRequest& second = plan.points()[1].request;
    ASSERT_EQ(second.candidates.size(), 3U);
    EXPECT_EQ(second.candidates[0].method, "own/conv");
    EXPECT_EQ(second.candidates[0].launch.tunables.at("TILE"), 16);
    EXPECT_EQ(second.own.at(0).tunables.at(0).second, 16);
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

}  // namespace
}  // namespace convscope
