// The least time for a record: whichever of arithmetic and memory takes longer, of the work that was executed and on
// the units that executed it.
#include "kernels/measure/roofline.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

Record on_h100() {
    Record record;
    record.device_name = "NVIDIA H100 80GB HBM3";
    record.dtype = "fp32";
    record.arithmetic = "fp32";
    record.shape = {.n = 1, .c = 64, .h = 56, .w = 56, .k = 64, .r = 3, .s = 3};
    record.flops_executed = 66.9e6;  // a microsecond at 66.9 TFLOP/s, and less of memory
    return record;
}

double memory_us(const Record& record) {
    return static_cast<double>(record.shape.min_bytes()) / 3350e3;
}

TEST(Roofline, arithmetic_or_memory_whichever_takes_longer) {
    Record record = on_h100();
    EXPECT_NEAR(roofline_us(record).value(), 1, 1e-9);
    *record.flops_executed /= 100;
    EXPECT_NEAR(roofline_us(record).value(), memory_us(record), 1e-9);
}

TEST(Roofline, every_arithmetic_has_a_roof_of_its_own) {
    Record record = on_h100();
    record.flops_executed = 494.7e8;
    record.arithmetic = "tf32";
    EXPECT_NEAR(roofline_us(record).value(), 100, 1e-6);
    record.arithmetic = "fp16";
    EXPECT_NEAR(roofline_us(record).value(), 50, 1e-6);
    record.arithmetic = "fp32_by_3xfp16";  // dtype says fp32: the FP32 cores' roof would be passed
    EXPECT_NEAR(roofline_us(record).value(), 150, 1e-6);
    record.arithmetic = "fp32_by_3xtf32";
    EXPECT_NEAR(roofline_us(record).value(), 300, 1e-6);
}

TEST(Roofline, what_is_not_known_has_no_roof) {
    for (const auto& forget :
         {+[](Record& record) { record.flops_executed.reset(); }, +[](Record& record) { record.arithmetic.clear(); },
          +[](Record& record) { record.arithmetic = "fp64"; }, +[](Record& record) { record.device_name = "a CPU"; }}) {
        Record record = on_h100();
        forget(record);
        EXPECT_FALSE(roofline_us(record));
    }
    Record record = on_h100();
    record.device_name = "NVIDIA GeForce GTX 1080 Ti";  // no tensor cores
    record.arithmetic = "tf32";
    EXPECT_FALSE(roofline_us(record));
}

TEST(Roofline, weights_that_a_fully_connected_layer_skips_need_not_move) {
    Record record = on_h100();
    record.shape = {.c = 25088, .k = 4096};
    record.flops_executed = record.shape.flops_dense();
    EXPECT_NEAR(roofline_us(record).value(), memory_us(record), 1e-9);
    const double weights = static_cast<double>(record.shape.w_elements()), others = 4.0 * (25088 + 4096);
    *record.flops_executed *= 0.25;
    EXPECT_NEAR(needed_bytes(record), weights + others, 1e-3);
    record.dtype = "fp16";
    EXPECT_NEAR(needed_bytes(record), weights / 2 + others, 1e-3);
    record.flops_executed.reset();
    EXPECT_NEAR(needed_bytes(record), weights * 2 + others, 1e-3) << "what only a library knows counts as dense";
}

TEST(Roofline, no_run_is_below_its_floor) {
    Record record;
    record.arithmetic = "fp32";
    record.flops_executed = 2.2e9;
    record.shape.h = record.shape.w = 1000;
    record.shape.c = 11;  // with y, 48 MB
    DeviceModel model;
    EXPECT_EQ(floor_us(record, model), 0) << "nothing is known";
    model.fp32_tflops = 10;
    EXPECT_NEAR(floor_us(record, model), 200, 0.01);
    model.memory_gb_per_s = 100;
    model.l2_bytes = 4000000;
    EXPECT_NEAR(floor_us(record, model), 400, 0.01) << "what the cache cannot hold";
    record.shape.stride_w = 2;
    EXPECT_LT(floor_us(record, model), 250) << "half of x need not be read";
    record.shape.stride_w = 1;
    for (std::int64_t* step : {&record.shape.stride_h, &record.shape.dilation_h, &record.shape.dilation_w}) {
        *step = 2;
        EXPECT_LT(floor_us(record, model), 250) << "rows and columns that are passed over need not be";
        *step = 1;
    }
    record.shape.pool_h = record.shape.pool_w = record.shape.pool_stride = 4;
    EXPECT_LT(floor_us(record, model), 250) << "nor rows that no window of the pooling takes in";
    record.shape.pool_h = record.shape.pool_w = record.shape.pool_stride = 0;
    record.dtype = "fp16";
    EXPECT_NEAR(floor_us(record, model), 200, 0.01) << "half the bytes: what is computed takes longer";
    model.fp32_tflops = 100;
    EXPECT_NEAR(floor_us(record, model), (24e6 - 4e6) / 1e5 / 1.1, 0.01);
    record.flops_executed.reset();
    model.l2_bytes = 64 << 20;
    EXPECT_EQ(floor_us(record, model), 0);
}

}  // namespace
}  // namespace convscope
