#include "kernels/measure/ceilings.h"

#include <gtest/gtest.h>

#include "kernels/method/registry.h"
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
    EXPECT_NE(csv.find(",2900,60,3350,66.9,false\r\n"), std::string::npos) << csv;
    EXPECT_TRUE(
        csv.starts_with("device,device_name,timestamp_utc,copy_gb_per_s,fp32_tflops,datasheet_gb_per_s,"
                        "datasheet_fp32_tflops,processor_busy\r\n"))
        << csv;
}

TEST(Ceilings, without_a_datasheet_of_a_busy_processor_say_so) {
    DeviceInfo info;
    info.name = "a CPU";
    const CeilingRow row = ceiling_row(info, {20, 1, true});
    EXPECT_FALSE(row.datasheet);
    EXPECT_NE(ceilings_csv({row}).find(",20,1,,,true\r\n"), std::string::npos);
    const std::string json = ceilings_json({row});
    EXPECT_NE(json.find("\"datasheet_gb_per_s\": null"), std::string::npos) << json;
    EXPECT_NE(json.find("\"processor_busy\": true"), std::string::npos) << json;
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
