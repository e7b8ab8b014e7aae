// A kernel of one's own on the simulated GPU, from the PTX that nvcc made of a sample.
#include "kernels/user_kernel/user_simulation.h"

#include <gtest/gtest.h>

#include <cstring>

#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/reference/reference_result.h"

namespace convscope {
namespace {

WorkloadSpec small_layer() {
    WorkloadSpec spec;
    spec.shape.c = spec.shape.k = 2;
    spec.shape.h = spec.shape.w = 10;
    spec.shape.r = spec.shape.s = 3;
    return spec;
}

std::string bytes_of(int value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

UserLaunch launch_of(const ConvShape& shape) {
    UserLaunch launch{"own/convolution",
                      {},
                      read_text_file(CONVSCOPE_SAMPLES "/convolution.ptx"),
                      "convolution",
                      {1, 1, 2},
                      {16, 16, 1},
                      0,
                      {}};
    launch.arguments = {{"x", UserRole::x, ""}, {"w", UserRole::w, ""}, {"y", UserRole::y, ""}};
    launch.arguments.back().bytes.assign(static_cast<std::size_t>(shape.y_elements()) * sizeof(float), '\xff');
    for (const std::int64_t value : {shape.c, shape.h, shape.w, shape.k, shape.r, shape.s, shape.out_h(), shape.out_w(),
                                     shape.stride_h, shape.pad_h})
        launch.arguments.push_back({"value", UserRole::value, bytes_of(static_cast<int>(value))});
    return launch;
}

UserSimulation made(const UserLaunch& launch, const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    return {launch, Tensor(shape.n, shape.k, shape.out_h(), shape.out_w())};
}

TEST(UserSimulation, has_the_variables_and_the_cluster_of_its_launch) {
    UserLaunch launch{"own/f",
                      {},
                      ".version 8.0\n.target sm_90\n.address_size 64\n.const .align 4 .b8 _ZL2kw[4];\n"
                      ".visible .entry f(.param .u64 y) {\n.reg .b32 %r<6>; .reg .f32 %f<2>; .reg .b64 %rd<4>;\n"
                      "ld.param.u64 %rd1, [y]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %cluster_ctarank;\n"
                      "ld.const.u32 %r3, [_ZL2kw]; add.u32 %r4, %r2, %r3; cvt.rn.f32.u32 %f1, %r4;\n"
                      "mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.f32 [%rd2], %f1; ret;\n}\n",
                      "f",
                      {4, 1, 1},
                      {1, 1, 1},
                      0,
                      {{"y", UserRole::y, std::string(16, '\xff')}}};
    launch.cluster = Dim3{2, 1, 1};
    launch.variables = {{"kw", "_ZL2kw", bytes_of(7)}};
    UserSimulation execution(launch, Tensor(1, 1, 1, 4));
    execution.setup();
    execution.run(nullptr);
    const Tensor y = execution.output();
    EXPECT_EQ(std::vector<float>(y.data.begin(), y.data.end()), (std::vector<float>{7, 8, 7, 8}));
}

TEST(UserSimulation, has_arrays_that_pointers_inside_of_a_structure_point_to) {
    UserLaunch launch{"own/f",
                      {},
                      ".version 8.0\n.target sm_80\n.address_size 64\n"
                      ".visible .entry f(.param .align 8 .b8 p[24]) {\n.reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
                      "ld.param.u32 %r1, [p]; ld.param.u64 %rd1, [p+8]; ld.param.u64 %rd2, [p+16];\n"
                      "ld.global.u32 %r2, [%rd1]; add.u32 %r3, %r1, %r2; st.global.u32 [%rd2], %r3; ret;\n}\n",
                      "f",
                      {1, 1, 1},
                      {1, 1, 1},
                      0,
                      {{"p", UserRole::value, bytes_of(3) + std::string(20, '\0')},
                       {"p.x", UserRole::array, bytes_of(0x3f800000 - 3)},
                       {"p.y", UserRole::y, std::string(4, '\xff')}}};
    launch.arguments[1].pointer = UserArgument::Pointer{0, 8};
    launch.arguments[2].pointer = UserArgument::Pointer{0, 16};
    UserSimulation execution(launch, Tensor(1, 1, 1, 1));
    execution.setup();
    execution.run(nullptr);
    EXPECT_EQ(execution.output().data.front(), 1);
}

TEST(UserSimulation, computes_the_layer_and_counts_what_it_cost) {
    const Workload workload = make_workload(small_layer());
    UserSimulation execution = made(launch_of(workload.spec.shape), workload);
    execution.setup();
    execution.stage_inputs(workload);
    for (int twice = 0; twice < 2; ++twice) execution.run(nullptr);
    const Tensor y = execution.output(), expected = reference_result(workload).y;
    ASSERT_EQ(y.data.size(), expected.data.size());
    for (std::size_t i = 0; i < y.data.size(); ++i) ASSERT_NEAR(y.data[i], expected.data[i], 1e-5) << i;
    const RunCost cost = execution.cost();
    EXPECT_EQ(cost.multiplications, 2 * 8 * 8 * 2 * 9) << "an output each thread, all of its window";
    EXPECT_GT(cost.requests, 0);
    EXPECT_GE(cost.sectors, cost.requests);
    EXPECT_GT(cost.instructions, cost.requests);
    EXPECT_EQ(cost.bank_conflicts, 0) << "it has no shared memory";
}

TEST(UserSimulation, a_finding_is_a_wrong_result_at_its_line) {
    const Workload workload = make_workload(small_layer());
    UserLaunch launch = launch_of(workload.spec.shape);
    launch.arguments[2].bytes.resize(40);
    UserSimulation execution = made(launch, workload);
    execution.setup();
    execution.stage_inputs(workload);
    try {
        execution.run(nullptr);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::wrong);
        EXPECT_NE(std::string(error.what()).find("out_of_bounds convolution.cu:"), std::string::npos) << error.what();
    }
}

TEST(UserSimulation, is_stopped) {
    const Workload workload = make_workload(small_layer());
    std::stop_source source;
    UserSimulation execution = made(launch_of(workload.spec.shape), workload);
    execution.set_stop(source.get_token());
    execution.setup();
    execution.stage_inputs(workload);
    source.request_stop();
    EXPECT_THROW(execution.run(nullptr), Error);
}

}  // namespace
}  // namespace convscope
