// The sparse products on the simulated GPU: zeros that lie badly, plans, what they reject.
#include "kernels/spmm/spmm_methods.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/fully_connected.h"
#include "tests/support/random_launch.h"
#include "tests/support/registries.h"
#include "tests/support/verified_run.h"

namespace convscope {
namespace {

using testing::simulated_registry;

class Spmm : public ::testing::TestWithParam<const char*> {
protected:
    const Method& method() const { return simulated_registry().get(GetParam(), DeviceKind::sim); }
    Device& device() const { return simulated_registry().device("sim"); }
    bool is(const char* id) const { return std::string(id) == GetParam(); }

    void expect_right(const Workload& workload, const LaunchConfig& config = {}) const {
        const Verification result = testing::verified_run(method(), workload, device(), config);
        EXPECT_TRUE(result.ok) << to_string(workload.spec.shape) << ": " << result.reason;
    }
};

/// Every pixel is a row of the matrix, and its channels the columns.
constexpr ConvShape pointwise{.n = 2, .c = 90, .h = 5, .w = 7, .k = 70};

/// Leaves the pixels for which 'keeps' says so, and sets the others to zero.
Workload with_pixels(double sparsity, bool (*keeps)(std::int64_t image, std::int64_t pixel)) {
    Workload workload = testing::random_workload(pointwise, sparsity, 7);
    for (std::int64_t n = 0; n < pointwise.n; ++n)
        for (std::int64_t pixel = 0; pixel < pointwise.h * pointwise.w; ++pixel)
            for (std::int64_t c = 0; c < pointwise.c && !keeps(n, pixel); ++c)
                workload.x.at(n, c, pixel / pointwise.w, pixel % pointwise.w) = 0;
    return workload;
}

TEST_P(Spmm, is_right_where_rows_are_empty_or_full) {
    const std::vector<Workload> workloads{
        testing::random_workload(pointwise, 0, 3), testing::random_workload(pointwise, 1, 3),
        with_pixels(0, [](std::int64_t, std::int64_t pixel) { return pixel % 3 == 0; }),
        with_pixels(0, [](std::int64_t image, std::int64_t pixel) { return image == 1 && pixel == 34; }),
        with_pixels(0.9, [](std::int64_t image, std::int64_t) { return image == 1; })};
    testing::Random random(5);
    for (const Workload& workload : workloads) {
        expect_right(workload);
        for (int i = 0; i < 5; ++i) expect_right(workload, testing::random_config(random, method(), pointwise));
    }
}

TEST_P(Spmm, is_right_where_one_row_is_long_and_the_others_are_short) {
    Workload workload = testing::random_workload(pointwise, 0.97, 9);
    for (std::int64_t c = 0; c < pointwise.c; ++c) workload.x.at(0, c, 2, 2) = 1 + static_cast<float>(c);
    expect_right(workload);
}

TEST_P(Spmm, takes_padding_that_differs_by_side_and_pools_after_it) {
    for (const ConvShape& shape : testing::shapes_padded_by_side(20, 4))
        if (method().supports(shape)) expect_right(testing::random_workload(shape, 0.6, 1));
}

TEST_P(Spmm, computes_fully_connected_layers_in_any_configuration) {
    testing::Random random(34);
    for (const ConvShape& shape :
         {ConvShape{.c = 700, .k = 1}, ConvShape{.n = 3, .c = 300, .k = 131}, ConvShape{.n = 40, .c = 33, .k = 6}})
        for (int i = 0; i < 8; ++i)
            expect_right(testing::random_workload(shape, 0.8, 2), testing::random_config(random, method(), shape));
}

TEST_P(Spmm, never_uses_the_weights_of_a_column_without_a_non_zero_but_for_those_in_a_block) {
    const ConvShape shape{.n = 3, .c = 200, .k = 50};
    const Workload workload = testing::with_nan_in_skipped_rows(shape, 0.9, 11);
    const ReferenceResult reference = reference_result(testing::without_nan(workload));
    const Tensor y = testing::run_method(method(), workload, device());
    EXPECT_EQ(verify(y, reference.y, reference.scale, shape, DType::f32).ok, !is("bsr1"));
}

TEST_P(Spmm, gives_the_same_bits_each_time_but_for_sums_by_atomics) {
    if (is("coo1")) return;
    const Workload workload = testing::random_workload(pointwise, 0.6, 2);
    EXPECT_EQ(testing::run_method(method(), workload, device()).data,
              testing::run_method(method(), workload, device()).data);
}

TEST_P(Spmm, multiplies_last_in_the_kernel_whose_launch_is_shown) {
    for (const std::int64_t filters : {1, 6, 33, 70, 512}) {
        ConvShape shape = pointwise;
        shape.k = filters;
        const ResolvedLaunch resolved = method().resolve(shape, {}, default_device_model());
        ASSERT_TRUE(resolved.support) << resolved.support.reason;
        EXPECT_EQ(resolved.main, resolved.kernels.size() - 1);
        const KernelLaunch& last = resolved.kernels.back();
        EXPECT_EQ(last.stage, "multiply");
        EXPECT_EQ(last.block, (Dim3{128, 1, 1}));
        const std::int64_t of_thread = is("csr2") || is("ell1") ? 4 : 32 * (filters > 64 ? 4 : 1);
        EXPECT_EQ(last.grid.y, (filters + of_thread - 1) / of_thread) << filters;
    }
}

TEST_P(Spmm, rejects_a_matrix_that_32_bits_cannot_count) {
    const ConvShape uncountable{.n = 128, .c = 64, .h = 224, .w = 224, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    EXPECT_EQ(method().supports(uncountable).reason, "im2col's matrix has 3699376128 elements, and " +
                                                         std::string(GetParam()) +
                                                         "'s 32-bit offsets count up to 2147483647");
}

TEST_P(Spmm, rejects_dilation_groups_and_what_it_has_no_kernel_for) {
    ConvShape dilated = pointwise, grouped = pointwise;
    dilated.r = dilated.dilation_h = 2;
    grouped.groups = 2;
    EXPECT_FALSE(method().supports(dilated));
    EXPECT_FALSE(method().supports(grouped));
    LaunchConfig config;
    config.tunables = {{"filters", 2}};
    EXPECT_EQ(method().resolve(pointwise, config, default_device_model()).support.reason,
              is("csr2") || is("ell1") ? "filters is 2; it can be 4, 8, 16" : "filters is 2; it can be 1, 4");
}

TEST_P(Spmm, has_its_arrays_apart_in_the_workspace) {
    const std::string id = GetParam();
    for (const SpmmMethod each : {SpmmMethod::csr2, SpmmMethod::csr3, SpmmMethod::ell1, SpmmMethod::bitmap1,
                                  SpmmMethod::bsr1, SpmmMethod::coo1}) {
        if (make_spmm(each, DeviceKind::sim, nullptr, nullptr)->info().id != id) continue;
        const SpmmWorkspace space = spmm_workspace(each, pointwise);
        for (int array = 0; array < SpmmWorkspace::arrays; ++array) {
            EXPECT_EQ(space.begin(array) % 256, 0);
            EXPECT_GE(space.begin(array + 1), space.begin(array) + 4 * space.elements[static_cast<std::size_t>(array)]);
        }
        const std::int64_t elements = pointwise.im2col_elements(), rows = pointwise.n * pointwise.h * pointwise.w;
        EXPECT_EQ(space.elements[SpmmWorkspace::matrix], elements);
        EXPECT_GE(space.elements[SpmmWorkspace::values], elements);
        EXPECT_EQ(space.elements[SpmmWorkspace::bits], each == SpmmMethod::bitmap1 ? rows * 3 : 0)
            << "90 bits of a row";
        EXPECT_EQ(method().workspace_bytes(pointwise),
                  space.bytes() + 4 * pointwise.c * (72 - 70));  // a row of w is a multiple of 4 filters
    }
}

INSTANTIATE_TEST_SUITE_P(All, Spmm, ::testing::Values("csr2", "csr3", "ell1", "bitmap1", "bsr1", "coo1"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace convscope
