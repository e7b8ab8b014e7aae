// Chang et al., Table 1, to the digit.
#include "kernels/tiled/latency_hiding.h"

#include <gtest/gtest.h>

#include "tests/kernels/tiled/models.h"
#include "tests/support/device_models.h"

namespace convscope {
namespace {

using testing::h100;
using testing::model_of;

TEST(LatencyHiding, of_the_gtx1080_ti_is_that_of_table_1) {
    const DeviceModel gpu = model_of("GTX 1080 Ti");
    EXPECT_EQ(gpu.memory_latency_cycles, 258);
    EXPECT_EQ(gpu.memory_gb_per_s, 484);
    EXPECT_EQ(gpu.clock_mhz, 1480);
    EXPECT_EQ(gpu.sms, 28);
    EXPECT_EQ(gpu.fp32_lanes, 128);
    const LatencyHiding hiding = latency_hiding(gpu);
    EXPECT_EQ(hiding.n_fma, 66'048);
    EXPECT_EQ(hiding.bytes_per_cycle, 327);
    EXPECT_EQ(hiding.requirement, 84'366);
    EXPECT_EQ(hiding.threads_per_sm, 768);
    EXPECT_EQ(hiding.warps_per_sm, 24);
    EXPECT_EQ(hiding.requirement_per_sm, 3072);
    EXPECT_EQ(hiding.v_s, 86'016);
}

TEST(LatencyHiding, of_an_h100) {
    // 479 cycles, 128 cores, 3350 GB/s at 1980 MHz: 1691 bytes per cycle, 809,989 under way, 6329 warps, 48 on each of
    // 132 SMs.
    const LatencyHiding hiding = latency_hiding(h100());
    EXPECT_EQ(hiding.n_fma, 122'624);
    EXPECT_EQ(hiding.requirement, 809'989);
    EXPECT_EQ(hiding.threads_per_sm, 1536);
    EXPECT_EQ(hiding.v_s, 811'008);
}

TEST(LatencyHiding, every_model_has_what_it_takes) {
    for (const DeviceModel& gpu : device_models()) {
        ASSERT_TRUE(has_rates(gpu)) << gpu.name;
        const LatencyHiding hiding = latency_hiding(gpu);
        EXPECT_GE(hiding.v_s, hiding.requirement) << gpu.name;
        // One warp less on each SM would not be enough.
        EXPECT_LT(hiding.v_s - 4 * gpu.warp_size * gpu.sms, hiding.requirement) << gpu.name;
    }
}

TEST(LatencyHiding, says_which_figure_of_the_model_is_missing) {
    struct Case {
        void (*forget)(DeviceModel&);
        const char* reason;
    };
    const Case cases[] = {
        {[](DeviceModel& m) { m.sms = 0; }, "the planner needs the number of SMs of GTX 1080 Ti, which is not known"},
        {[](DeviceModel& m) { m.fp32_lanes = 0; }, "number of FP32 cores per SM"},
        {[](DeviceModel& m) { m.clock_mhz = 0; }, "the planner needs the clock of"},
        {[](DeviceModel& m) { m.memory_gb_per_s = 0; }, "memory bandwidth"},
        {[](DeviceModel& m) { m.memory_latency_cycles = 0; }, "latency of global memory"},
    };
    for (const Case& each : cases) {
        DeviceModel gpu = model_of("GTX 1080 Ti");
        each.forget(gpu);
        const Support support = has_rates(gpu);
        EXPECT_FALSE(support);
        EXPECT_NE(support.reason.find(each.reason), std::string::npos) << support.reason;
    }
}

}  // namespace
}  // namespace convscope
