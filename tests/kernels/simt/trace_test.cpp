// Traces of kernels whose cost can be counted by hand, and of the papers' examples. Compiled in the checked dialect,
// with its flags.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "kernels/simt/block_cost.h"
#include "kernels/simt/dialect.h"
#include "kernels/simt/kernel_sources.h"
#include "tests/kernels/simt/checked_gpu_test.h"
#include "tests/support/paper_examples.h"
#include "tests/support/run_method.h"

namespace convscope::on_checked {
namespace {

using simt::BlockCost;
using simt::BlockTrace;
using simt::EventKind;
using simt::Request;
using simt::Space;

class Traced : public CheckedGpuTest {
protected:
    template <class... Parameters, class... Arguments>
    BlockTrace trace(void (*kernel)(Parameters...), Dim3 block, const Arguments&... arguments) {
        KernelLaunch where;
        where.kernel = "traced";
        where.block = block;
        simt::Recorder recorder("traced", {0, 0, 0}, 1'000'000);
        gpu_.checker().recorder = &recorder;
        launch(gpu_, kernel, where, arguments...);
        return *recorder.trace();
    }
};

KERNEL copies(Global<const float> in, Global<float> out, int stride, int offset) {
    out[threadIdx.x] = in[threadIdx.x * stride + offset];
}

TEST_F(Traced, sectors_and_lines_of_a_global_request) {
    struct Pattern {
        int stride, offset;
        unsigned sectors, lines, wanted;
    };
    float *in = zeros<float>(2000), *out = zeros<float>(32);
    for (const Pattern& p : {Pattern{1, 0, 4, 1, 128}, Pattern{1, 1, 5, 2, 128}, Pattern{8, 0, 32, 8, 128},
                             Pattern{32, 0, 32, 32, 128}, Pattern{2, 0, 8, 2, 128}, Pattern{0, 7, 1, 1, 4}}) {
        const BlockCost cost = cost_of(trace(copies, {32}, in, out, p.stride, p.offset));
        ASSERT_EQ(cost.requests.size(), 2u);
        const Request& load = cost.requests[0];
        EXPECT_EQ(load.sectors, p.sectors) << p.stride;
        EXPECT_EQ(load.lines, p.lines) << p.stride;
        EXPECT_EQ(load.bytes_wanted, p.wanted) << p.stride;
        EXPECT_EQ(cost.requests[1].kind, EventKind::store);
        EXPECT_EQ(cost.requests[1].sectors, 4u);
        EXPECT_EQ(cost.warps[0].global.bytes_moved(), 32 * (p.sectors + 4));
        EXPECT_EQ(cost.outputs_written, 32);
    }
}

KERNEL walks_shared(Global<float> out, int stride) {
    SHARED_ARRAY(float, tile, 32 * 33);
    for (int i = threadIdx.x; i < 32 * 33; i += 32) tile[i] = 1.0f;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * stride];
}

TEST_F(Traced, wavefronts_of_a_shared_request) {
    float* out = zeros<float>(32);
    for (const auto& [stride, wavefronts] :
         std::vector<std::pair<int, unsigned>>{{0, 1}, {1, 1}, {2, 2}, {3, 1}, {4, 4}, {16, 16}, {32, 32}, {33, 1}}) {
        const BlockCost cost = cost_of(trace(walks_shared, {32}, out, stride));
        ASSERT_EQ(cost.requests.size(), 33u + 2u);
        EXPECT_EQ(cost.requests[33].space, Space::shared);
        EXPECT_EQ(cost.requests[33].wavefronts.count, wavefronts) << stride;
        EXPECT_EQ(cost.requests[33].wavefronts.conflicts, wavefronts - 1) << stride;
        EXPECT_EQ(cost.barriers, 1);
    }
}

// The shape of our kernels: a window of which a lane may skip any element, then a loop as long as what it kept.
KERNEL keeps_some(Global<const int> wanted, Global<int> kept, Global<float> sums) {
    const int thread = threadIdx.x;
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        if (i < thread) {
            const int value = wanted[4 * thread + i];
            if (value != 0) {
                kept[4 * thread + count] = i;
                ++count;
            }
        }
    }
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) sum = fmaf(2.0f, 1.0f, sum);
    sums[thread] = sum;
}

TEST_F(Traced, lanes_that_diverge_come_together_again) {
    // Thread t looks at its first t elements and keeps: none, none, the second, both first ones.
    int* wanted = zeros<int>(16);
    for (int at : {9, 12, 13}) wanted[at] = 1;
    const BlockTrace traced = trace(keeps_some, {4}, wanted, zeros<int>(16), zeros<float>(4));
    const BlockCost cost = cost_of(traced);
    std::vector<std::pair<EventKind, unsigned>> seen;
    for (const Request& request : cost.requests) seen.emplace_back(request.kind, request.lanes);
    const std::vector<std::pair<EventKind, unsigned>> expected{
        {EventKind::load, 0b1110},  {EventKind::store, 0b1000},  // i = 0
        {EventKind::load, 0b1100},  {EventKind::store, 0b1100},  // i = 1
        {EventKind::load, 0b1000},                               // i = 2
        {EventKind::store, 0b1111},                              // sums
    };
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(cost.warps[0].multiplications, (std::vector<std::int64_t>{0, 0, 1, 2}));
    EXPECT_EQ(cost.multiplications, 3);
}

KERNEL loads_quads(Global<const float> in, Global<float> out, Global<int> total) {
    const Global<const float4> quads = vectors<const float4>(in);
    const int thread = threadIdx.x;
    const float4 quad = quads[thread];
    out[thread] = quad.y;
    atomicAdd(total, thread + 1);
}

TEST_F(Traced, vectors_come_with_all_their_values_and_atomics_with_what_they_leave) {
    std::vector<float> values(16);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 10.0f + static_cast<float>(i);
    float* in = zeros<float>(values.size());
    gpu_.upload(in, values.data(), values.size() * sizeof(float));
    const BlockTrace traced = trace(loads_quads, {4}, in, zeros<float>(4), zeros<int>(1));
    int vectors = 0, total = 0;
    for (const simt::TraceEvent& event : traced.events) {
        if (event.kind == EventKind::atomic) {
            EXPECT_EQ(traced.value(event), total);
            total += event.thread + 1;
            EXPECT_EQ(traced.left(event), total);
        }
        if (event.kind != EventKind::load) continue;
        ++vectors;
        EXPECT_EQ(event.bytes, 16);
        EXPECT_EQ(event.index, 4 * event.thread);
        ASSERT_EQ(event.elements, 4);
        for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(traced.value(event, i), values[4u * event.thread + i]);
    }
    EXPECT_EQ(vectors, 4);
    EXPECT_EQ(total, 10);
    const BlockCost cost = cost_of(traced);
    EXPECT_EQ(cost.requests[0].bytes_wanted, 64u);
    EXPECT_EQ(cost.requests[0].sectors, 2u);
}

TEST_F(Traced, a_block_with_too_many_steps_is_rejected) {
    KernelLaunch where;
    where.kernel = "traced";
    where.block = {32};
    simt::Recorder recorder("traced", {0, 0, 0}, 50);
    gpu_.checker().recorder = &recorder;
    try {
        launch(gpu_, copies, where, zeros<float>(32), zeros<float>(32), 1, 0);
        FAIL() << "no exception";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_NE(std::string(error.what()).find("more than 50 steps"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("the last at trace_test.cpp:"), std::string::npos) << error.what();
    }
}

BlockTrace trace_example(const char* method, const char* kernel, const char* example, const Dim3& block) {
    CheckedDevice device;
    simt::Recorder recorder(kernel, block, 1'000'000);
    device.checker().recorder = &recorder;
    testing::run_method(device.registry().get(method, DeviceKind::sim), testing::example_workload(example),
                        device.device());
    return *recorder.trace();
}

/// The values stored into an array, thread after thread.
std::vector<float> stored(const BlockTrace& trace, const std::string& array) {
    std::vector<float> values;
    for (unsigned thread = 0; thread < trace.threads(); ++thread)
        for (const simt::TraceEvent& event : trace.events)
            if (event.thread == thread && event.kind == EventKind::store &&
                trace.arrays[static_cast<std::size_t>(event.array)].name == array)
                values.push_back(static_cast<float>(event.value));
    return values;
}

TEST(TracedExamples, ecr1_fills_the_arrays_of_figure_4) {
    const auto& example = testing::paper_examples()["ecr_figure_4"];
    const BlockTrace trace = trace_example("ecr1", "ecr1", "ecr_figure_4", {0, 0, 0});
    EXPECT_EQ(stored(trace, "F_data"), testing::numbers(example["B1"]["F_data"]));
    EXPECT_EQ(stored(trace, "K_data"), testing::numbers(example["B1"]["K_data"]));
    EXPECT_EQ(stored(trace, "Ptr"), (std::vector<float>{3, 4, 3}));
    const BlockCost cost = cost_of(trace);
    EXPECT_EQ(cost.multiplications, 10) << "the figure that the paper gives for B1";
    EXPECT_EQ(cost.warps[0].multiplications, (std::vector<std::int64_t>{3, 4, 3}));
    // Nine elements of the window, read by three lanes at a time.
    EXPECT_EQ(std::count_if(cost.requests.begin(), cost.requests.end(),
                            [&](const Request& r) {
                                return trace.arrays[static_cast<std::size_t>(r.array)].name == "x" &&
                                       std::popcount(r.lanes) == 3;
                            }),
              9);
}

TEST(TracedExamples, names_follow_the_kernels_parameters) {
    const BlockTrace trace = trace_example("ecr3", "ecr3_convert", "ecr_figure_4", {0, 0, 0});
    std::vector<std::string> names;
    for (const simt::TraceArray& array : trace.arrays) names.push_back(array.name);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"Ptr", "positions", "values", "x"}));
    for (const simt::TraceEvent& event : trace.events) EXPECT_GE(event.index, 0);
    EXPECT_EQ(simt::source_path(trace.sources[0]), "kernels/simt/feature_map.h");
    EXPECT_NE(simt::source_line(trace.sources[0]).find("value = x["), std::string::npos);
}

TEST(TracedExamples, the_recorded_block_can_be_run_alone) {
    const BlockTrace whole = trace_example("pecr2", "pecr2", "pecr_figures_7_8", {0, 0, 0});
    CheckedDevice device;
    simt::Recorder recorder("pecr2", {0, 0, 0}, 1'000'000);
    device.checker().recorder = &recorder;
    device.checker().options.only_recorded = true;
    EXPECT_THROW(testing::run_method(device.registry().get("pecr2", DeviceKind::sim),
                                     testing::example_workload("pecr_figures_7_8"), device.device()),
                 simt::TraceComplete);
    EXPECT_EQ(recorder.trace()->events.size(), whole.events.size());
}

TEST(TracedExamples, tracing_twice_gives_the_same) {
    const BlockTrace one = trace_example("pecr2", "pecr2", "pecr_figures_7_8", {0, 0, 0});
    const BlockTrace two = trace_example("pecr2", "pecr2", "pecr_figures_7_8", {0, 0, 0});
    ASSERT_EQ(one.events.size(), two.events.size());
    for (std::size_t i = 0; i < one.events.size(); ++i) {
        EXPECT_EQ(one.events[i].kind, two.events[i].kind);
        EXPECT_EQ(one.events[i].index, two.events[i].index);
        EXPECT_EQ(one.events[i].value, two.events[i].value);
    }
    EXPECT_EQ(cost_of(one).requests.size(), cost_of(two).requests.size());
}

}  // namespace
}  // namespace convscope::on_checked
