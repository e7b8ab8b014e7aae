// Kernels as courses, samples and papers have them: results equal the host's, and nothing is found wrong with them.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernels/ptx/run/half.h"
#include "tests/kernels/ptx/sample.h"

namespace convscope::ptx::testing {
namespace {

void expect_clean(const Sample& kernel, const LaunchResult& result) {
    EXPECT_EQ(result.failure, "");
    for (const std::string& line : kernel.lines(result)) ADD_FAILURE() << line;
}

TEST(PtxSample, adds_vectors) {
    Sample kernel = sample("vector_add");
    kernel.unwritten = {"array2"};
    const auto a = random_floats(1000, 1), b = random_floats(1000, 2);
    std::vector<float> c(1000);
    auto a_copy = a, b_copy = b;
    expect_clean(kernel, kernel({4}, {256}, a_copy, b_copy, c, 1000));
    for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(c[i], a[i] + b[i]) << i;
}

TEST(PtxSample, transposes) {
    Sample kernel = sample("transpose");
    kernel.unwritten = {"array1"};
    const int width = 70, height = 45;
    auto in = random_floats(width * height);
    std::vector<float> out(in.size());
    expect_clean(kernel, kernel({3, 2}, {32, 8}, in, out, width, height));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) EXPECT_EQ(out[x * height + y], in[y * width + x]);
}

TEST(PtxSample, reduces_by_shuffles_and_atomics) {
    Sample kernel = sample("reduce");
    auto x = random_floats(5000);
    std::vector<float> sum(1);
    expect_clean(kernel, kernel({4}, {256}, x, sum, 5000));
    EXPECT_NEAR(sum[0], std::accumulate(x.begin(), x.end(), 0.0), 1e-3);
}

TEST(PtxSample, scans_in_dynamic_shared_memory) {
    Sample kernel = sample("scan");
    kernel.request.shared_bytes = 512 * sizeof(int);
    kernel.unwritten = {"array1"};
    std::vector<int> in(512), out(512), expected(512);
    for (int i = 0; i < 512; ++i) in[i] = i * 7 % 13;
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0);
    expect_clean(kernel, kernel({1}, {256}, in, out, 512));
    EXPECT_EQ(out, expected);
}

TEST(PtxSample, compacts_by_ballots) {
    Sample kernel = sample("compact");
    kernel.unwritten = {"array1"};
    auto x = random_floats(1000);
    for (std::size_t i = 0; i < x.size(); ++i)
        if (i % 3 == 0) x[i] = 0;
    std::vector<float> kept(1000);
    std::vector<int> count(1);
    expect_clean(kernel, kernel({8}, {128}, x, kept, count, 1000));
    std::erase(x, 0.0f);
    ASSERT_EQ(count[0], static_cast<int>(x.size()));
    kept.resize(x.size());
    std::sort(kept.begin(), kept.end());
    std::sort(x.begin(), x.end());
    EXPECT_EQ(kept, x);
}

TEST(PtxSample, multiplies_matrices_by_tiles) {
    Sample kernel = sample("matmul");
    kernel.unwritten = {"array2"};
    const int n = 50;
    auto a = random_floats(n * n, 1), b = random_floats(n * n, 2);
    std::vector<float> c(n * n);
    expect_clean(kernel, kernel({4, 4}, {16, 16}, a, b, c, n));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum = std::fma(a[i * n + k], b[k * n + j], sum);
            EXPECT_EQ(c[i * n + j], sum);
        }
}

TEST(PtxSample, counts_bytes_by_atomics) {
    Sample kernel = sample("histogram");
    std::vector<unsigned char> data(3000);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * i % 251);
    std::vector<unsigned> bins(256), expected(256);
    for (const unsigned char byte : data) ++expected[byte];
    expect_clean(kernel, kernel({3}, {128}, data, bins, 3000));
    EXPECT_EQ(bins, expected);
}

TEST(PtxSample, lowers_by_im2col) {
    Sample kernel = sample("im2col");
    kernel.unwritten = {"array1"};
    const int c = 2, h = 5, w = 6, r = 3, s = 2, pad = 1, p = h + 2 * pad - r + 1, q = w + 2 * pad - s + 1;
    auto x = random_floats(c * h * w);
    std::vector<float> columns(c * r * s * p * q);
    expect_clean(kernel, kernel({1}, {128}, x, columns, c, h, w, r, s, pad, p, q));
    for (int row = 0; row < c * r * s; ++row)
        for (int at = 0; at < p * q; ++at) {
            const int y = at / q + row / s % r - pad, z = at % q + row % s - pad;
            const bool inside = y >= 0 && y < h && z >= 0 && z < w;
            EXPECT_EQ(columns[row * p * q + at], inside ? x[(row / (r * s) * h + y) * w + z] : 0);
        }
}

TEST(PtxSample, copies_asynchronously) {
    Sample kernel = sample("pipeline");
    kernel.unwritten = {"array1"};
    const int stages = 5, threads = 128;
    auto in = random_floats(2 * stages * threads * 4);
    std::vector<float> out(in.size());
    expect_clean(kernel, kernel({2}, {threads}, in, out, stages));
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::size_t row = i / (4 * threads), thread = i / 4 % threads;
        EXPECT_EQ(out[i], 2 * in[(row * threads + threads - 1 - thread) * 4 + i % 4]);
    }
}

TEST(PtxSample, multiplies_on_tensor_cores) {
    Sample kernel = sample("tensor_tile");
    kernel.unwritten = {"array2"};
    std::vector<std::uint16_t> a(16 * 16), b(16 * 8);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = f16_of_float(static_cast<float>(i % 17) - 8);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = f16_of_float(static_cast<float>(i % 5) / 4);
    std::vector<float> c(16 * 8);
    expect_clean(kernel, kernel({1}, {32}, a, b, c));
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; ++j) {
            float sum = 0;
            for (int k = 0; k < 16; ++k) sum += float_of_f16(a[i * 16 + k]) * float_of_f16(b[k * 8 + j]);
            EXPECT_EQ(c[i * 8 + j], sum);
        }
}

TEST(PtxSample, lanes_take_turns_at_a_lock) {
    Sample kernel = sample("lock");
    std::vector<int> mutex(1), sum(1);
    expect_clean(kernel, kernel({2}, {64}, mutex, sum));
    EXPECT_EQ(sum[0], 2 * 63 * 64 / 2);
    EXPECT_EQ(mutex[0], 0);
}

TEST(PtxSample, the_last_block_sees_what_the_others_left) {
    Sample kernel = sample("last_block");
    kernel.unwritten = {"array1", "array2"};
    auto x = random_floats(1000);
    std::vector<float> partial(8), sum(1);
    expect_clean(kernel, kernel({8}, {128}, x, partial, sum, 1000));
    EXPECT_NEAR(sum[0], std::accumulate(x.begin(), x.end(), 0.0), 1e-4);
}

TEST(PtxSample, convolves_as_the_formula_says) {
    Sample kernel = sample("convolution");
    kernel.unwritten = {"array2"};
    const int n = 2, c = 3, h = 7, w = 6, k = 2, r = 3, s = 3, stride = 2, pad = 1;
    const int p = (h + 2 * pad - r) / stride + 1, q = (w + 2 * pad - s) / stride + 1;
    auto x = random_floats(n * c * h * w, 1), filters = random_floats(k * c * r * s, 2);
    std::vector<float> y(n * k * p * q);
    expect_clean(kernel, kernel({1, 1, n * k}, {16, 16}, x, filters, y, c, h, w, k, r, s, p, q, stride, pad));
    for (int at = 0; at < n * k * p * q; ++at) {
        const int column = at % q, row = at / q % p, filter = at / (p * q) % k, image = at / (p * q * k);
        double sum = 0;
        for (int channel = 0; channel < c; ++channel)
            for (int i = 0; i < r * s; ++i) {
                const int a = row * stride + i / s - pad, b = column * stride + i % s - pad;
                if (a < 0 || a >= h || b < 0 || b >= w) continue;
                sum += static_cast<double>(x[((image * c + channel) * h + a) * w + b]) *
                       filters[(filter * c + channel) * r * s + i];
            }
        EXPECT_NEAR(y[at], sum, 1e-6);
    }
}

/// Warp 0 writes x[0] and raises a flag; warp 1 waits for the flag and reads x[0].
Sample hand_over(const std::string& fence) {
    return sample_of_body(".param .u64 x, .param .u64 flag",
                          "ld.param.u64 %rd0, [x];\n ld.param.u64 %rd1, [flag];\n mov.u32 %r0, %tid.x;\n"
                          "setp.eq.u32 %p0, %r0, 32;\n @%p0 bra $reader;\n"
                          "setp.ne.u32 %p0, %r0, 0;\n @%p0 bra $end;\n"
                          "mov.u32 %r1, 7;\n st.global.u32 [%rd0], %r1;\n " +
                              fence +
                              "\n atom.global.exch.b32 %r2, [%rd1], 1;\n bra $end;\n"
                              "$reader:\n atom.global.or.b32 %r2, [%rd1], 0;\n"
                              "setp.eq.u32 %p0, %r2, 0;\n @%p0 bra $reader;\n"
                              "ld.global.u32 %r3, [%rd0];\n st.global.u32 [%rd0+4], %r3;\n$end:\n ret;");
}

TEST(PtxSample, hands_a_value_on_within_a_block_by_a_fence_and_an_atomic) {
    for (const char* fence : {"membar.gl;", "membar.cta;", ""}) {
        Sample kernel = hand_over(fence);
        std::vector<int> x(2), flag(1);
        const LaunchResult result = kernel({1}, {64}, x, flag);
        EXPECT_EQ(result.failure, "");
        EXPECT_EQ(result.findings.size(), *fence ? 0U : 1U) << fence;
        EXPECT_EQ(x[1], 7);
    }
}

}  // namespace
}  // namespace convscope::ptx::testing
