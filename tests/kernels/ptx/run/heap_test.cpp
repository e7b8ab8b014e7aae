// malloc() and free() of kernels, in a launch that has a heap of its own.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/kernels/ptx/sample.h"

namespace convscope::ptx {
namespace {

/// Calls malloc for 'bytes' in each thread, keeps the address, and frees it where 'frees' holds for the thread.
testing::Sample allocating(const std::string& bytes, const std::string& frees) {
    return testing::Sample(R"(.version 7.0
.target sm_80
.address_size 64
.extern .func (.param .b64 func_retval0) malloc (.param .b64 malloc_param_0);
.extern .func free (.param .b64 free_param_0);
.visible .entry k(.param .u64 out)
{ .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 8, %rd1;
{ .param .b64 param0; st.param.b64 [param0], )" +
                               bytes +
                               R"(; .param .b64 retval0;
call.uni (retval0), malloc, (param0);
ld.param.b64 %rd3, [retval0]; }
st.global.u64 [%rd2], %rd3;
setp.)" + frees + R"(;
@!%p1 bra done;
{ .param .b64 param0; st.param.b64 [param0], %rd3;
call.uni free, (param0); }
done: ret; }
)",
                           "k", "body.ptx");
}

TEST(PtxHeap, allocations_differ_and_what_is_left_is_a_finding) {
    testing::Sample kernel = allocating("20", "ge.u32 %p1, %r1, 40");
    std::vector<std::uint64_t> out(64);
    const LaunchResult result = kernel({1}, {64}, out);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::leak);
    EXPECT_EQ(result.findings[0].times, 40);
    EXPECT_NE(kernel.lines(result)[0].find("thread (0,0,0): allocates 20 bytes that no thread frees (40 times)"),
              std::string::npos)
        << kernel.lines(result)[0];
    for (std::size_t i = 0; i < out.size(); ++i) {
        EXPECT_EQ(out[i] % 16, 0u);
        EXPECT_TRUE(i == 0 || out[i] - out[i - 1] >= 32) << i;
    }
}

TEST(PtxHeap, has_the_bytes_that_it_is_given_and_outlasts_launches) {
    testing::Sample keeps = allocating("1000", "lt.u32 %p1, %r1, 0"), frees = allocating("1000", "ge.u32 %p1, %r1, 0");
    MallocHeap heap(4096);
    keeps.request.heap = frees.request.heap = &heap;
    std::vector<std::uint64_t> out(8);
    EXPECT_TRUE(keeps.lines(keeps({1}, {8}, out)).empty());
    EXPECT_EQ(std::count(out.begin(), out.end(), 0u), 4) << "four of them fit, each with what is kept about it";
    EXPECT_TRUE(frees.lines(frees({1}, {8}, out)).empty());
    EXPECT_EQ(std::count(out.begin(), out.end(), 0u), 8) << "they are still there";
}

TEST(PtxHeap, is_empty_again_when_all_is_freed) {
    testing::Sample kernel = allocating("1000", "ge.u32 %p1, %r1, 0");
    MallocHeap heap(4096);
    kernel.request.heap = &heap;
    std::vector<std::uint64_t> out(1);
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(kernel.lines(kernel({1}, {1}, out)).empty());
        EXPECT_NE(out[0], 0u);
    }
}

}  // namespace
}  // namespace convscope::ptx
