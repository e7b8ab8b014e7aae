// Single instructions against the host's arithmetic, and what is not supported.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "kernels/core/error.h"
#include "kernels/core/random.h"
#include "kernels/ptx/run/half.h"
#include "tests/kernels/files/temp_folder.h"
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

TEST(PtxInstruction, rounds_to_16_bits_as_requested) {
    const auto half = [](const std::string& value, const std::string& rounding) {
        return result_of("mov.f32 %f1, 0f" + value + "; cvt." + rounding + ".f16.f32 %h1, %f1; cvt.u32.u16 %r0, %h1;");
    };
    const std::string above_one = "3F801800", below_minus_one = "BF801800";  // three quarters of the way to the next
    EXPECT_EQ(half(above_one, "rn"), 0x3c01u);
    EXPECT_EQ(half(above_one, "rz"), 0x3c00u);
    EXPECT_EQ(half(above_one, "rm"), 0x3c00u);
    EXPECT_EQ(half(above_one, "rp"), 0x3c01u);
    EXPECT_EQ(half(below_minus_one, "rm"), 0xbc01u);
    EXPECT_EQ(half(below_minus_one, "rp"), 0xbc00u);
    const std::string too_large = "477FF000";
    EXPECT_EQ(half(too_large, "rn"), 0x7c00u);
    EXPECT_EQ(half(too_large, "rz"), 0x7bffu);
    EXPECT_EQ(half("33000000", "rp"), 1u) << "half of the least number";
    EXPECT_EQ(half("33000000", "rm"), 0u);
    EXPECT_EQ(result_of("mov.f32 %f1, 0f3F80C000; cvt.rz.bf16x2.f32 %r0, %f1, %f1;"), 0x3f803f80u);
    EXPECT_EQ(result_of("mov.f32 %f1, 0f3F80C000; cvt.rn.bf16x2.f32 %r0, %f1, %f1;"), 0x3f813f81u);
    // 2^63 + 2^55 is half-way; the 1 decides, and a double would have lost it.
    EXPECT_EQ(result_of("mov.u64 %rd2, 0x8080000000000001; cvt.rn.bf16.u64 %h1, %rd2; cvt.u32.u16 %r0, %h1;"), 0x5f01u);
}

TEST(PtxInstruction, makes_whole_numbers_of_nan_as_gpus_do) {
    const std::string nan = "mov.f32 %f1, 0f7FC00000; cvt.f64.f32 %fd1, %f1; ",
                      high = "shr.u64 %rd2, %rd2, 32; cvt.u32.u64 %r0, %rd2;";
    EXPECT_EQ(result_of(nan + "cvt.rzi.u32.f32 %r0, %f1;"), 0u);
    EXPECT_EQ(result_of(nan + "cvt.rzi.s32.f64 %r0, %fd1;"), 0x80000000u);
    EXPECT_EQ(result_of(nan + "cvt.rzi.u32.f64 %r0, %fd1;"), 0x80000000u);
    EXPECT_EQ(result_of(nan + "cvt.rzi.s64.f32 %rd2, %f1; " + high), 0x80000000u);
    EXPECT_EQ(result_of(nan + "cvt.rzi.u64.f64 %rd2, %fd1; " + high), 0x80000000u);
}

/// Runs the body and returns each lane's %r0; %r1 is the lane, %r2 the mask of the even or the odd lanes, its own.
std::vector<std::uint32_t> results_of_lanes(const std::string& body) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd1, %r1, 4, %rd1;
and.b32 %r3, %r1, 1; mov.u32 %r2, 0x55555555; shl.b32 %r2, %r2, %r3;
)" + body + " st.global.u32 [%rd1], %r0;");
    std::vector<std::uint32_t> out(32);
    EXPECT_TRUE(kernel.lines(kernel({1}, {32}, out)).empty());
    return out;
}

TEST(PtxInstruction, lanes_that_come_together_take_part_by_their_own_masks) {
    const auto even_and_odd = [](std::uint32_t even, std::uint32_t odd) {
        std::vector<std::uint32_t> expected(32);
        for (std::size_t lane = 0; lane < 32; ++lane) expected[lane] = lane % 2 == 0 ? even : odd;
        return expected;
    };
    EXPECT_EQ(results_of_lanes("setp.lt.u32 %p1, %r1, 5; vote.sync.ballot.b32 %r0, %p1, %r2;"),
              even_and_odd(0b10101, 0b1010));
    EXPECT_EQ(results_of_lanes("setp.eq.u32 %p1, %r3, 0; vote.sync.all.pred %p2, %p1, %r2; selp.u32 %r0, 1, 0, %p2;"),
              even_and_odd(1, 0));
    EXPECT_EQ(results_of_lanes("mov.u32 %r4, 7; match.any.sync.b32 %r0, %r4, %r2;"),
              even_and_odd(0x55555555, 0xaaaaaaaa));
    EXPECT_EQ(results_of_lanes("match.all.sync.b32 %r0, %r3, %r2;"), even_and_odd(0x55555555, 0xaaaaaaaa));
    EXPECT_EQ(results_of_lanes("redux.sync.add.u32 %r0, %r1, %r2;"), even_and_odd(240, 256));
}

TEST(PtxInstruction, a_shuffle_from_a_lane_that_has_left_is_found) {
    for (const std::string shuffle :
         {"shfl.sync.down.b32 %r2, %r1, 8, 31, 0xffffffff;", "shfl.down.b32 %r2, %r1, 8, 31;"}) {
        Sample kernel = sample_of_body(".param .u64 out", R"(
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;
setp.ge.u32 %p1, %r1, 16; @%p1 exit;
)" + shuffle + " st.global.u32 [%rd2], %r2;");
        std::vector<std::uint32_t> out(32);
        const std::vector<std::string> found = kernel.lines(kernel({1}, {32}, out));
        ASSERT_EQ(found.size(), 1u) << shuffle;
        EXPECT_NE(found[0].find("thread (8,0,0)"), std::string::npos) << found[0];
        EXPECT_NE(found[0].find("takes the value of a lane that has left or never was (8 times)"), std::string::npos)
            << found[0];
    }
}

TEST(PtxInstruction, printf_has_widths_and_no_sign_of_nan) {
    const std::string text = R"(.version 7.0
.target sm_80
.address_size 64
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 format[13] = {91, 37, 51, 99, 124, 37, 102, 124, 37, 51, 100, 93, 0};
.visible .entry k()
{ .local .align 8 .b8 values[24]; .reg .b64 %rd<5>; .reg .b32 %r<3>; .reg .f64 %fd<2>;
mov.u64 %rd1, values; cvta.local.u64 %rd2, %rd1;
mov.u32 %r1, 120; st.local.u32 [%rd1], %r1; mov.f64 %fd1, 0dFFF8000000000000; st.local.f64 [%rd1+8], %fd1;
mov.u32 %r1, 5; st.local.u32 [%rd1+16], %r1;
mov.u64 %rd3, format; cvta.global.u64 %rd4, %rd3;
{ .param .b64 p0; st.param.b64 [p0], %rd4; .param .b64 p1; st.param.b64 [p1], %rd2; .param .b32 r0; call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r2, [r0]; }
ret; }
)";
    Sample kernel(text, "k", "print.ptx");
    EXPECT_EQ(kernel({1}, {1}).printed, "[  x|nan|  5]");
}

TEST(PtxInstruction, printf_takes_the_bytes_that_h_and_hh_name) {
    const std::string text = R"(.version 7.0
.target sm_80
.address_size 64
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 format[18] = {37, 104, 104, 100, 32, 37, 104, 100, 32, 37, 104, 104, 117, 32, 37, 104, 117, 0};
.visible .entry k()
{ .local .align 8 .b8 values[16]; .reg .b64 %rd<5>; .reg .b32 %r<3>;
mov.u64 %rd1, values; cvta.local.u64 %rd2, %rd1;
mov.u32 %r1, 300; st.local.u32 [%rd1], %r1; st.local.u32 [%rd1+8], %r1;
mov.u32 %r1, 70000; st.local.u32 [%rd1+4], %r1; st.local.u32 [%rd1+12], %r1;
mov.u64 %rd3, format; cvta.global.u64 %rd4, %rd3;
{ .param .b64 p0; st.param.b64 [p0], %rd4; .param .b64 p1; st.param.b64 [p1], %rd2; .param .b32 r0; call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r2, [r0]; }
ret; }
)";
    Sample kernel(text, "k", "print.ptx");
    EXPECT_EQ(kernel({1}, {1}).printed, "44 4464 44 4464");
}

TEST(PtxInstruction, printf_is_bounded) {
    // "%.1999999999f|%04d"
    const std::string text = R"(.version 7.0
.target sm_80
.address_size 64
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 format[20] = {37, 46, 49, 57, 57, 57, 57, 57, 57, 57, 57, 57, 102, 124, 37, 48, 52, 100, 0};
.visible .entry k()
{ .local .align 8 .b8 values[16]; .reg .b64 %rd<5>; .reg .b32 %r<3>; .reg .f64 %fd<2>;
mov.u64 %rd1, values; cvta.local.u64 %rd2, %rd1;
mov.f64 %fd1, 0d3FF8000000000000; st.local.f64 [%rd1], %fd1; mov.u32 %r1, 5; st.local.u32 [%rd1+8], %r1;
mov.u64 %rd3, format; cvta.global.u64 %rd4, %rd3;
{ .param .b64 p0; st.param.b64 [p0], %rd4; .param .b64 p1; st.param.b64 [p1], %rd2; .param .b32 r0; call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r2, [r0]; }
ret; }
)";
    Sample kernel(text, "k", "print.ptx");
    const std::string printed = kernel({1}, {1}).printed;
    EXPECT_LT(printed.size(), 5000u);
    EXPECT_TRUE(printed.starts_with("1.5000000000000000")) << printed.substr(0, 40);
    EXPECT_TRUE(printed.ends_with("0|0005"));
}

TEST(PtxInstruction, dot_products_of_two_halves) {
    const std::string operands =
        "mov.u32 %r1, 0xfffe0003; mov.u32 %r2, 0x0504ff02; mov.u32 %r3, 100; ";  // -2 3; 5 4 -1 2
    EXPECT_EQ(result_of(operands + "dp2a.lo.s32.s32 %r0, %r1, %r2, %r3;"), 100u + 3 * 2 + (-2) * (-1));
    EXPECT_EQ(result_of(operands + "dp2a.hi.s32.s32 %r0, %r1, %r2, %r3;"), 100u + 3 * 4 - 2 * 5);
    EXPECT_EQ(result_of(operands + "dp2a.lo.u32.u32 %r0, %r1, %r2, %r3;"), 100u + 3 * 2 + 65534 * 255);
    EXPECT_EQ(result_of(operands + "dp2a.lo.s32.u32 %r0, %r1, %r2, %r3;"), 100u + 3 * 2 - 2 * 255);
}

TEST(PtxInstruction, finds_the_nth_bit_that_is_set) {
    const auto nth = [](const std::string& base, const std::string& offset) {
        return result_of("mov.u32 %r1, 0x00a01012; mov.u32 %r2, " + base + "; mov.u32 %r3, " + offset +
                         "; fns.b32 %r0, %r1, %r2, %r3;");  // 1, 4, 12, 21, 23
    };
    EXPECT_EQ(nth("0", "1"), 1u);
    EXPECT_EQ(nth("2", "2"), 12u);
    EXPECT_EQ(nth("21", "1"), 21u);
    EXPECT_EQ(nth("22", "-2"), 12u);
    EXPECT_EQ(nth("4", "0"), 4u);
    EXPECT_EQ(nth("5", "0"), ~0u);
    EXPECT_EQ(nth("0", "6"), ~0u);
    EXPECT_EQ(nth("0", "-1"), ~0u);
}

TEST(PtxInstruction, masks_so_many_bits_from_a_place_on) {
    const auto mask = [](const std::string& mode, const std::string& first, const std::string& count) {
        return result_of("mov.u32 %r1, " + first + "; mov.u32 %r2, " + count + "; bmsk." + mode +
                         ".b32 %r0, %r1, %r2;");
    };
    EXPECT_EQ(mask("clamp", "4", "8"), 0xff0u);
    EXPECT_EQ(mask("clamp", "28", "8"), 0xf0000000u);
    EXPECT_EQ(mask("clamp", "0", "40"), ~0u);
    EXPECT_EQ(mask("clamp", "40", "4"), 0u);
    EXPECT_EQ(mask("wrap", "36", "40"), 0xff0u);
    EXPECT_EQ(mask("wrap", "4", "32"), 0u);
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

/// A kernel with '.loc' before its third line, and the file's name last, as compilers have it.
std::string with_lines(const std::string& third, const std::string& file = "1") {
    return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>;\n"
           ".reg .b64 %rd<9>;\n.loc " +
           file + " 12 5\n" + third + "\nret;\n}\n.file " + file + " \"/home/me/a.cu\"\n";
}

TEST(PtxInstruction, that_is_not_supported_is_named_with_the_line_of_the_source) {
    const auto reason = [](ErrorKind kind, const std::string& third) {
        return error_of(kind, [&] { Sample(with_lines(third), "k", "a.cu.ptx"); });
    };
    EXPECT_EQ(reason(ErrorKind::failed,
                     "prototype_0 : .callprototype (.param .b32 _) _ ();\ncall (%r1), %rd1, (), prototype_0;"),
              "a.cu:12: calls through pointers are not supported");
    EXPECT_EQ(reason(ErrorKind::usage, "mov.u32 %r1 %r2;"),
              "a.cu:12 (a.cu.ptx:9): '%r2' stands where ',' or ';' was expected");
    EXPECT_EQ(error_of(ErrorKind::usage, [] { read_module(with_lines("mov.u32 %r1 %r2;", "70000"), "a.cu.ptx"); }),
              "a.cu.ptx:9: '%r2' stands where ',' or ';' was expected")
        << "a file of no name";
    EXPECT_EQ(reason(ErrorKind::usage, "ret;\n}\n.file"), "a.cu.ptx:12: 'ret' is not a number");
}

TEST(PtxReader, takes_a_module_with_a_call_that_another_kernel_makes) {
    const std::string text = with_lines("call (%r1), %rd1, (), other;\n.calltargets f, g;");
    EXPECT_NO_THROW(Sample(text + ".visible .entry other()\n{\nret;\n}\n", "other", "a.cu.ptx"));
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

}  // namespace
}  // namespace convscope::ptx::testing
