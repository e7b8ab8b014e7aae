// Single instructions against the host's arithmetic, and what is not supported.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "kernels/core/error.h"
#include "kernels/core/random.h"
#include "kernels/ptx/compile.h"
#include "kernels/ptx/half.h"
#include "tests/kernels/ptx/sample.h"

namespace convscope::ptx::testing {
namespace {

TEST(PtxInstruction, whole_numbers_are_the_hosts) {
    Sample kernel = sample("arithmetic", "integers");
    std::vector<int> a(32), b(32), out(32 * 20);
    Random random(3, Stream::x_values);
    for (int i = 0; i < 32; ++i) {
        a[i] = static_cast<int>(random.next()) >> i % 13;
        b[i] = (static_cast<int>(random.next()) >> i % 7) | 1;
    }
    EXPECT_TRUE(kernel.lines(kernel({1}, {32}, a, b, out)).empty());
    for (int t = 0; t < 32; ++t) {
        const int x = a[t], y = b[t];
        const unsigned u = static_cast<unsigned>(x), v = static_cast<unsigned>(y);
        const int* o = &out[t * 20];
        EXPECT_EQ(o[0], x / y);
        EXPECT_EQ(o[1], x % y);
        EXPECT_EQ(o[2], static_cast<int>(u / v));
        EXPECT_EQ(o[3], static_cast<int>(static_cast<std::int64_t>(x) * y >> 32));
        EXPECT_EQ(o[4], static_cast<int>(static_cast<std::uint64_t>(u) * v >> 32));
        EXPECT_EQ(o[5], std::popcount(u));
        EXPECT_EQ(o[6], std::countl_zero(u));
        unsigned reversed = 0;
        for (int i = 0; i < 32; ++i) reversed |= (u >> i & 1) << (31 - i);
        EXPECT_EQ(static_cast<unsigned>(o[7]), reversed);
        EXPECT_EQ(static_cast<unsigned>(o[8]), (u & 255) | (v & 255) << 8 | (u & 0xff00) << 8 | (v & 0xff00) << 16);
        EXPECT_EQ(static_cast<unsigned>(o[9]), v << 7 | u >> 25);
        EXPECT_EQ(static_cast<unsigned>(o[10]), (x < y ? v - u : u - v) + 3);
        EXPECT_EQ(o[11], std::min(x, y));
        EXPECT_EQ(static_cast<unsigned>(o[12]), std::max(u, v));
        EXPECT_EQ(o[13], static_cast<int>(static_cast<std::int64_t>(x) * y >> 20));
        int dot = 5;
        for (int i = 0; i < 32; i += 8) dot += static_cast<std::int8_t>(u >> i) * static_cast<std::int8_t>(v >> i);
        EXPECT_EQ(o[14], dot);
        EXPECT_EQ(o[15], x >> (y & 31));
        EXPECT_EQ(o[16], __builtin_ffs(x));
        EXPECT_EQ(o[17], (x & y) ^ (x | ~y));
        EXPECT_EQ(o[18], static_cast<short>(x) + static_cast<signed char>(y));
        EXPECT_EQ(o[19], std::abs(x));
    }
}

// Called as they are, so that the way of rounding is the one at that time.
[[gnu::noipa]] float fma_one(float x, float y) {
    return std::fma(x, y, 1.0f);
}
[[gnu::noipa]] float plus(float x, float y) {
    return x + y;
}
[[gnu::noipa]] float times(float x, float y) {
    return x * y;
}
float rounded(int mode, float (*of)(float, float), float x, float y) {
    std::fesetround(mode);
    const float result = of(x, y);
    std::fesetround(FE_TONEAREST);
    return result;
}

TEST(PtxInstruction, real_numbers_are_rounded_as_asked) {
    Sample kernel = sample("arithmetic", "reals");
    auto a = random_floats(32, 4), b = random_floats(32, 5);
    std::vector<float> out(32 * 16);
    const LaunchResult result = kernel({1}, {32}, a, b, out);
    EXPECT_TRUE(kernel.lines(result).empty());
    char first[64];
    std::snprintf(first, sizeof first, "x %.3f, t 0, done\n", a[0]);
    EXPECT_EQ(result.printed, first);
    for (int t = 0; t < 32; ++t) {
        const float x = a[t], y = b[t];
        const float* o = &out[t * 16];
        EXPECT_EQ(o[0], x / y);
        EXPECT_EQ(o[1], rounded(FE_TOWARDZERO, fma_one, x, y));
        EXPECT_EQ(o[2], rounded(FE_UPWARD, plus, x, y));
        EXPECT_EQ(o[3], rounded(FE_DOWNWARD, times, x, y));
        EXPECT_EQ(o[4], std::fmin(x, y));
        EXPECT_EQ(o[5], std::sqrt(std::fabs(x)));
        EXPECT_EQ(o[6], static_cast<float>(static_cast<int>(x * 10)));
        EXPECT_EQ(o[7], std::nearbyint(x * 10));
        EXPECT_EQ(o[8], static_cast<float>(static_cast<double>(x) * y));
        EXPECT_EQ(o[9], float_of_f16(f16_of_float(x)));
        EXPECT_EQ(o[10], float_of_f16(f16_of_float(o[9] + float_of_f16(f16_of_float(y)))));
        EXPECT_EQ(o[11], std::trunc(x * 3) + std::ceil(y) + std::floor(x));
        EXPECT_EQ(o[12], x < y ? 1.0f : 2.0f);
        EXPECT_NEAR(o[13], std::exp(x), 1e-6);
        EXPECT_NEAR(o[14], std::sin(y), 1e-6);
        EXPECT_EQ(o[15], std::copysign(x, y));
    }
}

TEST(PtxInstruction, a_thread_is_done_where_the_body_ends) {
    const std::string head =
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{ .reg .pred %p<2>;\n";
    for (const char* body : {"", "end:", "bra end; end:", "setp.eq.u32 %p0, 1, 2; @%p0 ret;", "{ bra end; end: }"}) {
        Sample kernel(head + body + "\n}\n", "k", "body.ptx");
        const LaunchResult result = kernel({1}, {32});
        EXPECT_TRUE(kernel.lines(result).empty()) << body;
    }
}

/// One 32-bit result of a body that leaves it in %r0.
std::uint32_t result_of(const std::string& body) {
    Sample kernel =
        sample_of_body(".param .u64 out", body + "\nld.param.u64 %rd39, [out];\nst.global.u32 [%rd39], %r0;");
    std::vector<std::uint32_t> out(1);
    const LaunchResult result = kernel({1}, {1}, out);
    for (const std::string& line : kernel.lines(result)) ADD_FAILURE() << line;
    return out[0];
}

TEST(PtxInstruction, bit_fields) {
    EXPECT_EQ(result_of("mov.u32 %r1, 0x12345678; bfe.u32 %r0, %r1, 8, 8;"), 0x56u);
    EXPECT_EQ(result_of("mov.u32 %r1, 0x0000f000; bfe.s32 %r0, %r1, 8, 8;"), 0xfffffff0u);
    EXPECT_EQ(result_of("mov.u32 %r1, 0x80000000; bfe.s32 %r0, %r1, 28, 8;"), 0xfffffff8u);
    EXPECT_EQ(result_of("mov.u32 %r1, 0xab; mov.u32 %r2, 0xffffffff; bfi.b32 %r0, %r1, %r2, 4, 8;"), 0xfffffabfu);
    EXPECT_EQ(result_of("mov.u32 %r1, 0xf0f0f0f0; mov.u32 %r2, 0xcccccccc; mov.u32 %r3, 0xaaaaaaaa; lop3.b32 %r0, %r1, "
                        "%r2, %r3, 0x96;"),
              0xf0f0f0f0u ^ 0xcccccccc ^ 0xaaaaaaaa);
    EXPECT_EQ(result_of("mov.u32 %r1, 1; shl.b32 %r0, %r1, 40;"), 0u);
    EXPECT_EQ(result_of("mov.u32 %r1, -8; shr.s32 %r0, %r1, 40;"), 0xffffffffu);
    EXPECT_EQ(result_of("mov.u32 %r1, 7; div.u32 %r0, %r1, 0;"), 0xffffffffu);
    EXPECT_EQ(result_of("add.s32 %r0, WARP_SZ, 1;"), 33u);
}

TEST(PtxInstruction, carries_from_word_to_word) {
    const std::string low = "mov.u32 %r1, 0xffffffff; mov.u32 %r2, 2; ";
    EXPECT_EQ(result_of(low + "add.cc.u32 %r3, %r1, %r2; addc.u32 %r0, 5, 0;"), 6u);
    EXPECT_EQ(result_of(low + "add.cc.u32 %r3, %r2, %r2; addc.u32 %r0, 5, 0;"), 5u);
    EXPECT_EQ(result_of(low + "sub.cc.u32 %r3, %r2, %r1; subc.u32 %r0, 5, 0;"), 4u);
    EXPECT_EQ(result_of(low + "mad.lo.cc.u32 %r3, %r1, %r2, %r2; madc.hi.u32 %r0, %r1, %r2, 0;"), 2u);
}

TEST(PtxInstruction, conversions) {
    EXPECT_EQ(result_of("mov.f32 %f1, 0fC0200000; cvt.rni.s32.f32 %r0, %f1;"), static_cast<std::uint32_t>(-2));
    EXPECT_EQ(result_of("mov.f32 %f1, 0f7FC00000; cvt.rzi.s32.f32 %r0, %f1;"), 0u);
    EXPECT_EQ(result_of("mov.f32 %f1, 0f60000000; cvt.rzi.s32.f32 %r0, %f1;"), 0x7fffffffu);
    EXPECT_EQ(result_of("mov.u32 %r1, 300; cvt.sat.u8.u32 %r0, %r1;"), 255u);
    EXPECT_EQ(result_of("mov.u32 %r1, 0x1ff; cvt.s32.s8 %r0, %r1;"), 0xffffffffu);
    EXPECT_EQ(result_of("mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000; cvt.rn.f16x2.f32 %r0, %f1, %f2;"),
              0x3c004000u);
}

TEST(PtxInstruction, compares_nan_as_asked) {
    const std::string nan = "mov.f32 %f1, 0f7FC00000; mov.f32 %f2, 0f3F800000; ";
    EXPECT_EQ(result_of(nan + "setp.ne.f32 %p1, %f1, %f2; selp.u32 %r0, 1, 0, %p1;"), 0u);
    EXPECT_EQ(result_of(nan + "setp.neu.f32 %p1, %f1, %f2; selp.u32 %r0, 1, 0, %p1;"), 1u);
    EXPECT_EQ(result_of(nan + "setp.lt.or.f32 %p1|%p2, %f2, %f1, !%p3; selp.u32 %r0, 1, 0, %p2;"), 1u);
}

TEST(PtxInstruction, calls_a_function) {
    const std::string text = R"(.version 7.0
.target sm_80
.address_size 64
.func (.param .b32 result) twice(.param .b32 value)
{ .reg .b32 %r<3>; .reg .pred %p; ld.param.u32 %r1, [value]; setp.ne.u32 %p, %r1, 0; @!%p bra done; add.u32 %r1, %r1, %r1;
done: st.param.u32 [result], %r1; ret; }
.visible .entry k(.param .u64 out)
{ .reg .b32 %r<9>; .reg .b64 %rd<3>;
mov.u32 %r1, %tid.x;
{ .param .b32 param0; .param .b32 retval0; st.param.u32 [param0], %r1; call.uni (retval0), twice, (param0); ld.param.u32 %r2, [retval0]; }
ld.param.u64 %rd1, [out]; mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2], %r2; ret; }
)";
    Sample kernel(text, "k", "call.ptx");
    std::vector<std::uint32_t> out(32);
    EXPECT_TRUE(kernel.lines(kernel({1}, {32}, out)).empty());
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 2 * i);
}

TEST(PtxInstruction, named_barriers_count_threads) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
.shared .align 4 .b8 box[4];
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r9, box;
setp.ge.u32 %p1, %r1, 32; @%p1 bra consumer;
setp.eq.u32 %p2, %r1, 0; @%p2 st.shared.u32 [%r9], 77;
bar.arrive 3, 64; bra end;
consumer: bar.sync 3, 64; ld.shared.u32 %r2, [%r9]; sub.u32 %r3, %r1, 32; mad.wide.u32 %rd2, %r3, 4, %rd1; st.global.u32 [%rd2], %r2;
end:)");
    std::vector<std::uint32_t> out(32);
    EXPECT_TRUE(kernel.lines(kernel({1}, {64}, out)).empty());
    EXPECT_EQ(out, std::vector<std::uint32_t>(32, 77));
}

TEST(PtxInstruction, barriers_reduce) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 40;
bar.red.popc.u32 %r2, 0, %p1; bar.red.and.pred %p2, 0, %p1; selp.u32 %r3, 100, 0, %p2; add.u32 %r2, %r2, %r3;
mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2], %r2;)");
    std::vector<std::uint32_t> out(64);
    EXPECT_TRUE(kernel.lines(kernel({1}, {64}, out)).empty());
    EXPECT_EQ(out, std::vector<std::uint32_t>(64, 40));
}

TEST(PtxInstruction, what_is_not_supported_is_named_with_its_line) {
    try {
        sample_of_body(".param .u64 out", "mov.u32 %r1, 1;\ntcgen05.fence;");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::failed);
        EXPECT_STREQ(error.what(), "body.ptx:7: the instruction 'tcgen05.fence' is not supported");
    }
    EXPECT_THROW(sample_of_body("", "add.rn.odd.f32 %f1, %f2, %f3;"), Error);
    EXPECT_THROW(sample_of_body("", "add.f32 %f1, %f2, %rd1;"), Error);
    EXPECT_THROW(sample_of_body("", "bra nowhere;"), Error);
    EXPECT_THROW(sample_of_body("", "ld.global.u32 %r1, [%rd1"), Error);
    EXPECT_THROW(read_module("this is no PTX", "a.ptx"), Error);
}

TEST(PtxInstruction, jumps_by_a_table) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; mad.wide.u32 %rd2, %r1, 4, %rd1;
table: .branchtargets zero, one, two;
brx.idx %r1, table;
zero: mov.u32 %r2, 5; bra end;
one: mov.u32 %r2, 6; bra end;
two: mov.u32 %r2, 7;
end: st.global.u32 [%rd2], %r2;)");
    std::vector<std::uint32_t> out(3);
    EXPECT_TRUE(kernel.lines(kernel({1}, {3}, out)).empty());
    EXPECT_EQ(out, (std::vector<std::uint32_t>{5, 6, 7}));
}

TEST(PtxReader, rejects_every_text_that_ends_too_soon) {
    const std::string whole = sample_text("matmul");
    const std::size_t end = whole.rfind('}');
    for (std::size_t length = whole.find('{'); length < end; length += 7)
        EXPECT_THROW(read_module(whole.substr(0, length), "cut.ptx"), Error) << length;
}

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

TEST(PtxLaunch, ends_in_time_and_prints_up_to_a_limit) {
    Sample printing = sample("arithmetic", "reals");
    auto x = random_floats(32);
    std::vector<float> out(32 * 16);
    printing.request.max_printed_bytes = 100;
    printing.request.workers = 1;
    const std::string text = printing({50}, {32}, x, x, out).printed;
    EXPECT_LT(text.size(), 200u);
    EXPECT_NE(text.find("more calls of printf are left out"), std::string::npos) << text;
    Sample endless = sample("seeded_bugs", "endless");
    endless.request.max_seconds = 0.05;
    std::vector<int> flag(1), y(32);
    EXPECT_NE(endless({1}, {32}, flag, y).failure.find("did not end within"), std::string::npos);
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

TEST(PtxFigures, count_what_a_warp_asks_for) {
    Sample kernel = sample("matmul");
    kernel.request.figures = true;
    int n = 32;
    auto a = random_floats(n * n, 1), b = random_floats(n * n, 2);
    for (int i = 0; i < n * n; i += 2) a[i] = 0;
    std::vector<float> c(n * n);
    const Figures figures = kernel({2, 2}, {16, 16}, a, b, c, n).figures;
    EXPECT_EQ(figures.by_kind[static_cast<std::size_t>(Kind::multiply_add)], 4 * 8 * n);
    EXPECT_EQ(figures.multiplications, n * n * n);
    EXPECT_EQ(figures.zero_multiplications, n * n * n / 2);
    // A warp has two rows of 16 threads: 64 bytes each.
    EXPECT_EQ(figures.global_stores.requests, 4 * 8);
    EXPECT_EQ(figures.global_stores.sectors, 4 * 8 * 4);
    EXPECT_EQ(figures.shared_stores.wavefronts, figures.shared_stores.requests);
    EXPECT_DOUBLE_EQ(figures.active_lanes(), 32);
}

}  // namespace
}  // namespace convscope::ptx::testing
