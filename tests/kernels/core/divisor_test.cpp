// Division by multiplication, against division.
#include "kernels/core/divisor.h"

#include <gtest/gtest.h>

#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

std::uint32_t quotient(std::uint32_t n, const Divisor& divisor) {
    const auto high = static_cast<std::uint32_t>((std::uint64_t{n} * divisor.multiplier) >> 32);
    return (high + n) >> divisor.shift;
}

TEST(Divisor, divides_as_division_does) {
    constexpr std::uint32_t most = 0x7fffffff;
    testing::Random random(3);
    for (int i = 0; i < 20000; ++i) {
        const std::int64_t by = i < 200 ? i + 1 : random.between(1, i % 2 ? most : 5000);
        const Divisor made = divisor(by);
        for (const std::int64_t n : {std::int64_t{0}, by - 1, by, by + 1, std::int64_t{most}, random.between(0, most),
                                     random.between(0, most) / by * by}) {
            if (n > most) continue;
            ASSERT_EQ(quotient(static_cast<std::uint32_t>(n), made), n / by) << n << " / " << by;
        }
    }
}

}  // namespace
}  // namespace convscope
