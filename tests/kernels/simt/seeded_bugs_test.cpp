// Kernels with one bug each, caught with the right line, and their clean twins, which are not: 'buggy' is the only
// difference between the two. Compiled in the checked dialect.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/simt/dialect.h"
#include "tests/kernels/simt/checked_gpu_test.h"
#include "tests/support/source_line.h"

namespace convscope::on_checked {
namespace {

using simt::Finding;
using simt::FindingKind;

KernelLaunch at(Dim3 grid, Dim3 block, std::size_t shared_bytes = 0) {
    KernelLaunch launch;
    launch.kernel = "seeded";
    launch.grid = grid;
    launch.block = block;
    launch.shared_bytes = shared_bytes;
    return launch;
}

class SeededBug : public CheckedGpuTest {
protected:
    template <class... Parameters, class... Arguments>
    std::optional<Finding> run(void (*kernel)(Parameters...), const KernelLaunch& where,
                               const Arguments&... arguments) {
        try {
            launch(gpu_, kernel, where, arguments...);
        } catch (const Finding& finding) {
            return finding;
        }
        return {};
    }

    /// The buggy kernel is caught at the line marked 'bug: NAME', its twin is not.
    template <class... Parameters, class... Arguments>
    Finding expect_caught(FindingKind kind, const std::string& mark, void (*kernel)(bool, Parameters...),
                          const KernelLaunch& where, const Arguments&... arguments) {
        std::optional<Finding> found;
        for (std::uint64_t seed : {0, 0, 1, 2}) {
            gpu_.checker().options.order_seed = seed;
            const std::optional<Finding> clean = run(kernel, where, false, arguments...);
            EXPECT_FALSE(clean) << clean->what();
            const std::optional<Finding> again = run(kernel, where, true, arguments...);
            if (!again) throw std::runtime_error("the bug was not caught: " + mark);
            EXPECT_TRUE(seed != 0 || !found || std::string(found->what()) == again->what()) << again->what();
            if (seed == 0) found = again;
            EXPECT_EQ(again->kind(), kind) << again->what();
            EXPECT_EQ(again->found().at.line(), marked(mark)) << again->what();
        }
        return *found;
    }
    static unsigned marked(const std::string& mark) {
        return testing::line_of("tests/kernels/simt/seeded_bugs_test.cpp", "bug: " + mark + ".");
    }
};

KERNEL reads_past_the_end(bool buggy, Global<const int> in, Global<int> out) {
    const int thread = threadIdx.x;
    out[thread] = in[thread + (buggy ? 1 : 0)];  // bug: read past the end.
}

TEST_F(SeededBug, global_read_out_of_bounds) {
    const Finding finding = expect_caught(FindingKind::out_of_bounds, "read past the end", reads_past_the_end,
                                          at({1}, {40}), zeros<int>(40), zeros<int>(40));
    EXPECT_STREQ(finding.what(),
                 ("kernel seeded, block (0,0,0): thread (39,0,0) reads global memory[40] at seeded_bugs_test.cpp:" +
                  std::to_string(marked("read past the end")) + ", out of bounds: it has 40 elements")
                     .c_str());
}

KERNEL reads_before_the_start(bool buggy, Global<const int> in, Global<int> out) {
    const Global<const int> middle = in + 4;
    const int thread = threadIdx.x;
    out[thread] = middle[thread - (buggy ? 5 : 4)];  // bug: read before the start.
}

TEST_F(SeededBug, bounds_survive_pointer_arithmetic) {
    const Finding finding = expect_caught(FindingKind::out_of_bounds, "read before the start", reads_before_the_start,
                                          at({1}, {8}), zeros<int>(8), zeros<int>(8));
    EXPECT_EQ(finding.found().thread.x, 0u);
}

KERNEL overruns_its_array(bool buggy) {
    DYNAMIC_SHARED(memory);
    Shared<float> first = memory.take<float>(8);
    Shared<float> second = memory.take<float>(8);
    first[threadIdx.x + (buggy ? 1 : 0)] = 1.0f;  // bug: into the next array.
    __syncthreads();
    second[threadIdx.x] = first[threadIdx.x];
}

TEST_F(SeededBug, shared_write_into_the_next_array) {
    const Finding finding =
        expect_caught(FindingKind::out_of_bounds, "into the next array", overruns_its_array, at({1}, {8}, 64));
    EXPECT_EQ(finding.found().thread.x, 7u);
}

KERNEL takes_too_much(bool buggy) {
    DYNAMIC_SHARED(memory);
    Shared<float> all = memory.take<float>(buggy ? 17 : 16);  // bug: more than the launch has.
    all[threadIdx.x] = 1.0f;
}

TEST_F(SeededBug, more_shared_memory_than_the_launch_has) {
    expect_caught(FindingKind::out_of_bounds, "more than the launch has", takes_too_much, at({1}, {1}, 64));
}

KERNEL reads_unwritten_shared(bool buggy, Global<float> out) {
    SHARED_ARRAY(float, tile, 32);
    if (!buggy || threadIdx.x < 31 || blockIdx.x == 0) tile[threadIdx.x] = 2.0f;
    __syncthreads();
    out[threadIdx.x + 32 * blockIdx.x] = tile[31 - threadIdx.x];  // bug: nobody wrote tile.
}

TEST_F(SeededBug, uninitialised_shared_memory_also_after_a_block_that_wrote_it) {
    const Finding finding = expect_caught(FindingKind::uninitialised, "nobody wrote tile", reads_unwritten_shared,
                                          at({2}, {32}), zeros<float>(64));
    EXPECT_EQ(finding.found().block, (Dim3{1, 0, 0}));
    EXPECT_EQ(finding.found().thread.x, 0u);
    EXPECT_NE(std::string(finding.what()).find("shared tile[31]"), std::string::npos) << finding.what();
}

KERNEL reads_unwritten_global(bool buggy, Global<const float> written, Global<const float> unwritten,
                              Global<float> out) {
    const Global<const float> in = buggy ? unwritten : written;
    out[threadIdx.x] = in[threadIdx.x];  // bug: nobody wrote the input.
}

TEST_F(SeededBug, uninitialised_global_memory_and_poison_counts_as_such) {
    float* poisoned = zeros<float>(32);
    gpu_.fill_bytes(poisoned, 0xff, 32 * sizeof(float));
    for (const float* input : {unwritten<float>(32), poisoned})
        expect_caught(FindingKind::uninitialised, "nobody wrote the input", reads_unwritten_global, at({1}, {32}),
                      zeros<float>(32), input, zeros<float>(32));
}

TEST_F(SeededBug, matrix_products_read_and_write_as_kernels_do) {
    const GemmShape product{2, 2, 2, 2, 2, 2};
    float* result = unwritten<float>(4);
    gpu_.gemm(product, zeros<float>(4), zeros<float>(4), result);
    EXPECT_FALSE(run(reads_unwritten_global, at({1}, {4}), true, zeros<float>(4), result, zeros<float>(4)));
    EXPECT_THROW(gpu_.gemm(product, zeros<float>(4), unwritten<float>(4), result), Finding);
}

KERNEL misses_a_barrier(bool buggy, Global<int> out) {
    SHARED_ARRAY(int, value, 64);
    value[threadIdx.x] = threadIdx.x;  // the other side.
    if (!buggy) __syncthreads();
    out[threadIdx.x] = value[63 - threadIdx.x];  // bug: reads a neighbour's value.
}

TEST_F(SeededBug, shared_race_for_want_of_a_barrier) {
    // Thread by thread, the first to read what another has written is one of the second half.
    int* out = zeros<int>(64);
    EXPECT_FALSE(run(misses_a_barrier, at({1}, {64}), false, out));
    gpu_.checker().options.uninitialised = false;
    const std::optional<Finding> finding = run(misses_a_barrier, at({1}, {64}), true, out);
    ASSERT_TRUE(finding && finding->other());
    EXPECT_EQ(finding->kind(), FindingKind::race) << finding->what();
    const unsigned write = testing::line_of("tests/kernels/simt/seeded_bugs_test.cpp", "// the other side.");
    const std::vector<unsigned> lines{finding->found().at.line(), finding->other()->at.line()};
    EXPECT_EQ(std::min(lines[0], lines[1]), write);
    EXPECT_EQ(std::max(lines[0], lines[1]), marked("reads a neighbour's value"));
    EXPECT_EQ(finding->found().thread.x + finding->other()->thread.x, 63u);
}

KERNEL overwrites_what_another_reads(bool buggy, Global<int> values, Global<int> out) {
    const int thread = threadIdx.x;
    out[thread] = values[0];
    if (!buggy) __syncthreads();
    if (thread == 63) values[0] = 1;  // bug: while others read it.
}

TEST_F(SeededBug, global_write_after_read) {
    int* values = zeros<int>(1);
    int* out = zeros<int>(64);
    EXPECT_FALSE(run(overwrites_what_another_reads, at({1}, {64}), false, values, out));
    const std::optional<Finding> finding = run(overwrites_what_another_reads, at({1}, {64}), true, values, out);
    ASSERT_TRUE(finding && finding->other());
    EXPECT_EQ(finding->found().at.line(), marked("while others read it"));
    EXPECT_EQ(finding->other()->does, "reads");
    EXPECT_NE(finding->other()->thread.x, 63u);
}

KERNEL blocks_meet(bool buggy, Global<int> out) {
    out[buggy ? blockIdx.x / 2 : blockIdx.x] = 1;  // bug: two blocks write one element.
}

TEST_F(SeededBug, race_of_two_blocks) {
    const Finding finding =
        expect_caught(FindingKind::race, "two blocks write one element", blocks_meet, at({4}, {1}), zeros<int>(4));
    ASSERT_TRUE(finding.other());
    EXPECT_EQ(finding.found().block, (Dim3{1, 0, 0}));
    EXPECT_EQ(finding.other()->block, (Dim3{0, 0, 0}));
    EXPECT_EQ(finding.other()->at.line(), marked("two blocks write one element"));
}

KERNEL trusts_the_warp(bool buggy, Global<int> out) {
    SHARED_ARRAY(int, value, 32);
    value[threadIdx.x] = threadIdx.x;
    if (buggy)
        __ballot_sync(0xffffffffu, true);  // orders no memory
    else
        __syncwarp();
    out[threadIdx.x] = value[(threadIdx.x + 1) % 32];  // bug: no __syncwarp.
}

TEST_F(SeededBug, race_inside_a_warp) {
    expect_caught(FindingKind::race, "no __syncwarp", trusts_the_warp, at({1}, {32}), zeros<int>(32));
}

KERNEL syncs_half_a_warp(bool buggy, Global<int> out) {
    SHARED_ARRAY(int, value, 32);
    const int thread = threadIdx.x;
    value[thread] = thread;  // for this half.
    __syncwarp(thread < 16 ? 0x0000ffffu : 0xffff0000u);
    out[thread] = value[buggy ? 31 - thread : thread ^ 1];  // bug: of the other half.
}

TEST_F(SeededBug, syncwarp_of_some_lanes_orders_only_those) {
    gpu_.checker().options.uninitialised = false;  // the other half may not have written yet
    int* out = zeros<int>(32);
    for (std::uint64_t seed : {0, 1, 2}) {
        gpu_.checker().options.order_seed = seed;
        const std::optional<Finding> clean = run(syncs_half_a_warp, at({1}, {32}), false, out);
        EXPECT_FALSE(clean) << clean->what();
        const std::optional<Finding> finding = run(syncs_half_a_warp, at({1}, {32}), true, out);
        ASSERT_TRUE(finding && finding->other());
        EXPECT_EQ(finding->kind(), FindingKind::race) << finding->what();
        const std::vector<unsigned> lines{finding->found().at.line(), finding->other()->at.line()};
        EXPECT_EQ(std::min(lines[0], lines[1]),
                  testing::line_of("tests/kernels/simt/seeded_bugs_test.cpp", "// for this half."));
        EXPECT_EQ(std::max(lines[0], lines[1]), marked("of the other half"));
    }
}

KERNEL passes_it_on(bool buggy, Global<int> out) {
    SHARED_ARRAY(int, value, 1);
    const int thread = threadIdx.x;
    if (thread == 0) value[0] = 7;
    if (thread < 2 && !buggy) __syncwarp(0b011u);
    if (thread == 1 || thread == 2) __syncwarp(0b110u);
    if (thread == 2) out[0] = value[0];
}

TEST_F(SeededBug, lanes_pass_on_what_they_were_ordered_with) {
    gpu_.checker().options.uninitialised = false;
    int* out = zeros<int>(1);
    for (std::uint64_t seed : {0, 1, 2}) {
        gpu_.checker().options.order_seed = seed;
        const std::optional<Finding> clean = run(passes_it_on, at({1}, {32}), false, out);
        EXPECT_FALSE(clean) << clean->what();
        const std::optional<Finding> finding = run(passes_it_on, at({1}, {32}), true, out);
        ASSERT_TRUE(finding);
        EXPECT_EQ(finding->kind(), FindingKind::race) << finding->what();
    }
}

KERNEL reads_beside_atomics(bool buggy, Global<int> total, Global<int> out) {
    atomicAdd(total, 1);  // bug: while others read.
    if (!buggy) __syncthreads();
    out[threadIdx.x] = total[0];
}

TEST_F(SeededBug, atomics_order_only_themselves) {
    expect_caught(FindingKind::race, "while others read", reads_beside_atomics, at({1}, {64}), zeros<int>(1),
                  zeros<int>(64));
}

KERNEL skips_a_barrier(bool buggy) {
    if (!buggy || threadIdx.x < 20) __syncthreads();  // bug: some threads do not come.
}
KERNEL meets_elsewhere(bool buggy) {
    if (buggy && threadIdx.x >= 20)
        __syncthreads();
    else
        __syncthreads();  // bug: others wait elsewhere.
}

TEST_F(SeededBug, barriers_that_not_all_reach) {
    gpu_.checker().options.order_seed = 0;
    const Finding skipped =
        expect_caught(FindingKind::divergent_barrier, "some threads do not come", skips_a_barrier, at({1}, {33}));
    ASSERT_TRUE(skipped.other());
    EXPECT_EQ(skipped.other()->does, "has left the kernel");
    const Finding elsewhere =
        expect_caught(FindingKind::divergent_barrier, "others wait elsewhere", meets_elsewhere, at({1}, {33}));
    ASSERT_TRUE(elsewhere.other());
    EXPECT_EQ(elsewhere.other()->at.line() + 2, elsewhere.found().at.line());
}

KERNEL loads_vectors(bool buggy, Global<const float> in, Global<float> out) {
    const Global<const float4> quads = vectors<const float4>(in + (buggy ? 2 : 4));
    const float4 quad = quads[0];  // bug: starts between two vectors.
    out[0] = quad.x + quad.w;
}

TEST_F(SeededBug, misaligned_vector) {
    expect_caught(FindingKind::misaligned, "starts between two vectors", loads_vectors, at({1}, {1}), zeros<float>(16),
                  zeros<float>(1));
}

KERNEL waits_for_ever(bool buggy, Global<int> flag) {
    flag[0] = buggy ? 0 : 1;
    while (flag[0] == 0) {  // bug: nobody sets the flag.
    }
}

TEST_F(SeededBug, a_kernel_that_never_ends) {
    gpu_.checker().options.step_limit = 10000;
    const Finding finding =
        expect_caught(FindingKind::endless, "nobody sets the flag", waits_for_ever, at({1}, {1}), zeros<int>(1));
    EXPECT_NE(std::string(finding.what()).find("has not ended after 10000 steps"), std::string::npos) << finding.what();
}

KERNEL counts_for_ever(bool buggy, Global<unsigned> out) {
    unsigned odd = threadIdx.x == 3 && buggy ? 1 : 0;
    out[threadIdx.x] = odd;  // bug: the loop behind it never gets to 0.
    while (odd != 0) odd = 2 * odd + 1;
    out[threadIdx.x] = odd;
}

TEST_F(SeededBug, a_loop_that_never_ends_and_touches_nothing) {
    gpu_.checker().options.step_limit = 10000;
    const Finding finding = expect_caught(FindingKind::endless, "the loop behind it never gets to 0", counts_for_ever,
                                          at({1}, {8}), zeros<unsigned>(8));
    EXPECT_EQ(finding.found().thread.x, 3u);
}

KERNEL note_order(Global<int> count, Global<int> order) {
    const int place = atomicAdd(count, 1);
    order[place] = threadIdx.x;
}

TEST_F(SeededBug, thread_order_follows_the_seed) {
    const auto order = [&](std::uint64_t seed) {
        gpu_.checker().options.order_seed = seed;
        const int* noted = zeros<int>(100);
        EXPECT_FALSE(run(note_order, at({1}, {100}), zeros<int>(1), const_cast<int*>(noted)));
        return std::vector<int>(noted, noted + 100);
    };
    const std::vector<int> by_index = order(0), shuffled = order(7);
    EXPECT_TRUE(std::is_sorted(by_index.begin(), by_index.end()));
    EXPECT_NE(shuffled, by_index);
    EXPECT_EQ(shuffled, order(7));
    EXPECT_NE(shuffled, order(8));
    EXPECT_TRUE(std::is_permutation(shuffled.begin(), shuffled.end(), by_index.begin()));
}

}  // namespace
}  // namespace convscope::on_checked
