// Which accesses of a word are ordered: atomics beside plain writes, releases, what a shuffle gives of no lane.
#include <gtest/gtest.h>

#include "tests/kernels/ptx/sample.h"

namespace convscope::ptx::testing {
namespace {

/// Thread 0 of block 0 writes a word, then all threads count it on.
Sample counter(const std::string& between) {
    return sample_of_body(".param .u64 out", R"(
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; or.b32 %r3, %r1, %r2; mov.u32 %r4, 0;
setp.ne.u32 %p1, %r3, 0; @%p1 bra all; st.global.u32 [%rd1], %r4;
all: )" + between + R"( atom.global.add.u32 %r5, [%rd1], 1;)");
}

TEST(PtxRaces, an_atomic_of_the_writer_does_not_hide_the_write) {
    std::vector<std::uint32_t> out(1);
    EXPECT_EQ(counter("")({1}, {64}, out).findings.size(), 1u) << "another warp's atomics";
    EXPECT_EQ(counter("")({2}, {32}, out).findings.size(), 1u) << "another block's";
    EXPECT_EQ(counter("bar.sync 0;")({1}, {64}, out).findings.size(), 0u);
    EXPECT_EQ(counter("bar.sync 0;")({2}, {32}, out).findings.size(), 1u) << "no barrier is between blocks";
}

TEST(PtxRaces, a_write_that_all_have_seen_is_over) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; mov.u32 %r2, 0;
@%p1 bra all; st.global.u32 [%rd1], %r2;
all: bar.sync 0; atom.global.add.u32 %r3, [%rd1], 1; bar.sync 0; ld.global.u32 %r4, [%rd1];)");
    std::vector<std::uint32_t> out(1);
    EXPECT_EQ(kernel({1}, {128}, out).findings.size(), 0u);
    EXPECT_EQ(out[0], 128u);
}

/// Thread 0 of each block: the first writes and sets a flag, the second reads behind it.
TEST(PtxRaces, what_is_released_is_seen_behind_an_acquire) {
    const auto findings = [](const std::string& set, const std::string& get) {
        Sample kernel = sample_of_body(".param .u64 x, .param .u64 flag", R"(
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [flag]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 1;
setp.ne.u32 %p1, %r1, 0; @%p1 bra done; setp.ne.u32 %p2, %r2, 0; @%p2 bra second;
st.global.u32 [%rd1], %r3; )" + set + R"( bra done;
second: )" + get + R"( setp.eq.u32 %p3, %r4, 0; @%p3 bra second; ld.global.u32 %r5, [%rd1]; done:)");
        kernel.request.workers = 1;
        std::vector<std::uint32_t> x(1), flag(1);
        return kernel({2}, {32}, x, flag).findings.size();
    };
    const std::string acquire = "ld.acquire.gpu.global.u32 %r4, [%rd2];";
    EXPECT_EQ(findings("st.release.gpu.global.u32 [%rd2], %r3;", acquire), 0u);
    EXPECT_EQ(findings("atom.release.gpu.global.exch.b32 %r6, [%rd2], %r3;", acquire), 0u);
    EXPECT_EQ(findings("st.relaxed.gpu.global.u32 [%rd2], %r3;", acquire), 1u);
    EXPECT_EQ(findings("st.release.cta.global.u32 [%rd2], %r3;", acquire), 1u) << "for its own block alone";
}

TEST(PtxRaces, what_is_told_of_them_is_the_same_in_every_run) {
    Sample kernel = sample_of_body(".param .u64 x", R"(
ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;
ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1; st.global.u32 [%rd2], %r2; ld.global.u32 %r3, [%rd1];
st.global.u32 [%rd1+12], %r3;)");
    std::vector<std::uint32_t> x(64);
    kernel.request.workers = 1;
    const std::vector<std::string> one = kernel.lines(kernel({64}, {64}, x));
    kernel.request.workers = 4;
    for (int run = 0; run < 5; ++run) EXPECT_EQ(kernel.lines(kernel({64}, {64}, x)), one);
}

TEST(PtxShuffle, of_a_lane_outside_the_mask_gives_what_nobody_takes_for_a_value) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1; setp.ge.u32 %p1, %r1, 4; @%p1 bra done;
shfl.sync.down.b32 %r2, %r1, 2, 31, 15; st.global.u32 [%rd2], %r2; done:)");
    std::vector<std::uint32_t> out(32);
    EXPECT_EQ(kernel({1}, {32}, out).findings.size(), 0u);
    EXPECT_EQ((std::vector(out.begin(), out.begin() + 4)), (std::vector<std::uint32_t>{2, 3, ~0u, ~0u}));
}

TEST(PtxCounts, constant_memory_is_no_global_memory) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
.const .align 4 .b8 weights[8] = {1, 0, 0, 0, 2, 0, 0, 0};
ld.param.u64 %rd1, [out]; ld.const.u32 %r1, [weights+4]; st.global.u32 [%rd1], %r1;)");
    kernel.request.counts = true;
    std::vector<std::uint32_t> out(1);
    const LaunchCounts counts = kernel({1}, {1}, out).counts;
    EXPECT_EQ(out[0], 2u);
    EXPECT_EQ(counts.global_loads.requests, 0);
    EXPECT_EQ(counts.global_stores.requests, 1);
}

}  // namespace
}  // namespace convscope::ptx::testing
