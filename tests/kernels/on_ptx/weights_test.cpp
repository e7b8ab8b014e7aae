// Methods that skip zeros of the weights, as nvcc compiled them, without a GPU: every tile, every share of zeros, and
// the dense twin of nm1.
#include <gtest/gtest.h>

#include <string>

#include "kernels/core/error.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/on_ptx/simulated.h"
#include "tests/support/random_launch.h"
#include "tests/support/run_method.h"
#include "tests/support/weight_zeros.h"

namespace convscope {
namespace {

class WeightsOnPtx : public ::testing::Test {
protected:
    static constexpr ConvShape layer{.n = 2, .c = 70, .h = 9, .w = 8, .k = 70, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};

    static const Method& method(const char* id) { return simulated().registry.get(id, DeviceKind::cuda); }

    static void expect_clean_and_right(const char* id, const Workload& workload, const LaunchConfig& config = {}) {
        const ConvShape& shape = workload.spec.shape;
        std::string settings = id;
        for (const auto& [name, value] : config.tunables) settings += " " + name + "=" + std::to_string(value);
        SCOPED_TRACE(to_string(shape) + " " + settings);
        simulated().gpu->launches.clear();
        const Tensor y = testing::run_method(method(id), workload, simulated().device(), config);
        for (const on_ptx::PtxLaunch& launch : simulated().gpu->launches)
            for (const std::string& finding : launch.findings) ADD_FAILURE() << launch.kernel << ": " << finding;
        const ReferenceResult reference = reference_result(workload);
        const Verification result = verify(y, reference.y, reference.scale, shape, method(id).info().dtype);
        EXPECT_TRUE(result.ok) << result.reason;
    }
};

TEST_F(WeightsOnPtx, nm1_and_its_dense_twin_are_right_in_every_tile) {
    const Workload dense = testing::random_workload(layer, 0.4, 3);
    for (const std::int64_t sparse : {1, 0})
        for (const std::int64_t filters : {64, 128})
            for (const std::int64_t pixels : {64, 128}) {
                LaunchConfig config;
                config.tunables = {{"sparse", sparse},
                                   {"filters", filters},
                                   {"pixels", pixels},
                                   {"split_k", filters == pixels ? 1 : 4}};
                expect_clean_and_right("nm1", testing::with_fitting_weights(method("nm1"), dense, config), config);
            }
}

TEST_F(WeightsOnPtx, nm1_is_right_with_fewer_than_two_of_four) {
    for (const double zeros : {0.7, 0.95, 1.0})
        expect_clean_and_right(
            "nm1", testing::with_fitting_weights(method("nm1"), testing::with_weight_zeros(layer, 0, zeros, 4)));
}

TEST_F(WeightsOnPtx, nm1_takes_dilation_stride_and_padding_by_side) {
    int run = 0;
    std::vector<ConvShape> shapes = testing::dilated_and_grouped_shapes(12, 6);
    for (const ConvShape& shape : testing::shapes_padded_by_side(6, 6)) shapes.push_back(shape);
    for (const ConvShape& shape : shapes) {
        if (!method("nm1").supports(shape)) continue;
        expect_clean_and_right("nm1",
                               testing::with_fitting_weights(method("nm1"), testing::random_workload(shape, 0, 2)));
        ++run;
    }
    EXPECT_GE(run, 8);
}

TEST_F(WeightsOnPtx, nm1_rejects_weights_that_are_not_two_of_four) {
    try {
        testing::run_method(method("nm1"), testing::random_workload(layer, 0, 1), simulated().device());
        FAIL() << "it ran";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_NE(std::string(error.what()).find("hold 4 (sparse=0 takes any)"), std::string::npos) << error.what();
    }
}

TEST_F(WeightsOnPtx, wcsr1_is_right_at_every_share_of_zeros) {
    testing::Random random(4);
    for (const double zeros : {0.0, 0.5, 0.9, 1.0}) {
        const Workload workload = testing::with_weight_zeros(layer, 0, zeros, 5);
        expect_clean_and_right("wcsr1", workload);
        for (int i = 0; i < 2; ++i) {
            const LaunchConfig config = testing::random_config(random, method("wcsr1"), layer);
            if (method("wcsr1").resolve(layer, config, simulated().device().info().model).support)
                expect_clean_and_right("wcsr1", workload, config);
        }
    }
}

}  // namespace
}  // namespace convscope
