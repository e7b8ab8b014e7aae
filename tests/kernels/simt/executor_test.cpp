// The executor on kernels small enough to check by hand.
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/simt/dialect.h"

namespace convscope::on_sim {
namespace {

KernelLaunch at(const char* name, Dim3 grid, Dim3 block, std::size_t shared_bytes = 0) {
    KernelLaunch launch;
    launch.kernel = name;
    launch.grid = grid;
    launch.block = block;
    launch.shared_bytes = shared_bytes;
    return launch;
}

template <class... Parameters, class... Arguments>
void run(void (*kernel)(Parameters...), const KernelLaunch& where, const Arguments&... arguments) {
    simt::run_grid(where, [&] { kernel(Parameters(arguments)...); });
}

template <class... Parameters, class... Arguments>
std::string failure(void (*kernel)(Parameters...), const KernelLaunch& where, const Arguments&... arguments) {
    try {
        run(kernel, where, arguments...);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::failed);
        return error.what();
    }
    return {};
}

KERNEL write_index(Global<int> out) {
    const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * static_cast<int>(blockDim.x * blockDim.y * blockDim.z) + thread] += block * 1000 + thread;
}

TEST(Executor, runs_every_thread_of_every_block_once) {
    const Dim3 grid{5, 3, 2}, block{3, 5, 2};
    std::vector<int> out(static_cast<std::size_t>(grid.count() * block.count()), 0);
    run(write_index, at("write_index", grid, block), out.data());
    for (int i = 0; i < static_cast<int>(out.size()); ++i) EXPECT_EQ(out[i], i / 30 * 1000 + i % 30);
}

// Reverses a block's elements through dynamic shared memory, then adds the neighbour's through a static array.
KERNEL reverse_and_add(Global<const int> in, Global<int> out) {
    const int count = blockDim.x, thread = threadIdx.x, first = blockIdx.x * blockDim.x;
    DYNAMIC_SHARED(memory);
    Shared<int> reversed = memory.take<int>(count);
    Shared<int> doubled = memory.take<int>(count);
    SHARED_ARRAY(int, total, 1);
    reversed[count - 1 - thread] = in[first + thread];
    if (thread == 0) total[0] = 100;
    __syncthreads();
    doubled[thread] = 2 * reversed[thread];
    __syncthreads();
    out[first + thread] = doubled[(thread + 1) % count] + total[0];
}

TEST(Executor, shared_memory_and_barriers_connect_the_threads_of_a_block) {
    for (int threads : {1, 31, 32, 33, 100, 1024}) {
        const int blocks = 20;
        std::vector<int> in(static_cast<std::size_t>(threads * blocks)), out(in.size());
        std::iota(in.begin(), in.end(), 0);
        run(reverse_and_add, at("reverse_and_add", {blocks}, {threads}, 2 * sizeof(int) * threads), in.data(),
            out.data());
        for (int b = 0; b < blocks; ++b)
            for (int t = 0; t < threads; ++t)
                ASSERT_EQ(out[b * threads + t], 2 * (b * threads + threads - 1 - (t + 1) % threads) + 100);
    }
}

KERNEL warp_sum(Global<int> out) {
    int value = threadIdx.x;
    for (int by = 16; by > 0; by /= 2) value += __shfl_down_sync(0xffffffffu, value, by);
    out[threadIdx.x] = __shfl_sync(0xffffffffu, value, 0);
}

TEST(Executor, shuffles_sum_a_warp) {
    std::vector<int> out(96);
    run(warp_sum, at("warp_sum", {1}, {96}), out.data());
    for (int t = 0; t < 96; ++t) EXPECT_EQ(out[t], 496 + t / 32 * 32 * 32);
}

KERNEL shuffle_kinds(Global<float> up, Global<float> exchanged, Global<float> segment) {
    const float value = threadIdx.x;
    up[threadIdx.x] = __shfl_up_sync(0xffffffffu, value, 3);
    exchanged[threadIdx.x] = __shfl_xor_sync(0xffffffffu, value, 5);
    segment[threadIdx.x] = __shfl_sync(0xffffffffu, value, 2, 8);
}

TEST(Executor, shuffles_follow_cudas_rules) {
    std::vector<float> up(32), exchanged(32), segment(32);
    run(shuffle_kinds, at("shuffle_kinds", {1}, {32}), up.data(), exchanged.data(), segment.data());
    for (int t = 0; t < 32; ++t) {
        EXPECT_EQ(up[t], t < 3 ? t : t - 3);
        EXPECT_EQ(exchanged[t], t ^ 5);
        EXPECT_EQ(segment[t], t / 8 * 8 + 2);
    }
}

KERNEL votes(Global<unsigned> ballot, Global<int> any, Global<int> all) {
    const int thread = threadIdx.x;
    ballot[thread] = __ballot_sync(0xffffffffu, thread % 3 == 0);
    any[thread] = __any_sync(0xffffffffu, thread == 33);
    all[thread] = __all_sync(0xffffffffu, thread < 32);
    // Half a warp votes on its own.
    if (thread % 32 < 16) ballot[thread] |= __ballot_sync(0x0000ffffu, true) << 16;
}

TEST(Executor, votes_cover_the_lanes_of_the_warp_that_exist) {
    std::vector<unsigned> ballot(40);
    std::vector<int> any(40), all(40);
    run(votes, at("votes", {1}, {40}), ballot.data(), any.data(), all.data());
    EXPECT_EQ(ballot[31], 0x49249249u);
    EXPECT_EQ(ballot[0] & 0xffff0000u, 0xffff0000u);
    EXPECT_EQ(ballot[39] & 0xffu, 0b10010010u);  // lanes 1, 4 and 7 are threads 33, 36 and 39
    for (int t = 0; t < 40; ++t) {
        EXPECT_EQ(any[t], t >= 32);
        EXPECT_EQ(all[t], t < 32);
    }
}

KERNEL count_up(Global<int> total, Global<int> largest) {
    atomicAdd(total, 1);
    atomicMax(largest, static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x));
}

TEST(Executor, atomics_hold_across_blocks) {
    int total = 0, largest = -1;
    run(count_up, at("count_up", {200}, {64}), &total, &largest);
    EXPECT_EQ(total, 200 * 64);
    EXPECT_EQ(largest, 200 * 64 - 1);
}

KERNEL read_unwritten(Global<float> out) {
    DYNAMIC_SHARED(memory);
    Shared<float> a = memory.take<float>(1);
    out[blockIdx.x] = a[0];
    a[0] = 1;
}

TEST(Executor, shared_memory_starts_as_nan) {
    std::vector<float> out(3, 0.f);
    run(read_unwritten, at("read_unwritten", {3}, {1}, 4), out.data());
    for (float value : out) EXPECT_TRUE(std::isnan(value));
}

KERNEL barrier_that_some_skip() {
    if (threadIdx.x < 20) __syncthreads();
}
KERNEL warp_operation_that_some_skip(Global<int> out) {
    if (threadIdx.x != 7) out[threadIdx.x] = __any_sync(0xffffffffu, true);
    __syncthreads();
}

TEST(Executor, divergent_barriers_are_errors_not_hangs) {
    const std::string barrier = failure(barrier_that_some_skip, at("skips", {4}, {33}));
    EXPECT_NE(barrier.find("kernel skips, block (0,0,0): thread (0,0,0) waits at the block's barrier"),
              std::string::npos)
        << barrier;
    EXPECT_NE(barrier.find("thread (20,0,0) has left the kernel"), std::string::npos) << barrier;
    std::vector<int> out(64);
    const std::string vote = failure(warp_operation_that_some_skip, at("votes", {1}, {64}), out.data());
    EXPECT_NE(vote.find("waits in a warp-wide operation"), std::string::npos) << vote;
    EXPECT_NE(vote.find("thread (7,0,0) waits at the block's barrier"), std::string::npos) << vote;
}

KERNEL throws_in_block_three() {
    __syncthreads();
    if (blockIdx.x >= 3 && threadIdx.x == 1) throw std::out_of_range("block " + std::to_string(blockIdx.x));
    __syncthreads();
}

TEST(Executor, passes_on_the_exception_of_the_first_block_and_stays_usable) {
    for (int round = 0; round < 3; ++round) {
        try {
            run(throws_in_block_three, at("throws", {100}, {8}));
            FAIL() << "no exception";
        } catch (const std::out_of_range& error) {
            EXPECT_STREQ(error.what(), "block 3");
        }
        std::vector<int> out(96);
        run(warp_sum, at("warp_sum", {1}, {96}), out.data());
        EXPECT_EQ(out[0], 496);
    }
}

}  // namespace
}  // namespace convscope::on_sim
