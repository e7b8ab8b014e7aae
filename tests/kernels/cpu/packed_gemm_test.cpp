#include "kernels/cpu/packed_gemm.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

std::vector<float> small_integers(std::int64_t count, testing::Random& random) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) value = static_cast<float>(random.between(-8, 8));
    return values;
}

/// Integers, so that every order of summation gives the same float.
void expect_product(Isa isa, std::int64_t count, std::int64_t rows, std::int64_t depth, std::int64_t columns) {
    testing::Random random(5);
    const std::int64_t lda = depth + 3;
    const auto a = small_integers(count * rows * lda, random), b = small_integers(depth * columns, random);
    const PackedGemm gemm(depth, columns, isa);
    std::vector<float> packed(gemm.elements());
    std::vector<float> c(count * rows * columns, std::numeric_limits<float>::quiet_NaN());
    gemm.pack(b.data(), packed.data());
    gemm.multiply(packed.data(), {.count = count,
                                  .rows = rows,
                                  .lda = lda,
                                  .a = [&](std::int64_t i) { return a.data() + i * rows * lda; },
                                  .c = c.data()});
    for (std::int64_t row = 0; row < count * rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column) {
            float sum = 0;
            for (std::int64_t d = 0; d < depth; ++d) sum += a[row * lda + d] * b[d * columns + column];
            ASSERT_EQ(c[row * columns + column], sum) << "row " << row << ", column " << column;
        }
}

class PackedGemmOn : public ::testing::TestWithParam<Isa> {};

TEST_P(PackedGemmOn, every_number_of_rows_and_columns) {
    if (!supported(GetParam())) GTEST_SKIP() << "this CPU has no such instructions";
    for (std::int64_t rows = 1; rows <= 27; ++rows) expect_product(GetParam(), 2, rows, 5, 40);
    for (std::int64_t columns = 1; columns <= 70; ++columns) expect_product(GetParam(), 1, 13, 7, columns);
    expect_product(GetParam(), 3, 50, 300, 96);
    expect_product(GetParam(), 2, 5, 1200, 530);  // more depth than one block
}

INSTANTIATE_TEST_SUITE_P(All, PackedGemmOn, ::testing::Values(Isa::avx512, Isa::avx2, Isa::baseline));

}  // namespace
}  // namespace convscope
