// The sparse products on a GPU: layers much larger than random shapes, rows of very different length, every
// launch.
#include <gtest/gtest.h>

#include <string>

#include "tests/kernels/gpu/method_on_gpu.h"

namespace convscope {
namespace {

class SpmmOnGpu : public testing::MethodOnGpu<testing::GpuTest> {};

TEST_P(SpmmOnGpu, agrees_with_the_reference_on_layers_in_every_launch_configuration) {
    testing::Random random(38);
    const ConvShape wide{.c = 64, .h = 56, .w = 56, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const ConvShape deep{.n = 2, .c = 512, .h = 14, .w = 14, .k = 130, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const ConvShape connected{.n = 3, .c = 9216, .k = 1000};
    for (const ConvShape& shape : {wide, deep, connected}) {
        const Workload workload = testing::random_workload(shape, 0.8, 6);
        const ReferenceResult reference = reference_result(workload);
        expect_right(workload, reference);
        for (int i = 0; i < 20 && !HasFailure(); ++i)
            expect_right(workload, reference, testing::random_config(random, method(), shape));
    }
}

TEST_P(SpmmOnGpu, agrees_with_the_reference_where_rows_differ_in_length) {
    const ConvShape shape{.c = 700, .h = 28, .w = 28, .k = 96};
    for (const double sparsity : {0.0, 0.9, 1.0}) {
        Workload workload = testing::random_workload(shape, sparsity, 4);
        for (std::int64_t c = 0; c < shape.c; ++c) {
            workload.x.at(0, c, 3, 5) = 1;
            for (std::int64_t w = 0; w < shape.w; ++w) workload.x.at(0, c, 20, w) = 0;
        }
        expect_right(workload, reference_result(workload));
    }
}

INSTANTIATE_TEST_SUITE_P(All, SpmmOnGpu, ::testing::Values("csr2", "csr3", "ell1", "bitmap1", "bsr1", "coo1"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace convscope
