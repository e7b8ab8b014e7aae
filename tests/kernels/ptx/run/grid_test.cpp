// Blocks that wait for each other: a cooperative launch, and the word by which its barrier is made.
#include <gtest/gtest.h>

#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/ptx/sample.h"

namespace convscope::ptx {
namespace {

/// Each block writes its number + 1, waits for the grid, and reads that of the block behind it: grid.sync() by its
/// first thread, as cooperative groups make it.
const char* const exchange = R"(
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x;
mad.wide.u32 %rd3, %r1, 4, %rd1; add.u32 %r3, %r1, 1; st.global.u32 [%rd3], %r3;
mov.u32 %r4, %envreg2; mov.u32 %r5, %envreg1; cvt.u64.u32 %rd4, %r4; cvt.u64.u32 %rd5, %r5;
bfi.b64 %rd6, %rd5, %rd4, 32, 32; setp.ne.s64 %p1, %rd6, 0; @%p1 bra valid; trap;
valid: add.s64 %rd7, %rd6, 4; barrier.sync 0;
setp.eq.u32 %p2, %r1, 0; sub.u32 %r6, -2147483647, %r2; selp.b32 %r7, %r6, 1, %p2;
atom.add.release.gpu.u32 %r8, [%rd7], %r7;
poll: ld.acquire.gpu.u32 %r9, [%rd7]; xor.b32 %r10, %r9, %r8; setp.gt.s32 %p3, %r10, -1; @%p3 bra poll;
barrier.sync 0;
setp.eq.u32 %p4, %r3, %r2; selp.b32 %r11, 0, %r3, %p4; mad.wide.u32 %rd8, %r11, 4, %rd1;
ld.global.u32 %r12, [%rd8]; mad.wide.u32 %rd9, %r1, 4, %rd2; st.global.u32 [%rd9], %r12;)";

TEST(PtxGrid, barrier_orders_what_all_blocks_did) {
    testing::Sample kernel = testing::sample_of_body(".param .u64 a, .param .u64 b", exchange);
    for (const std::size_t blocks : {1, 2, 50, 200}) {
        std::vector<std::uint32_t> a(blocks), b(blocks);
        EXPECT_EQ(kernel.lines(kernel({static_cast<std::int64_t>(blocks)}, {1}, a, b)), std::vector<std::string>{});
        for (std::size_t i = 0; i < blocks; ++i) EXPECT_EQ(b[i], (i + 1) % blocks + 1) << i << " of " << blocks;
    }
}

TEST(PtxGrid, launch_that_is_not_cooperative_has_no_barrier) {
    testing::Sample kernel = testing::sample_of_body(".param .u64 a, .param .u64 b", exchange);
    kernel.request.cooperative = false;
    std::vector<std::uint32_t> a(2), b(2);
    const std::vector<std::string> lines = kernel.lines(kernel({2}, {1}, a, b));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(lines[0].find("calls grid.sync() in a launch that is not cooperative"), std::string::npos) << lines[0];
}

/// Waits until the next block, if there is one, has set its flag, and sets its own.
const char* const wait_for_next = R"(
ld.param.u64 %rd1, [flags]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;
add.u32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, %r2; @%p1 bra set;
again: ld.acquire.gpu.u32 %r4, [%rd2+4]; setp.eq.u32 %p2, %r4, 0; @%p2 bra again;
set: st.release.gpu.u32 [%rd2], 1;)";

TEST(PtxGrid, blocks_of_a_cooperative_launch_may_wait_for_later_ones) {
    testing::Sample kernel = testing::sample_of_body(".param .u64 flags", wait_for_next);
    kernel.request.cooperative = true;
    std::vector<std::uint32_t> flags(5);
    EXPECT_EQ(kernel.lines(kernel({5}, {1}, flags)), std::vector<std::string>{});
    EXPECT_EQ(flags, std::vector<std::uint32_t>(5, 1));
}

TEST(PtxGrid, too_many_blocks_that_wait_by_themselves_are_rejected) {
    testing::Sample kernel = testing::sample_of_body(".param .u64 flags", wait_for_next);
    kernel.request.cooperative = true;
    std::vector<std::uint32_t> flags(64);
    EXPECT_EQ(error_of(ErrorKind::failed, [&] { kernel({64}, {1}, flags); }),
              "block (0,0,0) of a cooperative launch waits for others, and not by grid.sync(): then there may be up to "
              "63 blocks, and there are 64");
}

}  // namespace
}  // namespace convscope::ptx
