// Which accesses of a word are ordered: atomics with plain writes, releases, what a shuffle gives of no lane.
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

/// %rd1 and %rd2 are the addresses of two words, %r1 is the thread, %r2 the block, %r3 the warp.
std::vector<std::string> races(Dim3 grid, Dim3 block, const std::string& body) {
    Sample kernel = sample_of_body(".param .u64 x, .param .u64 flag", R"(
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [flag]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shr.u32 %r3, %r1, 5;
)" + body);
    kernel.request.workers = 1;
    std::vector<std::uint32_t> x(64), flag(1);
    return kernel.lines(kernel(grid, block, x, flag));
}

TEST(PtxRaces, every_reader_is_remembered) {
    EXPECT_EQ(races({1}, {64}, R"(
setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r3, 1;
@%p1 ld.global.u32 %r4, [%rd1]; @!%p2 bra done; ld.global.u32 %r4, [%rd1]; bar.warp.sync 0xffffffff;
setp.eq.u32 %p3, %r1, 40; @%p3 st.global.u32 [%rd1], %r1; done:)")
                  .size(),
              1u)
        << "warp 0, before all lanes of warp 1";
    EXPECT_EQ(races({2}, {64}, R"(
setp.eq.u32 %p1, %r2, 1; @%p1 bra second; ld.global.u32 %r4, [%rd1]; bra done;
second: ld.global.u32 %r4, [%rd1]; bar.sync 0; setp.eq.u32 %p3, %r1, 0; @%p3 st.global.u32 [%rd1], %r1; done:)")
                  .size(),
              1u)
        << "block 0, before all threads of block 1";
    EXPECT_EQ(races({2}, {1}, R"(
setp.eq.u32 %p1, %r2, 1; ld.global.u32 %r4, [%rd1]; @%p1 st.global.u32 [%rd1], %r1;)")
                  .size(),
              1u)
        << "the same thread of another block";
    // Four warps read; three of them meet at a barrier before one of these writes.
    const std::string four = R"(
ld.global.u32 %r4, [%rd1]; setp.eq.u32 %p1, %r3, FIRST; @%p1 bra done; bar.sync 1, 96;
setp.eq.u32 %p3, %r1, 96; @%p3 st.global.u32 [%rd1], %r1; done:)";
    for (const char* first : {"0", "1", "2"}) {
        std::string body = four;
        EXPECT_EQ(races({1}, {128}, body.replace(body.find("FIRST"), 5, first)).size(), 1u) << first;
    }
    EXPECT_EQ(races({1}, {96}, R"(
ld.global.u32 %r4, [%rd1]; bar.sync 0; setp.eq.u32 %p3, %r1, 70; @%p3 st.global.u32 [%rd1], %r1;)")
                  .size(),
              0u);
}

TEST(PtxRaces, an_earlier_block_hides_no_reader_of_shared_memory) {
    // Two warps read a word of which nobody has written a byte before; then the second writes it.
    EXPECT_EQ(races({3}, {64}, R"(
.shared .align 4 .b8 box[4];
mov.u32 %r9, box; ld.shared.u32 %r4, [%r9]; bar.warp.sync 0xffffffff;
setp.eq.u32 %p1, %r2, 2; setp.eq.u32 %p2, %r1, 32; and.pred %p3, %p1, %p2; @%p3 st.shared.u8 [%r9], %r1;)")
                  .size(),
              1u);
}

TEST(PtxRaces, an_atomic_update_of_another_block_is_remembered) {
    EXPECT_EQ(races({2}, {64}, R"(
atom.global.add.u32 %r4, [%rd1], 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra done;
bar.sync 0; ld.global.u32 %r5, [%rd1]; done:)")
                  .size(),
              1u)
        << "behind those of the own block";
}

TEST(PtxRaces, whoever_takes_the_last_ticket_may_set_the_counter_back) {
    const auto with = [](const std::string& who, const std::string& atomic) {
        return races({4}, {32},
                     "setp.ne.u32 %p1, %r1, 0; @%p1 bra done; membar.gl; " + atomic + who +
                         "@%p2 bra done; st.global.u32 [%rd1], 0; done:")
            .size();
    };
    const std::string last = "setp.ne.u32 %p2, %r4, 3; ", second = "setp.ne.u32 %p2, %r2, 1; ";
    const std::string ticket = "atom.global.add.u32 %r4, [%rd1], 1; ";
    EXPECT_EQ(with(last, ticket), 0u);
    EXPECT_EQ(with(second, ticket), 1u) << "others come after it";
    EXPECT_EQ(with("setp.ne.u32 %p2, %r2, 3; ", "red.global.add.u32 [%rd1], 1; "), 1u) << "who has no ticket";
}

TEST(PtxRaces, volatile_orders_nothing_across_warps) {
    const std::string other =
        "mad.wide.u32 %rd3, %r1, 4, %rd1; xor.b32 %r5, %r1, LANES; mad.wide.u32 %rd4, %r5, 4, %rd1; "
        "ld.volatile.global.u32 %r6, [%rd4]; st.volatile.global.u32 [%rd3], %r6;";
    const auto with = [&](const std::string& lanes) {
        std::string body = other;
        return body.replace(body.find("LANES"), 5, lanes);
    };
    EXPECT_EQ(races({1}, {64}, with("32")).size(), 1u);
    EXPECT_EQ(races({1}, {32}, with("1")).size(), 0u) << "lanes of a warp";
    // A flag behind a fence.
    const std::string flag = R"(
setp.ne.u32 %p1, %r1, 0; @%p1 bra reads; st.global.u32 [%rd1], %r1; FENCE st.volatile.global.u32 [%rd2], 1; bra done;
reads: setp.ne.u32 %p1, %r1, 32; @%p1 bra done;
again: ld.volatile.global.u32 %r4, [%rd2]; setp.eq.u32 %p2, %r4, 0; @%p2 bra again; ld.global.u32 %r5, [%rd1]; done:)";
    std::string fenced = flag, bare = flag;
    EXPECT_EQ(races({1}, {64}, fenced.replace(flag.find("FENCE"), 5, "membar.gl;")).size(), 0u);
    EXPECT_EQ(races({1}, {64}, bare.replace(flag.find("FENCE"), 5, "")).size(), 2u)
        << "the flag, and what is behind it";
}

TEST(PtxRaces, a_lock_orders_the_lanes_of_a_warp) {
    const std::string lock = R"(
try: atom.global.cas.b32 %r4, [%rd2], 0, 1; setp.ne.u32 %p1, %r4, 0; @%p1 bra try;
ld.global.u32 %r5, [%rd1]; add.u32 %r5, %r5, 1; st.global.u32 [%rd1], %r5; FENCE
atom.global.exch.b32 %r6, [%rd2], 0;)";
    std::string fenced = lock, bare = lock;
    fenced.replace(lock.find("FENCE"), 5, "membar.gl;");
    EXPECT_EQ(races({1}, {32}, fenced).size(), 0u);
    EXPECT_EQ(races({2}, {64}, fenced).size(), 0u);
    EXPECT_GE(races({1}, {32}, bare.replace(lock.find("FENCE"), 5, "")).size(), 1u);
}

TEST(PtxRaces, a_load_that_a_compare_and_swap_checks_is_a_note) {
    Sample kernel = sample_of_body(".param .u64 x", R"(
ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x;
ld.global.u32 %r2, [%rd1];
again: mov.u32 %r3, %r2; max.u32 %r4, %r3, %r1; atom.global.cas.b32 %r2, [%rd1], %r3, %r4; setp.ne.u32 %p1, %r2, %r3; @%p1 bra again;)");
    std::vector<std::uint32_t> x(1);
    const LaunchResult result = kernel({4}, {64}, x);
    EXPECT_EQ(kernel.lines(result), std::vector<std::string>());
    EXPECT_EQ(x[0], 63u);
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_EQ(result.notes[0],
              "body.ptx:8: the load is not atomic; it counts as such, because a compare-and-swap checks its value");
    Sample other = sample_of_body(".param .u64 x", R"(
ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; ld.global.u32 %r2, [%rd1];
atom.global.cas.b32 %r3, [%rd1], 0, %r1; st.global.u32 [%rd1+4], %r2;)");
    std::vector<std::uint32_t> y(2);
    EXPECT_GE(other({1}, {64}, y).findings.size(), 1u) << "the swap does not check what was loaded";
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
