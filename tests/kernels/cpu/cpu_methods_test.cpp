// The CPU methods beyond random shapes: the papers' examples, rejections, workspace, data that is not finite.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "kernels/core/error.h"
#include "kernels/cpu/cpu_execution.h"
#include "kernels/fft/fft_size.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "tests/support/paper_examples.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"
#include "tests/support/run_method.h"
#include "tests/support/whole_numbers.h"

namespace convscope {
namespace {

using testing::registry;

Device& cpu() {
    return registry().device("cpu");
}

const Method& method(const char* id) {
    return registry().get(id, DeviceKind::cpu);
}

void expect_example(const char* example, const char* result) {
    const Workload workload = testing::example_workload(example);
    const std::vector<float> expected = testing::numbers(testing::paper_examples()[example][result]);
    for (const Method* each : registry().methods(DeviceKind::cpu)) {
        if (!each->supports(workload.spec.shape)) continue;
        const Tensor y = testing::run_method(*each, workload, cpu());
        testing::expect_whole_numbers(each->info(), y.data, expected);
    }
}

TEST(PaperExamples, every_method_gives_the_output_of_xu_figure_6) {
    expect_example("ecr_figure_4", "output");
}

TEST(PaperExamples, every_method_gives_the_pooled_output_of_xu_figure_8) {
    expect_example("pecr_figures_7_8", "relu_max_pooled");
}

TEST(PaperExamples, every_method_gives_the_output_of_cho_brand_figure_2) {
    expect_example("mec_figures_1_2", "output");
}

TEST(Rejections, name_what_is_accepted) {
    const ConvShape plain{.n = 2, .c = 3, .h = 8, .w = 8, .k = 4, .r = 3, .s = 3};
    for (const char* id : {"mec1", "ecr1", "ecr2", "pecr1", "pecr2"})
        EXPECT_NE(method(id).supports(plain).reason.find("k = 1"), std::string::npos) << id;
    EXPECT_NE(method("pecr3").supports(plain).reason.find("pooling"), std::string::npos);
    const ConvShape many_filters{.c = 1, .h = 8, .w = 8, .k = 64, .r = 3, .s = 3};
    EXPECT_NE(method("mec2a").supports(many_filters).reason.find("larger than L"), std::string::npos);
    EXPECT_TRUE(method("mec2").supports(many_filters));
}

TEST(Rejections, configurations_that_mean_nothing_on_the_cpu) {
    const ConvShape shape{.h = 8, .w = 8, .r = 3, .s = 3};
    const DeviceModel& model = cpu().info().model;
    LaunchConfig block;
    block.block = Dim3{32, 1, 1};
    EXPECT_FALSE(method("ecr3").resolve(shape, block, model).support);
    LaunchConfig unknown;
    unknown.tunables["tile"] = 4;
    EXPECT_NE(method("mec2").resolve(shape, unknown, model).support.reason.find("'tile'"), std::string::npos);
    LaunchConfig wrong;
    wrong.tunables["T"] = 7;
    EXPECT_NE(method("mec2").resolve(shape, wrong, model).support.reason.find("T=7"), std::string::npos);
    EXPECT_THROW(method("mec2").instantiate(shape, wrong, cpu()), Error);
    EXPECT_THROW(method("mec1").instantiate({.c = 2, .h = 8, .w = 8, .r = 3, .s = 3}, {}, cpu()), Error);
}

TEST(Mec2, chooses_by_the_threshold_and_the_size_of_l) {
    const ConvShape narrow{.n = 2, .c = 8, .h = 12, .w = 12, .k = 8, .r = 3, .s = 3};
    auto choice = [](const ConvShape& shape, std::int64_t T) {
        LaunchConfig config;
        config.tunables["T"] = T;
        return method("mec2").instantiate(shape, config, cpu())->choice();
    };
    EXPECT_EQ(choice(narrow, 100), "Solution A");
    EXPECT_EQ(choice(narrow, 0), "Solution B");
    ConvShape more_filters = narrow;
    more_filters.k = 64;  // |O| > |L|
    EXPECT_EQ(choice(more_filters, 100), "Solution B");
}

TEST(OpenBlas, gives_what_the_packed_product_gives) {
    LaunchConfig blas;
    blas.tunables["openblas"] = 1;
    for (const ConvShape& shape : testing::random_shapes(150, 11)) {
        const Workload workload = testing::random_workload(shape, 0.3, 1);
        for (const char* id : {"im2col", "mec2a", "mec2b", "mec2"}) {
            if (!method(id).supports(shape)) continue;
            const Tensor packed = testing::run_method(method(id), workload, cpu());
            const Tensor by_blas = testing::run_method(method(id), workload, cpu(), blas);
            for (std::size_t i = 0; i < packed.data.size(); ++i)
                ASSERT_NEAR(packed.data[i], by_blas.data[i], 1e-4) << id << " on " << to_string(shape);
        }
    }
}

TEST(Workspace, is_the_formula_predicted_and_allocated) {
    for (const ConvShape& shape : testing::random_shapes(100, 3)) {
        const std::int64_t pool = shape.pooled() ? shape.conv_elements() * 4 : 0;
        EXPECT_EQ(method("im2col").workspace_bytes(shape), shape.im2col_elements() * 4 + pool);
        EXPECT_EQ(method("mec2").workspace_bytes(shape), shape.mec_elements() * 4 + pool);
        EXPECT_EQ(method("mec2b").workspace_bytes(shape), shape.mec_elements() * 4 + pool);
        const std::int64_t windows = shape.n * shape.p() * shape.q();
        EXPECT_EQ(method("ecr3").workspace_bytes(shape), windows * (8 * shape.reduction() + 4) + pool);
        EXPECT_EQ(method("csr1").workspace_bytes(shape), 12 * shape.im2col_elements() + 4 * (windows + 1) + pool);
        const std::int64_t maps = shape.n * shape.c + shape.k * shape.c + shape.n * shape.k;
        EXPECT_EQ(method("fft1").workspace_bytes(shape),
                  fft_shape(shape, maps).bytes() - 4 * shape.w_elements() + pool);
        for (const Method* each : registry().methods(DeviceKind::cpu)) {
            if (each->info().vendor || !each->supports(shape)) continue;
            EXPECT_EQ(each->instantiate(shape, {}, cpu())->workspace_bytes(), each->workspace_bytes(shape));
        }
    }
}

TEST(Lifetime, release_and_allocate_may_be_repeated) {
    const ConvShape shape{.c = 4, .h = 9, .w = 9, .k = 5, .r = 3, .s = 3, .pool_h = 2, .pool_w = 2, .pool_stride = 2};
    const Workload workload = testing::random_workload(shape, 0.5, 9);
    const Tensor first = testing::run_method(method("reference"), workload, cpu());
    for (const Method* each : registry().methods(DeviceKind::cpu)) {
        if (!each->supports(shape)) continue;
        auto execution = each->instantiate(shape, {}, cpu());
        testing::run_execution(*execution, workload);
        execution->release();
        execution->teardown();
        testing::run_execution(*execution, workload);
        const Tensor y = execution->output();
        for (std::size_t i = 0; i < first.data.size(); ++i)
            EXPECT_NEAR(y.data[i], first.data[i], 1e-4) << each->info().id;
        execution->release();
        execution->teardown();
    }
}

/// Copies x to y, but leaves the last element of every run after the first to what the memory holds.
class Forgetful final : public CpuExecution {
public:
    using CpuExecution::CpuExecution;

private:
    void convolve(float* y, StageClock*) override {
        std::copy_n(x(), shape().conv_elements() - (ran_ ? 1 : 0), y);
        ran_ = true;
    }
    bool ran_ = false;
};

TEST(Poison, reaches_the_convolution_before_a_separate_pooling) {
    const ConvShape shape{.h = 4, .w = 4, .pool_h = 2, .pool_w = 2, .pool_stride = 2};
    const Workload workload = testing::random_workload(shape, 0.0, 5);
    Forgetful execution(shape, Layout::nchw);
    testing::run_execution(execution, workload);
    EXPECT_FALSE(std::isnan(execution.output().data.back()));
    execution.poison_output();
    execution.run(nullptr);
    execution.download();
    EXPECT_TRUE(std::isnan(execution.output().data.back())) << "the earlier run's element stood in";
}

TEST(NonFinite, nan_and_infinity_in_x_reach_the_output_of_every_method) {
    const ConvShape shape{.h = 7, .w = 7, .r = 3, .s = 3, .pool_h = 2, .pool_w = 2, .pool_stride = 1};
    Workload workload = testing::random_workload(shape, 0.5, 4);
    workload.x.at(0, 0, 1, 1) = std::numeric_limits<float>::quiet_NaN();
    workload.x.at(0, 0, 6, 6) = std::numeric_limits<float>::infinity();
    const Tensor checked = reference_output(workload);
    for (const Method* each : registry().methods(DeviceKind::cpu)) {
        if (each->info().vendor || !each->supports(shape)) continue;
        const Tensor y = testing::run_method(*each, workload, cpu());
        const bool spreads = each->info().summation != Summation::direct;
        for (std::size_t i = 0; i < y.data.size(); ++i)
            if (spreads) {  // over a tile, and as NaN where two infinities met: none may be lost
                EXPECT_TRUE(std::isfinite(checked.data[i]) || !std::isfinite(y.data[i])) << each->info().id;
            } else if (std::isfinite(checked.data[i])) {
                EXPECT_NEAR(y.data[i], checked.data[i], 1e-5) << each->info().id;
            } else {
                EXPECT_EQ(std::isnan(y.data[i]), std::isnan(checked.data[i])) << each->info().id;
            }
    }
}

TEST(NonFinite, sparse_methods_skip_a_zero_times_an_infinite_weight) {
    Workload workload = testing::random_workload({.h = 1, .w = 2}, 0.0, 1);
    workload.x.data = {0.0f, 2.0f};
    workload.w.data = {std::numeric_limits<float>::infinity()};
    EXPECT_TRUE(std::isnan(testing::run_method(method("im2col"), workload, cpu()).data[0]));
    EXPECT_EQ(testing::run_method(method("ecr3"), workload, cpu()).data[0], 0.0f);
}

}  // namespace
}  // namespace convscope
