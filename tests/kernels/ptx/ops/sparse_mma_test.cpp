// mma.sp: products whose first factor has two of each four columns, with metadata that says which.
#include <gtest/gtest.h>

#include <array>

#include "kernels/core/error.h"
#include "kernels/core/random.h"
#include "kernels/ptx/run/half.h"
#include "tests/kernels/ptx/sample.h"

namespace convscope::ptx::testing {
namespace {

constexpr unsigned rows = 16, columns = 8, warp = 32;

/// The kernel of one product: every lane loads four registers of a and of b and one of metadata, and stores its sums.
Sample product(unsigned k, const std::string& name, unsigned selector, const std::string& type = "f16") {
    const std::string factors = k == 32 ? "{%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}" : "{%r1, %r2}, {%r5, %r6}";
    std::string body = R"(
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [e]; ld.param.u64 %rd4, [d]; mov.u32 %r0, %tid.x;
mad.wide.u32 %rd1, %r0, 16, %rd1; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];
mad.wide.u32 %rd2, %r0, 16, %rd2; ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd2];
mad.wide.u32 %rd3, %r0, 4, %rd3; ld.global.u32 %r9, [%rd3];
mov.f32 %f1, 0f3f800000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;
)";
    body += name + ".sync.aligned.m16n8k" + std::to_string(k) + ".row.col.f32." + type + "." + type + ".f32 ";
    body += "{%f1, %f2, %f3, %f4}, " + factors + ", {%f1, %f2, %f3, %f4}, %r9, " + std::to_string(selector) + ";\n";
    body += "mad.wide.u32 %rd4, %r0, 16, %rd4; st.global.v4.f32 [%rd4], {%f1, %f2, %f3, %f4};";
    return sample_of_body(".param .u64 a, .param .u64 b, .param .u64 e, .param .u64 d", body);
}

struct Factors {
    std::vector<float> a = std::vector<float>(rows * warp), b = std::vector<float>(warp * columns);  ///< whole
    std::vector<std::uint32_t> a_registers = std::vector<std::uint32_t>(4 * warp),
                               b_registers = std::vector<std::uint32_t>(4 * warp);
    /// Metadata that nothing may look at, but for the selected lanes.
    std::vector<std::uint32_t> metadata = std::vector<std::uint32_t>(warp, 0xffffffffu);
};

std::uint32_t halves(float low, float high) {
    return static_cast<std::uint32_t>(f16_of_float(high)) << 16 | f16_of_float(low);
}

/// Two columns of each four, as 'pair' gives them.
template <class Pair>
Factors factors(unsigned k, unsigned selector, const Pair& pair) {
    Factors made;
    Random random(5, Stream::x_values);
    const auto value = [&] { return static_cast<float>(random.next() % 17) - 8; };
    std::array<std::array<float, 16>, rows> stored{};
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned four = 0; four < k / 4; ++four) {
            const auto [first, second] = pair(random);
            stored[row][2 * four] = made.a[row * k + 4 * four + first] = value();
            stored[row][2 * four + 1] = made.a[row * k + 4 * four + second] = value();
            std::uint32_t& word = made.metadata[row % 8 * 4 + (k == 32 ? 2 * selector + four / 4 : selector)];
            const unsigned shift = row / 8 * 16 + four % 4 * 4;
            word = (word & ~(15u << shift)) | (first | second << 2) << shift;
        }
    for (unsigned i = 0; i < k * columns; ++i) made.b[i] = value();
    for (unsigned lane = 0; lane < warp; ++lane)
        for (unsigned i = 0; i < k / 8; ++i) {
            const unsigned row = lane / 4 + i % 2 * 8, column = lane % 4 * 2 + i / 2 * 8;
            made.a_registers[4 * lane + i] = halves(stored[row][column], stored[row][column + 1]);
            const unsigned depth = lane % 4 * 2 + i * 8;
            made.b_registers[4 * lane + i] =
                halves(made.b[depth * columns + lane / 4], made.b[(depth + 1) * columns + lane / 4]);
        }
    return made;
}

void expect_product(unsigned k, const std::vector<float>& d, const Factors& of) {
    for (unsigned lane = 0; lane < warp; ++lane)
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
            float sum = 1;
            for (unsigned depth = 0; depth < k; ++depth) sum += of.a[row * k + depth] * of.b[depth * columns + column];
            ASSERT_EQ(d[4 * lane + i], sum) << "row " << row << ", column " << column;
        }
}

constexpr const char* ordered = "mma.sp::ordered_metadata";
constexpr std::pair<unsigned, unsigned> ascending[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

TEST(PtxSparseMma, multiplies_the_columns_that_the_metadata_of_the_selected_lanes_names) {
    for (const unsigned k : {16u, 32u})
        for (unsigned selector = 0; selector < 64 / k; ++selector)
            for (const char* name : {"mma.sp", ordered}) {
                SCOPED_TRACE(name + std::to_string(k) + ", selector " + std::to_string(selector));
                Factors of = factors(k, selector, [](Random& random) { return ascending[random.next() % 6]; });
                Sample kernel = product(k, name, selector);
                std::vector<float> d(4 * warp);
                const LaunchResult result = kernel({1}, {warp}, of.a_registers, of.b_registers, of.metadata, d);
                EXPECT_EQ(kernel.lines(result), std::vector<std::string>{});
                expect_product(k, d, of);
            }
}

TEST(PtxSparseMma, takes_columns_in_any_order_where_they_need_not_ascend) {
    Factors of = factors(32, 0, [](Random& random) {
        const auto [first, second] = ascending[random.next() % 6];
        return std::pair{second, first};
    });
    std::vector<float> d(4 * warp);
    Sample any = product(32, "mma.sp", 0);
    EXPECT_EQ(any.lines(any({1}, {warp}, of.a_registers, of.b_registers, of.metadata, d)), std::vector<std::string>{});
    expect_product(32, d, of);
    Sample strict = product(32, ordered, 0);
    const std::vector<std::string> lines =
        strict.lines(strict({1}, {warp}, of.a_registers, of.b_registers, of.metadata, d));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("gives metadata whose two columns of four do not ascend"), std::string::npos) << lines[0];
}

TEST(PtxSparseMma, finds_metadata_that_names_a_column_twice) {
    Factors of = factors(16, 3, [](Random&) { return std::pair{0u, 2u}; });
    of.metadata[5 * 4 + 3] = (of.metadata[5 * 4 + 3] & ~(15u << 20)) | 0b1010u << 20;  // row 13, the second four
    Sample kernel = product(16, "mma.sp", 3);
    std::vector<float> d(4 * warp);
    const std::vector<std::string> lines =
        kernel.lines(kernel({1}, {warp}, of.a_registers, of.b_registers, of.metadata, d));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("thread (23,0,0): gives metadata that names one column of four twice"), std::string::npos)
        << lines[0];
}

TEST(PtxSparseMma, names_what_is_not_supported) {
    const auto rejected = [](unsigned k, unsigned selector, const std::string& type) {
        try {
            product(k, ordered, selector, type);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    EXPECT_NE(rejected(32, 2, "f16").find("the sparsity selector names no lanes of a group's four"), std::string::npos);
    EXPECT_NE(rejected(16, 0, "tf32").find("is not supported"), std::string::npos);
    EXPECT_EQ(rejected(32, 1, "bf16"), "nothing");
}

}  // namespace
}  // namespace convscope::ptx::testing
