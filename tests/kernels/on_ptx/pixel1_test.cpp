// pixel1 and pixel2 as nvcc compiled them, without a GPU: maps with empty pixels, right against the reference, and
// nothing found.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <tuple>

#include "tests/kernels/on_ptx/simulated.h"
#include "tests/support/pixel_cases.h"
#include "tests/support/verified_run.h"

namespace convscope {
namespace {

class PixelOnPtx : public ::testing::TestWithParam<std::tuple<const char*, testing::PixelCase>> {};

TEST_P(PixelOnPtx, is_right_and_clean) {
    const auto& [id, tried] = GetParam();
    const Method& method = simulated().registry.get(id, DeviceKind::cuda);
    simulated().gpu->launches.clear();
    const Verification result = testing::verified_run(method, tried.workload, simulated().device(), tried.config);
    EXPECT_TRUE(result.ok) << result.reason << ", error " << result.max_rel_err << " against " << result.tolerance;
    for (const on_ptx::PtxLaunch& launch : simulated().gpu->launches)
        for (const std::string& finding : launch.findings) ADD_FAILURE() << launch.kernel << ": " << finding;
}

INSTANTIATE_TEST_SUITE_P(Cases, PixelOnPtx,
                         ::testing::Combine(::testing::Values("pixel1", "pixel2"),
                                            ::testing::ValuesIn(testing::pixel_cases())),
                         [](const auto& test) {
                             return std::get<0>(test.param) + ("_" + std::get<1>(test.param).name);
                         });

TEST(Pixel1, multiplies_no_weight_by_an_empty_pixel) {
    const ConvShape shape{.c = 16, .h = 9, .w = 9, .k = 40, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    Workload workload = testing::with_one_value(shape, 3, 4, 5);
    for (float& weight : workload.w.data) weight = std::numeric_limits<float>::quiet_NaN();
    const Tensor y =
        testing::run_method(simulated().registry.get("pixel1", DeviceKind::cuda), workload, simulated().device());
    for (std::int64_t k = 0; k < shape.k; ++k)
        for (std::int64_t p = 0; p < shape.p(); ++p)
            for (std::int64_t q = 0; q < shape.q(); ++q) {
                const bool sees = p >= 3 && p <= 5 && q >= 4 && q <= 6;
                EXPECT_EQ(y.at(0, k, p, q) == 0, !sees) << k << " " << p << " " << q;
            }
}

}  // namespace
}  // namespace convscope
