#include "kernels/measure/ceilings.h"

#include <gtest/gtest.h>

#include "kernels/core/registry.h"
#include "tests/kernels/measure/fakes.h"

namespace convscope {
namespace {

TEST(Ceilings, of_a_device_without_a_meter_are_none) {
    testing::FakeLab lab({});
    EXPECT_FALSE(measured_ceilings(*lab.device));
}

TEST(Ceilings, stand_beside_the_datasheet_of_their_device) {
    DeviceInfo info;
    info.id = "cuda:0";
    info.name = "NVIDIA H100 80GB HBM3, \"SXM\"";
    const CeilingRow row = ceiling_row(info, {2900, 60});
    ASSERT_TRUE(row.datasheet);
    EXPECT_GT(row.datasheet->copy_gb_per_s, 3000);
    const std::string csv = ceilings_csv({row});
    EXPECT_NE(csv.find("cuda:0,\"NVIDIA H100 80GB HBM3, \"\"SXM\"\"\","), std::string::npos) << csv;
    EXPECT_NE(csv.find(",2900,60,"), std::string::npos) << csv;
    info.name = "a CPU";
    EXPECT_FALSE(ceiling_row(info, {20, 1}).datasheet);
    EXPECT_NE(ceilings_json({ceiling_row(info, {20, 1})}).find("\"datasheet_gb_per_s\": null"), std::string::npos);
}

TEST(Ceilings, of_a_cpu_are_measured_once) {
    const auto registry = make_registry();
    const auto first = measured_ceilings(registry->device("cpu"));
    ASSERT_TRUE(first);
    EXPECT_GT(first->copy_gb_per_s, 0.1);
    EXPECT_LT(first->copy_gb_per_s, 5000);
    EXPECT_GT(first->fp32_tflops, 0.0001);
    EXPECT_EQ(measured_ceilings(registry->device("cpu"))->fp32_tflops, first->fp32_tflops);
}

}  // namespace
}  // namespace convscope
