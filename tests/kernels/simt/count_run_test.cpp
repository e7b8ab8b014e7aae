// The cost of a run: the sum over the launches that it makes, and the runs that cannot be counted.
#include "kernels/simt/on_checked/count_run.h"

#include <gtest/gtest.h>

#include "kernels/core/error.h"
#include "kernels/simt/launch_cost.h"
#include "kernels/simt/on_checked/checked_device.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

Workload small_layer() {
    WorkloadSpec spec;
    spec.shape.c = 3;
    spec.shape.k = 4;
    spec.shape.h = spec.shape.w = 9;
    spec.shape.r = spec.shape.s = 3;
    spec.sparsity = 0.5;
    return make_workload(spec);
}

std::string rejection(const std::string& method, const Workload& workload, std::size_t max_steps = 20'000'000) {
    try {
        count_run(method, {}, workload, {}, max_steps);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        return error.what();
    }
    return "counted";
}

TEST(CountRun, is_the_sum_of_its_launches_without_those_of_the_weights) {
    const Workload workload = small_layer();
    const RunCost run = count_run("ecr3", {}, workload, {});
    CheckedDevice device;
    simt::LaunchCounter counter;
    device.checker().recorder = &counter;
    testing::run_method(device.registry().get("ecr3", DeviceKind::sim), workload, device.device());
    RunCost sum;
    bool weights = false;
    for (const simt::LaunchCost& launch : counter.launches()) {
        if (launch.launch.kernel == "transpose_weights_kernel") {
            weights = true;
            continue;
        }
        sum.multiplications += launch.multiply_adds;
        sum.instructions += launch.multiply_instructions;
        sum.requests += launch.global_loads.requests + launch.global_stores.requests + launch.global_atomics.requests;
        sum.sectors += launch.global_loads.sectors + launch.global_stores.sectors + launch.global_atomics.sectors;
        for (const simt::MemoryCost* shared : {&launch.shared_loads, &launch.shared_stores, &launch.shared_atomics}) {
            sum.instructions += shared->requests;
            sum.bank_conflicts += shared->bank_conflicts;
        }
    }
    EXPECT_TRUE(weights);
    EXPECT_EQ(run.multiplications, sum.multiplications);
    EXPECT_EQ(run.instructions, sum.instructions + sum.requests);
    EXPECT_EQ(run.requests, sum.requests);
    EXPECT_EQ(run.sectors, sum.sectors);
    EXPECT_EQ(run.bank_conflicts, sum.bank_conflicts);
    EXPECT_GT(run.multiplications, 0);
}

TEST(CountRun, says_why_a_run_is_not_counted) {
    const Workload workload = small_layer();
    EXPECT_NE(rejection("im2col", workload).find("a library's"), std::string::npos);
    EXPECT_NE(rejection("ecr3", workload, 100).find("more than 100 steps"), std::string::npos);
    EXPECT_NE(rejection("nothing", workload).find("not among those that are watched"), std::string::npos);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(count_run("ecr3", {}, workload, stop.get_token()), Error);
}

}  // namespace
}  // namespace convscope
