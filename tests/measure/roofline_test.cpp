// The least time for a record: whichever of arithmetic and memory takes longer, and only the work that is done.
#include "kernels/measure/roofline.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

Record on_h100() {
    Record record;
    record.device_name = "NVIDIA H100 80GB HBM3";
    record.dtype = "fp32";
    record.shape = {.n = 1, .c = 64, .h = 56, .w = 56, .k = 64, .r = 3, .s = 3};
    record.flops_dense = 66.9e6;  // a microsecond at 66.9 TFLOP/s, and less of memory
    return record;
}

double memory_us(const Record& record) {
    return static_cast<double>(record.shape.min_bytes()) / 3350e3;
}

TEST(Roofline, ArithmeticOrMemoryWhicheverTakesLonger) {
    Record record = on_h100();
    EXPECT_NEAR(roofline_us(record).value(), 1, 1e-9);
    record.flops_dense /= 100;
    EXPECT_NEAR(roofline_us(record).value(), memory_us(record), 1e-9);
}

TEST(Roofline, WhatIsSkippedDoesNotCount) {
    Record record = on_h100();
    record.flops_effective = record.flops_dense / 2;
    EXPECT_DOUBLE_EQ(flops_to_do(record), record.flops_dense);  // a dense method multiplies by the zeros
    record.family = "ecr";
    EXPECT_DOUBLE_EQ(flops_to_do(record), record.flops_dense / 2);
}

TEST(Roofline, TheRateIsThatOfTheArithmetic) {
    Record record = on_h100();
    record.flops_dense = 494.7e8;
    record.dtype = "tf32";
    EXPECT_NEAR(roofline_us(record).value(), 100, 1e-6);
    record.dtype = "fp16";
    EXPECT_NEAR(roofline_us(record).value(), 50, 1e-6);
    record.device_name = "NVIDIA GeForce GTX 1080 Ti";  // no tensor cores
    EXPECT_FALSE(roofline_us(record));
}

TEST(Roofline, TheLongestNameIsTheModel) {
    Record record = on_h100();
    record.device_name = "NVIDIA GeForce GTX 1080 Ti";
    EXPECT_EQ(model_of(record)->name, "GTX 1080 Ti");
    record.device_name = "a CPU";
    EXPECT_FALSE(model_of(record));
    EXPECT_FALSE(roofline_us(record));
}

}  // namespace
}  // namespace convscope
