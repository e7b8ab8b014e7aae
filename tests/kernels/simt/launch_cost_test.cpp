// The sums over whole launches, counted by hand and against the single blocks' costs. Compiled in the checked dialect,
// with its flags.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/simt/dialect.h"
#include "kernels/simt/launch_cost.h"
#include "tests/kernels/simt/checked_gpu_test.h"
#include "tests/support/run_method.h"
#include "tests/support/test_name.h"

namespace convscope::on_checked {
namespace {

using simt::LaunchCost;
using simt::LaunchCounter;
using simt::MemoryCost;

/// Every thread reads every eighth float, turns a pair of words round in shared memory, adds up, and counts itself.
KERNEL each_thing_once(Global<const float> in, Global<float> out, Global<int> threads) {
    SHARED_ARRAY(float, pairs, 96);
    SHARED_ARRAY(int, here, 1);
    const int thread = threadIdx.x;
    if (thread == 0) here[0] = 0;
    pairs[2 * thread] = in[8 * thread];
    __syncthreads();
    const float value = pairs[2 * thread];
    atomicAdd(here + 0, 1);
    out[blockIdx.x * blockDim.x + thread] = fmaf(value, 2.0f, fmaf(value, value, 1.0f));
    __syncthreads();
    if (thread == 0) {
        const int counted = here[0];
        atomicAdd(threads + 0, counted);
    }
}

class Counted : public CheckedGpuTest {
protected:
    void launch_blocks(std::int64_t blocks, int* threads) {
        KernelLaunch where;
        where.kernel = "each_thing_once";
        where.grid = {blocks};
        where.block = {48};
        launch(gpu_, each_thing_once, where, zeros<float>(8 * 48), zeros<float>(48 * static_cast<std::size_t>(blocks)),
               threads);
    }
};

void expect_global(const MemoryCost& cost, std::int64_t requests, std::int64_t lanes, std::int64_t sectors,
                   std::int64_t lines, std::int64_t wanted) {
    EXPECT_EQ(cost.requests, requests);
    EXPECT_EQ(cost.active_lanes, lanes);
    EXPECT_EQ(cost.sectors, sectors);
    EXPECT_EQ(cost.lines, lines);
    EXPECT_EQ(cost.bytes_wanted, wanted);
    EXPECT_EQ(cost.wavefronts, 0);
}

void expect_shared(const MemoryCost& cost, std::int64_t requests, std::int64_t lanes, std::int64_t wavefronts) {
    EXPECT_EQ(cost.requests, requests);
    EXPECT_EQ(cost.active_lanes, lanes);
    EXPECT_EQ(cost.wavefronts, wavefronts);
    EXPECT_EQ(cost.sectors, 0);
}

TEST_F(Counted, every_block_of_a_launch_to_the_digit) {
    LaunchCounter counter;
    gpu_.checker().recorder = &counter;
    int* threads = zeros<int>(1);
    launch_blocks(3, threads);
    launch_blocks(1, threads);
    EXPECT_EQ(threads[0], 4 * 48);

    ASSERT_EQ(counter.launches().size(), 2u);
    for (const LaunchCost& cost : counter.launches()) {
        // A block is a warp of 32 lanes and one of 16.
        const std::int64_t blocks = cost.launch.grid.x;
        EXPECT_EQ(cost.launch.kernel, "each_thing_once");
        EXPECT_EQ(cost.multiply_adds, 2 * 48 * blocks);
        EXPECT_EQ(cost.barriers, 2 * blocks);
        // 32 bytes apart: a sector for each lane, four to a line.
        expect_global(cost.global_loads, 2 * blocks, 48 * blocks, 48 * blocks, 12 * blocks, 4 * 48 * blocks);
        // Adjacent; the second block's begin in the middle of a line, at byte 192, and its first warp crosses into the
        // next.
        const std::int64_t lines = blocks == 3 ? 2 + 3 + 2 : 2;
        expect_global(cost.global_stores, 2 * blocks, 48 * blocks, 6 * blocks, lines, 4 * 48 * blocks);
        expect_global(cost.global_atomics, blocks, blocks, blocks, blocks, 4 * blocks);
        // Two words apart: 32 lanes meet on 16 banks, 16 lanes on a bank each. 'here' is one word more, alone.
        expect_shared(cost.shared_stores, 3 * blocks, 49 * blocks, (2 + 1 + 1) * blocks);
        expect_shared(cost.shared_loads, 3 * blocks, 49 * blocks, (2 + 1 + 1) * blocks);
        // Every lane adds to 'here', one after the other.
        expect_shared(cost.shared_atomics, 2 * blocks, 48 * blocks, 48 * blocks);
    }
}

TEST_F(Counted, nothing_before_the_first_launch) {
    EXPECT_TRUE(LaunchCounter().launches().empty());
}

TEST_F(Counted, a_block_with_too_many_steps_is_rejected) {
    LaunchCounter counter(100);
    gpu_.checker().recorder = &counter;
    try {
        launch_blocks(1, zeros<int>(1));
        FAIL() << "no exception";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_NE(std::string(error.what()).find("block (0,0,0) of each_thing_once takes more than 100 steps"),
                  std::string::npos)
            << error.what();
    }
}

/// Each method's launches, block by block.
class CountedMethod : public ::testing::TestWithParam<std::string> {};

TEST_P(CountedMethod, the_sum_is_that_of_the_single_blocks) {
    CheckedDevice device;
    const Method& method = device.registry().get(GetParam(), DeviceKind::sim);
    WorkloadSpec spec;
    spec.shape.h = spec.shape.w = 9;
    spec.shape.r = spec.shape.s = 3;
    spec.shape.pool_h = spec.shape.pool_w = spec.shape.pool_stride = 2;
    spec.sparsity = 0.5;
    if (Support support = method.supports(spec.shape); !support) GTEST_SKIP() << support.reason;
    const Workload workload = make_workload(spec);
    LaunchCounter counter;
    device.checker().recorder = &counter;
    testing::run_method(method, workload, device.device());

    std::vector<std::string> counted;
    for (const LaunchCost& whole : counter.launches()) {
        // A block can be traced of a kernel's first launch.
        if (std::find(counted.begin(), counted.end(), whole.launch.kernel) != counted.end()) continue;
        counted.push_back(whole.launch.kernel);
        LaunchCost sum;
        const Dim3& grid = whole.launch.grid;
        for (Dim3 block{0, 0, 0}; block.z < grid.z; ++block.z)
            for (block.y = 0; block.y < grid.y; ++block.y)
                for (block.x = 0; block.x < grid.x; ++block.x) {
                    simt::Recorder recorder(whole.launch.kernel, block, 1'000'000);
                    device.checker().recorder = &recorder;
                    testing::run_method(method, workload, device.device());
                    sum.add(cost_of(*recorder.trace()));
                }
        EXPECT_GT(whole.global_stores.requests + whole.global_atomics.requests, 0) << whole.launch.kernel;
        EXPECT_EQ(whole.global_loads.sectors, sum.global_loads.sectors) << whole.launch.kernel;
        EXPECT_EQ(whole.global_stores.sectors, sum.global_stores.sectors) << whole.launch.kernel;
        EXPECT_EQ(whole.global_atomics.sectors, sum.global_atomics.sectors) << whole.launch.kernel;
        EXPECT_EQ(whole.shared_loads.wavefronts, sum.shared_loads.wavefronts) << whole.launch.kernel;
        EXPECT_EQ(whole.shared_stores.wavefronts, sum.shared_stores.wavefronts) << whole.launch.kernel;
        EXPECT_EQ(whole.multiply_adds, sum.multiply_adds) << whole.launch.kernel;
        EXPECT_EQ(whole.barriers, sum.barriers) << whole.launch.kernel;
    }
    EXPECT_FALSE(counted.empty());
}

std::vector<std::string> clean_ids() {
    const CheckedDevice device;
    std::vector<std::string> ids;
    for (const Method* method : device.registry().methods(DeviceKind::sim))
        if (!method->info().as_printed) ids.push_back(method->info().id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(All, CountedMethod, ::testing::ValuesIn(clean_ids()),
                         [](const auto& test) { return testing::test_name(test.param); });

}  // namespace
}  // namespace convscope::on_checked
