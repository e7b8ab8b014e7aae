// A method that loses the CUDA context costs one row: the others of its point, and the next point, are measured.
#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/measure/isolated/isolated_measurer.h"
#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/kernels/gpu/illegal_method.h"

namespace convscope {
namespace {

class Isolation : public testing::GpuTest {};

TEST_F(Isolation, an_illegal_access_ends_no_sweep) {
    const auto registry = make_registry();
    registry->add(testing::make_illegal_method());
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    IsolatedMeasurer measurer(*registry, {(here / "faulty_gpu_process").string()});
    PointRequest request;
    request.spec.shape.c = request.spec.shape.k = 8;
    request.spec.shape.h = request.spec.shape.w = 14;
    request.spec.shape.r = request.spec.shape.s = 3;
    request.device = "cuda:0";
    request.options.timeout_s = 0.05;
    request.candidates = {{"im2col", {}}, {"illegal", {}}, {"ecr3", {}}};
    for (int point = 0; point < 2; ++point) {
        const auto rows = measurer.measure(request, {}, {});
        ASSERT_EQ(rows.size(), 3U);
        EXPECT_EQ(rows[0].status, Status::passed) << rows[0].status_reason;
        EXPECT_EQ(rows[1].status, Status::runtime_error);
        EXPECT_NE(rows[1].status_reason.find("illegal memory access"), std::string::npos) << rows[1].status_reason;
        EXPECT_EQ(rows[2].status, Status::passed) << rows[2].status_reason;
    }
}

}  // namespace
}  // namespace convscope
