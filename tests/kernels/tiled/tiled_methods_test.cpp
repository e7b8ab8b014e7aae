// The tiled methods as methods: a worked example, what they reject, and what they show of their plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/kernels/tiled/models.h"
#include "tests/kernels/tiled/simulated_tiled.h"
#include "tests/support/device_models.h"
#include "tests/support/registries.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

using testing::expect_right;
using testing::h100;
using testing::layer;
using testing::simulated_registry;
using testing::tiled_method;

ResolvedLaunch resolve(const char* id, const ConvShape& shape, const LaunchConfig& config = {}) {
    return tiled_method(id).resolve(shape, config, h100());
}

LaunchConfig tuned(std::map<std::string, std::int64_t> tunables) {
    return {{}, {}, std::move(tunables)};
}

// Two filters over a 3 x 4 map: the first sums the window, the second takes its lower right element.
TEST(Tiled, worked_example_to_the_digit) {
    ConvShape shape;
    shape.h = 3;
    shape.w = 4;
    shape.k = 2;
    shape.r = shape.s = 2;
    Workload workload;
    workload.spec.shape = shape;
    workload.x = Tensor(1, 1, 3, 4);
    workload.x.data = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    workload.w = Tensor(2, 1, 2, 2);
    workload.w.data = {1, 1, 1, 1, 0, 0, 0, 1};
    const std::vector<float> wanted{14, 18, 22, 30, 34, 38, 6, 7, 8, 10, 11, 12};
    for (const char* id : {"tiled-single", "tiled-single2", "tiled-multi", "tiled-multi2"})
        EXPECT_EQ(testing::run_method(tiled_method(id), workload, simulated_registry().device("sim")).data, wanted)
            << id;
}

TEST(Tiled, every_division_and_segment_is_right) {
    ConvShape single = layer(1, 30, 70, 3);
    single.n = 2;
    single.pad_h = 1;
    for (const std::int64_t pieces : {1, 2, 3, 12}) {
        expect_right("tiled-single", single, tuned({{"P", pieces}}));
        expect_right("tiled-single", single, tuned({{"Q", pieces}}));
    }
    // Wide enough for several tiles side by side, with filters for more than one group.
    ConvShape multi = layer(5, 9, 70, 3);
    multi.w = 150;
    multi.pad_w = 2;
    for (const std::int64_t S : {32, 64})
        for (const std::int64_t Wx : {32, 64, 128})
            for (const std::int64_t M : {32, 64, 128})
                expect_right("tiled-multi", multi, tuned({{"S", S}, {"Wx", Wx}, {"M", M}}));
}

TEST(Tiled, filters_of_any_size_are_right) {
    ConvShape shape = layer(3, 40, 9, 11);
    expect_right("tiled-multi", shape);
    shape.s = 37;
    expect_right("tiled-multi", shape);
    shape.c = 1;
    expect_right("tiled-single", shape);
    expect_right("tiled-single2", shape);
}

TEST(Tiled, rejects_what_it_is_not_made_for) {
    ConvShape strided = layer(1, 14, 4, 3);
    strided.stride_w = 2;
    ConvShape wide = layer(1, 300, 1, 1);
    wide.s = 200;
    EXPECT_EQ(tiled_method("tiled-single").supports(layer(3, 14, 4, 3)).reason,
              "tiled-single takes one channel, not c = 3; tiled-multi takes any");
    EXPECT_EQ(tiled_method("tiled-single").supports(strided).reason,
              "tiled-single is made for stride 1, as published, not 1,2");
    EXPECT_EQ(tiled_method("tiled-single2").supports(layer(3, 14, 4, 3)).reason,
              "tiled-single2 takes one channel, not c = 3; tiled-multi2 takes any");
    EXPECT_EQ(tiled_method("tiled-single2").supports(strided).reason,
              "tiled-single2 is made for stride 1, as published, not 1,2");
    EXPECT_EQ(tiled_method("tiled-multi").supports(strided).reason,
              "tiled-multi is made for stride 1, as published, not 1,2");
    EXPECT_EQ(tiled_method("tiled-multi").supports(wide).reason,
              "tiled-multi takes filters of up to 192 columns, not s = 200");
    const ConvShape shape = layer(1, 14, 4, 3);
    EXPECT_EQ(resolve("tiled-single", shape, tuned({{"P", 5}})).support.reason,
              "P is 5; it can be 0, 1, 2, 3, 4, 6, 8, 12");
    EXPECT_EQ(resolve("tiled-single", shape, tuned({{"Q", 9}})).support.reason, "Q is 9; it can be 0, 1, 2, 3, 4");
    EXPECT_NE(resolve("tiled-single", shape, tuned({{"P", 2}, {"Q", 2}})).support.reason.find("leave one at 0"),
              std::string::npos);
    EXPECT_EQ(resolve("tiled-multi", shape, tuned({{"S", 128}})).support.reason, "S is 128; it can be 0, 32, 64");
    DeviceModel unknown = h100();
    unknown.memory_latency_cycles = 0;
    EXPECT_EQ(tiled_method("tiled-multi").resolve(shape, {}, unknown).support.reason,
              "the planner needs the latency of global memory of H100, which is not known");
}

TEST(Tiled, shows_every_quantity_of_its_plan_once) {
    for (const char* id : {"tiled-single", "tiled-multi"}) {
        const ResolvedLaunch resolved = resolve(id, layer(1, 224, 64, 3));
        ASSERT_TRUE(resolved.support) << resolved.support.reason;
        std::set<std::string> symbols;
        for (const Quantity& quantity : resolved.quantities) {
            EXPECT_TRUE(symbols.insert(quantity.symbol).second) << quantity.symbol;
            EXPECT_FALSE(quantity.meaning.empty()) << quantity.symbol;
        }
        EXPECT_TRUE(symbols.contains("N_FMA"));
        EXPECT_TRUE(symbols.contains("V_s"));
        EXPECT_TRUE(symbols.contains(id == std::string("tiled-single") ? "Th1" : "W'_y"));
    }
    // Also where the plan is rejected: the numbers say why.
    EXPECT_FALSE(resolve("tiled-single", layer(1, 224, 64, 3), tuned({{"P", 1}, {"Q", 1}})).quantities.empty());
}

}  // namespace
}  // namespace convscope
