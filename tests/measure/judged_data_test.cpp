#include "kernels/measure/judged_data.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

WorkloadSpec spec(std::int64_t h) {
    WorkloadSpec spec;
    spec.shape.h = spec.shape.w = h;
    spec.shape.r = spec.shape.s = 3;
    return spec;
}

TEST(JudgedData, IsComputedOncePerWorkload) {
    JudgedData data;
    int judged = 0;
    const auto count = [&judged] { ++judged; };
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(data.workload(spec(8)).spec.shape.h, 8);
        EXPECT_EQ(data.judgement(count).y.data.size(), 36U);
    }
    EXPECT_EQ(judged, 1);
    data.workload(spec(9));
    EXPECT_EQ(data.judgement(count).y.data.size(), 49U);
    WorkloadSpec other_data = spec(9);
    other_data.seed = 2;
    data.workload(other_data);
    data.judgement(count);
    EXPECT_EQ(judged, 3);
}

TEST(JudgedData, ANameIsNoOtherData) {
    JudgedData data;
    int judged = 0;
    data.workload(spec(8));
    data.judgement([&judged] { ++judged; });
    WorkloadSpec renamed = spec(8);
    renamed.name = "another name";
    EXPECT_EQ(data.workload(renamed).spec.name, "another name");
    data.judgement([&judged] { ++judged; });
    EXPECT_EQ(judged, 1);
}

TEST(JudgedData, WhatCannotBeLeavesNothingBehind) {
    JudgedData data;
    WorkloadSpec missing = spec(8);
    missing.source = Source::file;
    missing.input_path = "/no/such/file.npy";
    data.workload(spec(8));
    EXPECT_ANY_THROW(data.workload(missing));
    EXPECT_EQ(data.workload(spec(8)).spec.shape.h, 8);
}

}  // namespace
}  // namespace convscope
