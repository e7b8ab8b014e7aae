// Every printed name is read back as what it was printed from.
#include <gtest/gtest.h>

#include "kernels/core/launch.h"
#include "kernels/core/timing.h"
#include "kernels/layers/layout_builder.h"
#include "kernels/layers/workload.h"
#include "kernels/method/method.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

TEST(Names, are_read_back) {
    for (auto value :
         {TimingScope::kernel, TimingScope::launch, TimingScope::copies, TimingScope::alloc, TimingScope::setup})
        EXPECT_EQ(parse_scope(to_string(value)), value);
    for (auto value : {CacheMode::hot, CacheMode::cold}) EXPECT_EQ(parse_cache(to_string(value)), value);
    for (auto value : {Source::uniform, Source::blobs, Source::channels, Source::pixels, Source::file, Source::example})
        EXPECT_EQ(parse_source(to_string(value)), value);
    for (const WeightPattern value : weight_patterns) EXPECT_EQ(parse_weight_pattern(to_string(value)), value);
    for (auto value : {Format::im2col, Format::mec, Format::ecr, Format::pecr})
        EXPECT_EQ(parse_format(to_string(value)), value);
}

TEST(Names, are_those_of_the_records) {
    EXPECT_STREQ(to_string(DType::f32), "fp32");
    EXPECT_STREQ(to_string(DType::tf32), "tf32");
    EXPECT_STREQ(to_string(DType::f16), "fp16");
    EXPECT_STREQ(to_string(DeviceKind::cpu), "cpu");
    EXPECT_STREQ(to_string(DeviceKind::cuda), "cuda");
    EXPECT_STREQ(to_string(DeviceKind::sim), "sim");
    EXPECT_STREQ(to_string(Source::chain), "chain");
    EXPECT_STREQ(to_string(Layout::nhwc), "nhwc");
    EXPECT_EQ(to_string(Dim3{32, 4, 1}), "32x4x1");
}

TEST(Names, unknown_ones_are_rejected_with_the_accepted_ones) {
    EXPECT_EQ(error_of(ErrorKind::usage, [] { parse_scope("wall"); }),
              "'wall' is not a timing scope; accepted are kernel, launch, copies, alloc, setup");
    EXPECT_EQ(error_of(ErrorKind::usage, [] { parse_cache(""); }), "'' is not a cache mode; accepted are hot, cold");
    EXPECT_EQ(error_of(ErrorKind::usage, [] { parse_format("ECR"); }),
              "'ECR' is not a layout format; accepted are ecr, pecr, mec, im2col");
    EXPECT_EQ(error_of(ErrorKind::usage, [] { parse_weight_pattern("4:2"); }),
              "'4:2' is not a weight pattern; accepted are uniform, 2:4, rows, blocks, magnitude");
    expect_contains(error_of(ErrorKind::usage, [] { parse_source("stripes"); }), "'stripes' is not a data source");
}

}  // namespace
}  // namespace convscope
