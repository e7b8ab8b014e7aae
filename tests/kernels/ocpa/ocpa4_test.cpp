// ocpa4 on the simulated GPU with a scripted clock: whichever method it chooses, the result is right; its count and its
// conversions; what it keeps and what it leaves out.
#include "kernels/ocpa/ocpa4_method.h"

#include <gtest/gtest.h>

#include "kernels/core/error.h"
#include "kernels/fcr/fcr_methods.h"
#include "kernels/measure/verify.h"
#include "kernels/ocpa/candidates.h"
#include "kernels/pixel/pixel1_method.h"
#include "kernels/reference/reference_result.h"
#include "kernels/simt/on_sim/sim_gpu.h"
#include "kernels/union/union1_flops.h"
#include "tests/support/clocked_device.h"
#include "tests/support/random_shapes.h"
#include "tests/support/registries.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

constexpr DeviceKind sim = DeviceKind::sim;
const ConvShape plain{.n = 2, .c = 5, .h = 8, .w = 7, .k = 6, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};

ConvShape pooled() {
    ConvShape shape = plain;
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    return shape;
}

std::unique_ptr<Method> make_method(Layout layout = Layout::nchw) {
    return make_ocpa4(testing::simulated_registry(), sim, DType::f32, layout, on_sim::map_launchers());
}

Device& gpu() {
    return testing::simulated_registry().device("sim");
}

void expect_right(const Method& method, const Execution& execution, const Workload& workload) {
    const ReferenceResult reference = reference_result(workload);
    const Verification result = verify(execution.output(), reference.y, reference.scale, workload.spec.shape,
                                       DType::f32, summation_of(method.info(), execution), reference.largest_scale);
    EXPECT_TRUE(result.ok) << execution.choice() << " on " << to_string(workload.spec.shape) << ": " << result.reason;
}

class Ocpa4InLayout : public ::testing::TestWithParam<Layout> {};

TEST_P(Ocpa4InLayout, is_right_whichever_method_it_chooses) {
    for (const ConvShape& shape : {plain, pooled(), ConvShape{.n = 2, .c = 40, .k = 9}}) {
        const auto able = candidates(testing::simulated_registry(), sim, DType::f32, shape);
        ASSERT_GT(able.size(), 5U);
        for (std::size_t winner = 0; winner < able.size(); ++winner) {
            testing::ClockedDevice device(gpu(),
                                          [&](std::size_t sampler, std::size_t) { return sampler == winner ? 1 : 9; });
            const auto method = make_method(GetParam());
            const auto execution = method->instantiate(shape, {}, device);
            const Workload workload = testing::random_workload(shape, 0.6, winner);
            testing::run_execution(*execution, workload);
            const MethodInfo& chosen = able[winner]->info();
            EXPECT_EQ(execution->choice(), chosen.id);
            expect_right(*method, *execution, workload);
            EXPECT_EQ(method->executed(workload, execution->choice()).flops,
                      able[winner]->executed(workload, "").flops);
            const std::vector<KernelLaunch> kernels = execution->launches();
            const bool turned = !kernels.empty() && kernels.front().kernel == "turn_maps";
            EXPECT_EQ(turned, chosen.layout != GetParam() && shape.h > 1)
                << chosen.id << ": maps of one place are the same in both layouts";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Layouts, Ocpa4InLayout, ::testing::Values(Layout::nchw, Layout::nhwc),
                         [](const auto& test) { return to_string(test.param); });

TEST(Ocpa4, chooses_by_the_zeros_that_it_counts) {
    const auto able = candidates(testing::simulated_registry(), sim, DType::f32, plain);
    const auto place_of = [&](const char* id) {
        for (std::size_t i = 0; i < able.size(); ++i)
            if (able[i]->info().id == std::string(id)) return i;
        throw std::logic_error(id);
    };
    const std::size_t sparse = place_of("ecr4"), dense = place_of("im2col");
    // At 95 % zeros ecr4 takes 6 us, without zeros 15; im2col takes 10.
    testing::ClockedDevice device(gpu(), [&](std::size_t sampler, std::size_t sample) {
        return sampler == dense ? 10.0 : sampler != sparse ? 99.0 : sample < 5 ? 6.0 : 15.0;
    });
    const auto method = make_method();
    for (const auto& [zeros, chosen] : {std::pair{0.99, "ecr4"}, {0.0, "im2col"}, {0.9, "ecr4"}}) {
        const auto execution = method->instantiate(plain, {}, device);
        testing::run_execution(*execution, testing::random_workload(plain, zeros, 3));
        EXPECT_EQ(execution->choice(), chosen) << zeros;
    }
    EXPECT_EQ(device.samplers, able.size()) << "a shape is calibrated once";
}

TEST(Ocpa4, times_its_candidates_again_where_other_weights_are_zero) {
    const auto able = candidates(testing::simulated_registry(), sim, DType::f32, plain);
    const std::string of_weights = "wcsr1";
    // The dense weights are timed first: wcsr1 is the slowest there, and the fastest of the pruned ones.
    testing::ClockedDevice device(gpu(), [&](std::size_t sampler, std::size_t) {
        const bool skips = able[sampler % able.size()]->info().id == of_weights, pruned = sampler >= able.size();
        return skips ? (pruned ? 1.0 : 9.0) : 5.0;
    });
    const auto method = make_method();
    const auto choice_of = [&](const Workload& workload) {
        const auto execution = method->instantiate(plain, {}, device);
        testing::run_execution(*execution, workload);
        expect_right(*method, *execution, workload);
        return execution->choice();
    };
    Workload workload = testing::random_workload(plain, 0.5, 3);
    EXPECT_NE(choice_of(workload), of_weights);
    for (std::size_t i = 0; i < workload.w.data.size(); i += 2) workload.w.data[i] = 0;
    EXPECT_EQ(choice_of(workload), of_weights);
    EXPECT_EQ(choice_of(workload), of_weights);
    EXPECT_EQ(device.samplers, 2 * able.size()) << "weights with as many zeros are timed once";
}

TEST(Ocpa4, keeps_its_choice_where_other_inputs_come_between_runs) {
    testing::ClockedDevice device(gpu(), [](std::size_t sampler, std::size_t) { return 1.0 + sampler; });
    const auto method = make_method();
    const auto execution = method->instantiate(plain, {}, device);
    testing::run_execution(*execution, testing::random_workload(plain, 0.9, 1));
    const std::string chosen = execution->choice();
    const std::vector<double> counted = dynamic_cast<const ChoiceByZeros&>(*execution).flops();
    const Workload other = testing::random_workload(plain, 0, 2);
    execution->stage_inputs(other);
    execution->upload();
    execution->prepare_weights();
    execution->poison_output();
    execution->run();
    execution->synchronize();
    execution->download();
    EXPECT_EQ(execution->choice(), chosen);
    EXPECT_EQ(dynamic_cast<const ChoiceByZeros&>(*execution).flops(), counted);
    expect_right(*method, *execution, other);
    // As the wider timing scopes do.
    execution->release();
    execution->teardown();
    testing::run_execution(*execution, other);
    EXPECT_EQ(execution->choice(), chosen);
    expect_right(*method, *execution, other);
}

TEST(Ocpa4, leaves_out_what_cannot_be_timed_and_says_why) {
    testing::ClockedDevice device(gpu(), [](std::size_t sampler, std::size_t) {
        if (sampler == 0) throw Error(ErrorKind::failed, "the fake gave up");
        return 2.0;
    });
    const auto method = make_method();
    const auto execution = method->instantiate(plain, {}, device);
    testing::run_execution(*execution, testing::random_workload(plain, 0.5, 1));
    const auto able = candidates(testing::simulated_registry(), sim, DType::f32, plain);
    const ChoiceTable& table = dynamic_cast<const ChoiceByZeros&>(*execution).table();
    ASSERT_EQ(table.lines.size(), able.size());
    EXPECT_EQ(table.lines[0].left_out, "the fake gave up");
    EXPECT_EQ(execution->choice(), able[1]->info().id) << "of equal times the first that has one";

    const auto another = make_method();
    const auto on_no_clock = another->instantiate(plain, {}, gpu());
    try {
        testing::run_execution(*on_no_clock, testing::random_workload(plain, 0.5, 1));
        FAIL() << "the simulated GPU has no clock";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::failed);
        EXPECT_NE(std::string(error.what()).find("ocpa4 has no method left to choose (im2col: the simulated GPU"),
                  std::string::npos)
            << error.what();
    }
}

TEST(Ocpa4, takes_no_launch_configuration) {
    LaunchConfig config;
    config.tunables["split_k"] = 2;
    EXPECT_EQ(make_method()->resolve(plain, config, gpu().info().model).support.reason,
              "ocpa4 takes no launch configuration");
}

TEST(Ocpa4, counts_on_the_gpu_what_the_host_counts) {
    SimGpu simulated;
    const auto pixel1 = make_pixel1(nullptr, nullptr, "");
    const auto fcr1 = make_fcr1(sim, nullptr, nullptr);
    std::size_t i = 0;
    for (const auto& shapes : {testing::random_shapes(30, 8), testing::dilated_and_grouped_shapes(20, 8),
                               testing::fully_connected_shapes(8, 8)})
        for (const ConvShape& shape : shapes) {
            std::vector<ZeroBoxes> kinds{nonzero_boxes(shape), nonzero_pooled_boxes(shape)};
            if (shape.groups == 1) kinds.push_back(boxes_of(*pixel1, shape).value());
            if (shape.groups == 1 && !shape.dilated()) kinds.push_back(union1_boxes(shape));
            if (fcr1->supports(shape)) kinds.push_back(boxes_of(*fcr1, shape).value());
            Tensor x = testing::random_workload(shape, 0, i).x;
            zero_boxes(x, kinds[i % kinds.size()], testing::sparsity_of(i), i);
            std::vector<double> expected;
            for (const ZeroBoxes& boxes : kinds) expected.push_back(flops_of(boxes, x));
            EXPECT_EQ(count_flops(simulated, on_sim::map_launchers(), kinds, x), expected) << to_string(shape);
            ++i;
        }
}

}  // namespace
}  // namespace convscope
