// The papers' worked examples are small whole numbers, of which sums are exact.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "kernels/method/method.h"

namespace convscope::testing {

/// To the digit. A Fourier transform goes through numbers that are not whole, and comes back to them but for rounding.
inline void expect_whole_numbers(const MethodInfo& info, const std::vector<float>& y,
                                 const std::vector<float>& expected) {
    if (info.family != "fft") {
        EXPECT_EQ(y, expected) << info.id;
        return;
    }
    ASSERT_EQ(y.size(), expected.size()) << info.id;
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-4) << info.id;
}

}  // namespace convscope::testing
