// Launches: what none takes, how they end, what they count; and what ptxas says.
#include <gtest/gtest.h>

#include "kernels/core/error.h"
#include "kernels/ptx/toolchain/compile.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/ptx/sample.h"

namespace convscope::ptx::testing {
namespace {

TEST(PtxLaunch, rejects_what_no_gpu_takes) {
    Sample kernel = sample("vector_add");
    std::vector<float> a(4);
    int n = 4;
    EXPECT_THROW(kernel({0}, {32}, a, a, a, n), Error);
    EXPECT_THROW(kernel({1}, {2000}, a, a, a, n), Error);
    EXPECT_THROW(kernel({1, 70000}, {32}, a, a, a, n), Error);
    EXPECT_THROW(kernel({1}, {32}, a, a, n), Error);
    EXPECT_THROW(kernel({1}, {32}, a, a, n, n), Error);
    kernel.request.shared_bytes = 10'000'000'000'000;
    EXPECT_THROW(kernel({1}, {32}, a, a, a, n), Error);
}

TEST(PtxLaunch, rejects_variables_that_are_too_large) {
    Sample kernel(
        ".version 7.0\n.target sm_80\n.address_size 64\n.global .align 4 .b8 big[4294967296];\n"
        ".visible .entry k()\n{ .reg .b64 %rd<3>; .reg .b32 %r<2>;\nmov.u64 %rd1, big; mov.u32 %r1, 1;\n"
        "st.global.u32 [%rd1], %r1; ret; }\n",
        "k", "big.ptx");
    EXPECT_EQ(error_of(ErrorKind::usage, [&] { kernel({1}, {1}); }),
              "the variable 'big' takes 4.3 GB; those that a kernel uses may take up to 160 MB together");
}

TEST(PtxLaunch, ends_in_time_and_prints_up_to_a_limit) {
    Sample printing = sample("arithmetic", "reals");
    auto x = random_floats(32);
    std::vector<float> out(32 * 16);
    printing.request.max_printed_bytes = 100;
    printing.request.workers = 1;
    const std::string text = printing({50}, {32}, x, x, out).printed;
    EXPECT_LT(text.size(), 200u);
    EXPECT_NE(text.find("more calls of printf are left out"), std::string::npos) << text;
    Sample endless = sample_of_body("", "again: add.u32 %r1, %r1, 1;\nadd.u32 %r2, %r1, 1;\nbra again;");
    endless.request.max_seconds = 0.05;
    const LaunchResult result = endless({1}, {32});
    const std::string& failure = result.failure;
    ASSERT_TRUE(result.reached);
    EXPECT_TRUE(failure.ends_with(":" + std::to_string(result.reached->at.line))) << failure;
    EXPECT_TRUE(
        failure.starts_with("the kernel did not end within 0.05 s: 0 of 1 blocks were done, "
                            "and thread (0,0,0) of block (0,0,0) was at body.ptx:"))
        << failure;
}

TEST(PtxLaunch, says_once_that_it_does_not_end) {
    Sample kernel = sample_of_body("", "again: add.u32 %r1, %r1, 1;\nadd.u32 %r2, %r1, 1;\nbra again;");
    kernel.request.max_warp_instructions = 200'000;
    kernel.request.workers = 4;
    const LaunchResult result = kernel({64}, {256});
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::endless);
    EXPECT_EQ(result.findings[0].times, 1);
    EXPECT_EQ(result.failure, "");
}

TEST(PtxLaunch, says_which_bytes_of_lent_memory_it_reads_and_writes) {
    // Word 5 is added to, 3 is read, 8 written.
    Sample kernel = sample_of_body(".param .u64 x", R"(
ld.param.u64 %rd1, [x]; ld.global.u32 %r1, [%rd1+12]; st.global.u32 [%rd1+32], %r1; red.global.add.u32 [%rd1+20], 1;)");
    std::vector<std::uint32_t> data(16, 7);
    std::vector<std::uint8_t> written(17, 15);
    LentArray lent;
    lent.address = lent_begin;
    lent.room = 4096;
    lent.array.name = "x";
    lent.array.bytes = 64;
    lent.array.data = reinterpret_cast<std::byte*>(data.data());
    lent.array.written = written.data();
    kernel.request.memory = std::span(&lent, 1);
    LaunchResult result = kernel({1}, {1}, lent.address);
    EXPECT_TRUE(result.findings.empty()) << kernel.lines(result).front();
    EXPECT_EQ(data[5], 8u);
    EXPECT_EQ(data[8], 7u);
    EXPECT_EQ(lent.array.used, Array::was_read | Array::was_written);
    EXPECT_EQ(lent.read.from, 12u);
    EXPECT_EQ(lent.read.to, 36u);
    EXPECT_EQ(lent.written.from, 20u);
    EXPECT_EQ(lent.written.to, 36u);

    written[3] = 0;
    result = kernel({1}, {1}, lent.address);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::uninitialised);
    EXPECT_EQ(result.findings[0].element, "x[3]");

    std::uint64_t behind = lent.address + 64;  // in its room
    result = kernel({1}, {1}, behind);
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].kind, FindingKind::out_of_bounds);
    EXPECT_EQ(result.findings[0].element, "x[19]");

    lent.array.freed = true;
    result = kernel({1}, {1}, lent.address);
    ASSERT_FALSE(result.findings.empty());
    EXPECT_EQ(result.findings[0].kind, FindingKind::use_after_free);
}

TEST(PtxLaunch, says_which_elements_it_has_not_written) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
setp.eq.u32 %p1, %r1, 3; @%p1 ret; st.global.u32 [%rd1], %r1;)");
    std::vector<std::uint32_t> out(40);
    kernel.unwritten = {"array0"};
    const LaunchResult result = kernel({1}, {32}, out);
    ASSERT_EQ(result.unwritten.size(), 1u);
    EXPECT_EQ(result.unwritten[0].text(), "array0: 9 of 40 elements are not written, the first is array0[3]");
}

TEST(PtxLaunch, ends_a_kernel_that_writes_everywhere) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
ld.param.u64 %rd1, [out]; mov.u32 %r1, 0;
again: add.u64 %rd1, %rd1, 4096; st.global.u32 [%rd1], %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 1000000; @%p1 bra again;)");
    std::vector<std::uint32_t> out(4);
    const LaunchResult result = kernel({1}, {256}, out);
    EXPECT_TRUE(result.cut_short);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].element, "array0[1024]");
}

TEST(Assembled, reads_what_ptxas_says_of_each_kernel) {
    const std::string said =
        "ptxas info    : Compiling entry function 'a' for 'sm_80'\n"
        "ptxas info    : Function properties for a\n"
        "    24 bytes stack frame, 28 bytes spill stores, 32 bytes spill loads\n"
        "ptxas info    : Used 16 registers, used 1 barriers, 24 bytes cumulative stack size\n"
        "ptxas info    : Compiling entry function 'ab' for 'sm_80'\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 40 registers, 380 bytes cmem[0]\n";
    ASSERT_TRUE(assembled_of(said, "a"));
    EXPECT_EQ(assembled_of(said, "a")->registers, 16);
    EXPECT_EQ(assembled_of(said, "a")->spill_stores, 28);
    EXPECT_EQ(assembled_of(said, "a")->spill_loads, 32);
    EXPECT_EQ(assembled_of(said, "ab")->registers, 40);
    EXPECT_EQ(assembled_of(said, "ab")->spill_stores, 0);
    EXPECT_FALSE(assembled_of(said, "b"));
    EXPECT_FALSE(assembled_of("", "a"));
}

TEST(PtxCounts, are_what_a_warp_asks_for) {
    Sample kernel = sample("matmul");
    kernel.request.counts = true;
    int n = 32;
    auto a = random_floats(n * n, 1), b = random_floats(n * n, 2);
    for (int i = 0; i < n * n; i += 2) a[i] = 0;
    std::vector<float> c(n * n);
    const LaunchCounts counts = kernel({2, 2}, {16, 16}, a, b, c, n).counts;
    EXPECT_EQ(counts.by_kind[static_cast<std::size_t>(Kind::multiply_add)], 4 * 8 * n);
    EXPECT_EQ(counts.multiplications, n * n * n);
    EXPECT_EQ(counts.zero_multiplications, n * n * n / 2);
    // A warp has two rows of 16 threads: 64 bytes each.
    EXPECT_EQ(counts.global_stores.requests, 4 * 8);
    EXPECT_EQ(counts.global_stores.sectors, 4 * 8 * 4);
    EXPECT_EQ(counts.shared_stores.wavefronts, counts.shared_stores.requests);
    EXPECT_DOUBLE_EQ(counts.active_lanes(), 32);
}

TEST(PtxCounts, sectors_follow_the_place_of_an_array) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2], %r1;)");
    kernel.request.counts = true;
    std::vector<std::uint32_t> out(32);
    EXPECT_EQ(kernel({1}, {32}, out).counts.global_stores.sectors, 4);
    kernel.request.arguments[0].array->misaligned_bytes = 16;
    EXPECT_EQ(run(kernel.program, kernel.request).counts.global_stores.sectors, 5);
}

// All lanes want the same 16 bytes: a load moves their sector once, a copy once for each quarter of the warp.
TEST(PtxCounts, copies_of_16_bytes_move_sectors_by_quarters_of_a_warp) {
    const std::string begin = R"(
.shared .align 16 .b8 box[512];
ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r9, box; mad.lo.u32 %r9, %r1, 16, %r9;)";
    std::vector<std::uint32_t> x(4);
    const auto sectors = [&](const std::string& instructions) {
        Sample kernel = sample_of_body(".param .u64 x", begin + instructions);
        kernel.request.counts = true;
        return kernel({1}, {32}, x).counts.global_loads.sectors;
    };
    EXPECT_EQ(sectors("ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];"), 1);
    EXPECT_EQ(sectors("cp.async.cg.shared.global [%r9], [%rd1], 16; cp.async.commit_group; cp.async.wait_group 0;"), 4);
    EXPECT_EQ(sectors("cp.async.ca.shared.global [%r9], [%rd1], 4; cp.async.commit_group; cp.async.wait_group 0;"), 1);
}

}  // namespace
}  // namespace convscope::ptx::testing
