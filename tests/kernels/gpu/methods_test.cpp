// Every CUDA method, ours and the vendor's, against the reference: the papers' worked examples and random shapes.
// CONVSCOPE_TEST_SHAPES limits the random shapes per method, for slow tools such as compute-sanitizer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/measure/verify.h"
#include "kernels/ocpa/layer_choice.h"
#include "kernels/reference/reference_result.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/paper_examples.h"
#include "tests/support/random_cases.h"
#include "tests/support/random_launch.h"
#include "tests/support/random_shapes.h"
#include "tests/support/run_method.h"
#include "tests/support/weight_zeros.h"
#include "tests/support/whole_numbers.h"

namespace convscope {
namespace {

// Enough that a method which takes pooled single maps only (a sixth of them) meets 500 of its own.
constexpr std::size_t random_count = 4800;
constexpr std::size_t max_reported = 5;  // wrong shapes, before a method is given up

std::size_t shapes_per_method() {
    const char* limit = std::getenv("CONVSCOPE_TEST_SHAPES");
    return limit ? static_cast<std::size_t>(std::atoi(limit)) : 500;
}

/// cuDNN compiles kernels for each shape of a fused form, which takes it long.
std::size_t shapes_for(const MethodInfo& info) {
    const bool compiles = info.id.starts_with("cudnn-fused");
    return compiles ? std::min<std::size_t>(25, shapes_per_method()) : shapes_per_method();
}

testing::RandomCases& cases() {
    static testing::RandomCases cases(testing::shapes_of_all_kinds(random_count));
    return cases;
}

/// Random ones, and layers as networks have them: their channels are what tensor cores and vector loads want.
std::vector<ConvShape> dilated_and_grouped() {
    std::vector<ConvShape> shapes = testing::dilated_and_grouped_shapes(27);
    const ConvShape depthwise{.c = 96, .h = 14, .w = 14, .k = 96, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1, .groups = 96};
    ConvShape wide = depthwise;  // 16 channels in a group, as in RegNetX
    wide.n = 2;
    wide.groups = 6;
    ConvShape halving = wide;
    halving.stride_h = halving.stride_w = 2;
    ConvShape atrous = depthwise;
    atrous.groups = 1;
    atrous.pad_h = atrous.pad_w = atrous.dilation_h = atrous.dilation_w = 2;
    ConvShape atrous_depthwise = atrous;
    atrous_depthwise.groups = 96;
    for (ConvShape shape : {depthwise, wide, halving, atrous, atrous_depthwise}) {
        shapes.push_back(shape);
        shape.pool_h = shape.pool_w = shape.pool_stride = 2;
        shapes.push_back(shape);
    }
    return shapes;
}

/// Layers as networks have them, with padding that differs by side, dilated and grouped ones, then random ones.
std::vector<ConvShape> padded_by_side() {
    std::vector<ConvShape> shapes;
    const ConvShape even{.c = 64, .h = 28, .w = 28, .k = 64, .r = 4, .s = 2};
    ConvShape halving = even;  // the odd row and column of 'same', as in MobileNet for TensorFlow
    halving.r = halving.s = 3;
    halving.stride_h = halving.stride_w = 2;
    ConvShape small = even;
    small.n = 2;
    small.r = small.s = 2;
    for (ConvShape shape : {even, halving, small}) {
        pad_same(shape);
        ConvShape above = shape;  // the odd row above the map, as ONNX's SAME_LOWER has it
        above.pad_h = shape.pad_bottom();
        above.pad_extra_h = -shape.pad_extra_h;
        ConvShape far = shape;  // more than one row
        far.pad_extra_h = 3;
        ConvShape wide = shape;
        wide.c = 96;
        wide.k = 128;
        for (const ConvShape& padded : {shape, above, far, wide}) {
            shapes.push_back(padded);
            shapes.push_back(padded);
            shapes.back().pool_h = shapes.back().pool_w = shapes.back().pool_stride = 2;
        }
    }
    for (ConvShape shape : dilated_and_grouped()) {
        shape.pad_extra_h = 1;
        shape.pad_extra_w = 2;
        shapes.push_back(shape);
    }
    for (const ConvShape& random : testing::shapes_padded_by_side(300)) shapes.push_back(random);
    return shapes;
}

std::vector<std::string> cuda_methods() {
    std::vector<std::string> ids;
    for (const Method* method : testing::gpu_registry().methods(DeviceKind::cuda)) {
        // These time all others for every new shape: in ocpa4_test.cpp.
        if (!times_candidates(*method)) ids.push_back(method->info().id);
    }
    if (ids.empty()) ids.emplace_back("none");  // one test, which is skipped with the reason
    return ids;
}

class CudaMethod : public testing::GpuTest, public ::testing::WithParamInterface<std::string> {
protected:
    const Method& method() { return testing::gpu_registry().get(GetParam(), DeviceKind::cuda); }

    struct Outcome {
        Tensor y;
        std::string choice;
        Summation summation;
    };
    Outcome run(const Workload& workload) {
        auto execution = method().instantiate(workload.spec.shape, {}, device());
        testing::run_execution(*execution, workload);
        return {execution->output(), execution->choice(), summation_of(method().info(), *execution)};
    }

    /// Whether its error is beyond the bound there, which a measurement says: 'incorrect'.
    bool known_as_inexact(const ConvShape& shape) {
        return GetParam() == "cudnn-winograd-nonfused" && std::max(shape.r, shape.s) > 3;
    }

    /// The case, or, where the method does not take its weights, one that it takes.
    const testing::RandomCase& fitting(const testing::RandomCase& given, const LaunchConfig& config = {}) {
        if (takes_weights(method(), given.workload.w, config)) return given;
        fitting_.workload = testing::with_fitting_weights(method(), given.workload, config);
        fitting_.reference = reference_result(fitting_.workload);
        return fitting_;
    }
    testing::RandomCase fitting_;

    /// A case that is not ok is a failure that names the shape.
    Verification check(const testing::RandomCase& given) {
        const testing::RandomCase& one = fitting(given);
        const auto& [workload, reference] = one;
        const ConvShape& shape = workload.spec.shape;
        const MethodInfo& info = method().info();
        try {
            const auto [y, choice, summation] = run(workload);
            Verification result =
                verify(y, reference.y, reference.scale, shape, info.dtype, summation, reference.largest_scale);
            EXPECT_TRUE(result.ok) << to_string(shape) << " " << choice << ": " << result.reason << ", error "
                                   << result.max_rel_err << " against " << result.tolerance;
            return result;
        } catch (const Error& error) {
            ADD_FAILURE() << to_string(shape) << ": " << error.what();
            return {};
        }
    }
};

using GpuWorkspace = testing::GpuTest;

TEST_F(GpuWorkspace, of_a_library_is_apart_from_a_methods_own_arrays) {
    ConvShape shape{.c = 64, .h = 28, .w = 28, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const Method& im2col = testing::gpu_registry().get("im2col", DeviceKind::cuda);
    const auto execution = im2col.instantiate(shape, {}, device());
    testing::run_execution(*execution, testing::random_workload(shape, 0.5, 1));
    EXPECT_EQ(execution->workspace_bytes(), 4 * shape.im2col_elements());
    EXPECT_GE(execution->library_workspace_bytes(), 4 << 20) << "cuBLAS's";
}

TEST_P(CudaMethod, reproduces_the_worked_examples) {
    const MethodInfo& info = method().info();
    for (const char* name : {"ecr_figure_4", "pecr_figures_7_8", "mec_figures_1_2"}) {
        const Workload workload = testing::example_workload(name);
        if (!method().supports(workload.spec.shape)) continue;
        const ReferenceResult reference = reference_result(workload);
        const auto [y, choice, summation] = run(workload);
        const Verification result = verify(y, reference.y, reference.scale, workload.spec.shape, info.dtype, summation,
                                           reference.largest_scale);
        EXPECT_TRUE(result.ok) << name << " " << choice << ": " << result.reason;
        // Small whole numbers: our sums of them are exact.
        if (!info.vendor) {
            SCOPED_TRACE(name);
            testing::expect_whole_numbers(info, y.data, reference.y.data);
        }
    }
}

TEST_P(CudaMethod, agrees_with_the_reference_on_random_shapes) {
    const MethodInfo& info = method().info();
    std::size_t checked = 0, rejected = 0, wrong = 0;
    double worst = 0;
    for (std::size_t i = 0; i < cases().size() && checked < shapes_for(info) && wrong < max_reported; ++i) {
        const ConvShape& shape = cases()[i].workload.spec.shape;
        if (const Support support = method().supports(shape); !support) {
            EXPECT_FALSE(support.reason.empty());
            ++rejected;
            continue;
        }
        if (known_as_inexact(shape)) continue;
        const Verification result = check(cases()[i]);
        wrong += result.ok ? 0 : 1;
        worst = std::max(worst, result.max_rel_err / result.tolerance);
        ++checked;
    }
    std::printf("%-24s %4zu shapes checked, %zu wrong, %4zu not supported, largest error %.3f of the tolerance\n",
                GetParam().c_str(), checked, wrong, rejected, worst);
    // A vendor's algorithm may be made for few of the shapes; ours take all that they are offered.
    if (!info.vendor) {
        EXPECT_EQ(checked, shapes_per_method());
    }
}

TEST_P(CudaMethod, agrees_with_the_reference_on_dilated_and_grouped_shapes) {
    const MethodInfo& info = method().info();
    if (!info.takes.dilation && !info.takes.groups) GTEST_SKIP() << info.id << " takes neither";
    static testing::RandomCases cases(dilated_and_grouped());
    int checked = 0, dilated = 0, grouped = 0, rejected = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const testing::RandomCase& one = cases[i];
        const ConvShape& shape = one.workload.spec.shape;
        if (const Support support = method().supports(shape); !support) {
            EXPECT_FALSE(support.reason.empty());
            ++rejected;
            continue;
        }
        if (known_as_inexact(shape)) continue;
        check(one);
        ++checked;
        dilated += shape.dilated();
        grouped += shape.groups > 1;
    }
    std::printf("%-24s %d shapes checked, %d dilated, %d grouped, %d not supported\n", GetParam().c_str(), checked,
                dilated, grouped, rejected);
    // Some of cuDNN's algorithms take none of them, its best one takes all.
    if (info.id == "cudnn") {
        EXPECT_EQ(rejected, 0);
    }
}

TEST_P(CudaMethod, agrees_with_the_reference_on_padding_by_side_or_rejects_it) {
    const MethodInfo& info = method().info();
    static testing::RandomCases cases(padded_by_side());
    // cuDNN compiles kernels for many of its engines, which takes it long.
    const std::size_t wanted = !info.vendor ? cases.size() : info.id.starts_with("cudnn-fused") ? 40 : 120;
    std::size_t checked = 0, rejected = 0;
    int pooled = 0, dilated = 0, grouped = 0;
    for (std::size_t i = 0; i < cases.size() && checked < wanted; ++i) {
        const ConvShape& shape = cases[i].workload.spec.shape;
        if (const Support support = method().supports(shape); !support) {
            const bool plain = !shape.dilated() && shape.groups == 1;
            ConvShape same_sides = shape;
            same_sides.pad_extra_h = same_sides.pad_extra_w = 0;
            EXPECT_TRUE(info.vendor || !info.takes.sides || !plain || !method().supports(same_sides))
                << to_string(shape) << ": " << support.reason;
            EXPECT_EQ(support.reason.find("could not be queried"), std::string::npos) << support.reason;
            if (!info.takes.sides && plain) {
                EXPECT_NE(support.reason.find("takes as much padding below as above and right as left, not "),
                          std::string::npos)
                    << support.reason;
            }
            ++rejected;
            continue;
        }
        ASSERT_TRUE(info.takes.sides) << to_string(shape);
        check(cases[i]);
        ++checked;
        pooled += shape.pooled();
        dilated += shape.dilated();
        grouped += shape.groups > 1;
    }
    std::printf(
        "%-24s %zu shapes checked with padding that differs by side, %d pooled, %d dilated, %d grouped, %zu not "
        "supported\n",
        GetParam().c_str(), checked, pooled, dilated, grouped, rejected);
    // cuDNN may lack an engine for some, and its fused forms take pooled layers alone.
    if (!info.takes.sides) {
        EXPECT_EQ(checked, 0);
    } else if (info.vendor) {
        EXPECT_GE(checked, wanted * 3 / 4);
    }
}

TEST_P(CudaMethod, agrees_with_the_reference_in_every_launch_configuration_that_it_accepts) {
    const std::size_t wanted = std::min<std::size_t>(200, shapes_per_method());
    testing::Random random(7);
    std::size_t checked = 0;
    for (std::size_t i = 0; i < cases().size() && checked < wanted; ++i) {
        const ConvShape& shape = cases()[i].workload.spec.shape;
        if (method().info().vendor || !method().supports(shape)) continue;
        const LaunchConfig config = testing::random_config(random, method(), shape);
        if (!method().resolve(shape, config, device().info().model).support) continue;
        const auto& [workload, reference] = fitting(cases()[i], config);
        const Tensor y = testing::run_method(method(), workload, device(), config);
        const Verification result = verify(y, reference.y, reference.scale, shape, method().info().dtype,
                                           method().info().summation, reference.largest_scale);
        ASSERT_TRUE(result.ok) << "shape " << i << ": " << to_string(shape) << ", block "
                               << (config.block ? to_string(*config.block) : "standard") << ": " << result.reason;
        ++checked;
    }
    EXPECT_TRUE(method().info().vendor || checked >= wanted / 4) << checked;
}

TEST_P(CudaMethod, passes_nans_on) {
    const MethodInfo& info = method().info();
    ConvShape single{.h = 9, .w = 8, .r = 3, .s = 3, .pool_h = 2, .pool_w = 2, .pool_stride = 2};
    ConvShape many = single;
    many.c = 3;
    many.k = 5;
    for (const ConvShape& shape : {single, many}) {
        if (!method().supports(shape)) continue;
        Workload workload = testing::with_fitting_weights(method(), testing::random_workload(shape, 0.5, 7));
        workload.x.at(0, 0, 4, 4) = std::numeric_limits<float>::quiet_NaN();
        const ReferenceResult reference = reference_result(workload);
        ASSERT_TRUE(std::ranges::any_of(reference.y.data, [](float value) { return std::isnan(value); }));
        const auto [y, choice, summation] = run(workload);
        // A transform spreads a NaN over its tile, and cuDNN's Winograd loses it: a measurement then says 'incorrect'.
        if (summation != Summation::direct) continue;
        const Verification result = verify(y, reference.y, reference.scale, shape, info.dtype);
        EXPECT_TRUE(result.ok) << to_string(shape) << " " << choice << ": " << result.reason;
    }
}

INSTANTIATE_TEST_SUITE_P(All, CudaMethod, ::testing::ValuesIn(cuda_methods()), [](const auto& test) {
    std::string name = test.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

}  // namespace
}  // namespace convscope
