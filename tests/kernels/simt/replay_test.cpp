// Walking through traces: the same state on every way to a step, and the papers' examples, slot by slot.
#include "kernels/simt/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "kernels/core/random.h"
#include "kernels/simt/kernel_sources.h"
#include "kernels/simt/on_checked/trace_block.h"
#include "tests/support/paper_examples.h"

namespace convscope::simt {
namespace {

using testing::numbers;
using testing::paper_examples;

Replay replay_of(const char* method, const char* example, const Dim3& block, const char* kernel = "") {
    const Workload workload = testing::example_workload(example);
    TraceRequest request;
    request.workload = workload.spec;
    request.method = method;
    request.kernel = kernel;
    request.block = block;
    TraceResult result = trace_block(request, workload);
    EXPECT_FALSE(result.finding);
    return Replay(std::move(result.trace));
}

Replay replay_of_layer(const char* method, const char* kernel) {
    TraceRequest request;
    request.workload.shape = {.n = 1, .c = 5, .h = 9, .w = 9, .k = 7, .r = 3, .s = 3};
    request.workload.shape.pool_h = request.workload.shape.pool_w = request.workload.shape.pool_stride = 2;
    request.workload.sparsity = 0.6;
    request.method = method;
    request.kernel = kernel;
    TraceResult result = trace_block(request);
    EXPECT_FALSE(result.finding);
    return Replay(std::move(result.trace));
}

std::size_t array_named(const Replay& replay, const std::string& name) {
    const auto& arrays = replay.trace().arrays;
    const auto found =
        std::find_if(arrays.begin(), arrays.end(), [&](const auto& array) { return array.name == name; });
    if (found == arrays.end()) throw std::runtime_error("no array " + name);
    return static_cast<std::size_t>(found - arrays.begin());
}

/// The elements of an array that the block has written, in the order of their places.
std::vector<float> written(Replay& replay, const std::string& name, std::size_t done) {
    const std::size_t array = array_named(replay, name);
    const ArrayState& state = replay.state(done).arrays[array];
    std::vector<float> values;
    for (std::int64_t i = 0; i < replay.trace().arrays[array].elements; ++i)
        if (const ElementState element = state.at(i); element.written_by_block)
            values.push_back(static_cast<float>(element.value));
    return values;
}

void expect_same_from_everywhere(Replay replay) {
    ASSERT_GT(replay.size(), 10u);
    std::vector<ReplayState> forwards;
    for (std::size_t i = 0; i <= replay.size(); ++i) forwards.push_back(replay.state(i));
    for (std::size_t i = 1; i <= replay.size(); ++i) ASSERT_FALSE(forwards[i] == forwards[i - 1]) << i;
    for (std::size_t i = replay.size() + 1; i-- > 0;) ASSERT_TRUE(replay.state(i) == forwards[i]) << i << " backwards";
    Random random(7, Stream{1});
    for (int jump = 0; jump < 200; ++jump) {
        const auto i = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(replay.size()) + 1));
        ASSERT_TRUE(replay.state(i) == forwards[i]) << i << " by jumping";
    }
    Replay another(replay.trace());
    const std::size_t middle = replay.size() / 2;
    EXPECT_TRUE(another.state(middle) == forwards[middle]) << "at once";
}

TEST(Replay, reaches_the_same_state_on_every_way) {
    expect_same_from_everywhere(replay_of("ecr1", "ecr_figure_4", {0, 0, 0}));
    expect_same_from_everywhere(replay_of("ecr2", "ecr_figure_4", {0, 0, 0}));
    expect_same_from_everywhere(replay_of("pecr2", "pecr_figures_7_8", {0, 0, 0}));
    expect_same_from_everywhere(replay_of_layer("pecr3", "pecr3_convert"));
    expect_same_from_everywhere(replay_of_layer("pecr3", "pecr3_multiply"));
}

TEST(Replay, every_event_but_basic_blocks_is_in_one_moment) {
    for (const char* kernel : {"pecr3_convert", "pecr3_multiply"}) {
        const Replay replay = replay_of_layer("pecr3", kernel);
        std::vector<int> seen(replay.trace().events.size());
        for (std::size_t i = 0; i < replay.size(); ++i) {
            const ReplayStep& step = replay.at(i);
            ASSERT_EQ(static_cast<std::size_t>(std::popcount(step.lanes)), step.events.size());
            for (const std::uint32_t number : step.events) {
                const TraceEvent& event = replay.trace().events[number];
                ++seen[number];
                EXPECT_EQ(event.kind, step.kind);
                EXPECT_EQ(event.source, step.source);
                EXPECT_EQ(event.thread / 32, step.warp);
                EXPECT_TRUE(step.lanes >> event.thread % 32 & 1);
            }
            if (i == 0) continue;
            const ReplayStep& before = replay.at(i - 1);
            EXPECT_TRUE(before.phase < step.phase || (before.phase == step.phase && before.warp <= step.warp));
        }
        for (std::size_t i = 0; i < seen.size(); ++i)
            EXPECT_EQ(seen[i], replay.trace().events[i].kind != EventKind::basic_block) << i;
    }
}

TEST(Replay, moments_know_their_requests) {
    const Replay replay = replay_of_layer("pecr3", "pecr3_convert");
    std::vector<int> seen(replay.cost().requests.size());
    for (std::size_t i = 0; i < replay.size(); ++i) {
        const ReplayStep& step = replay.at(i);
        ASSERT_EQ(step.request >= 0, step.array >= 0);
        if (step.request < 0) continue;
        const Request& request = replay.cost().requests[static_cast<std::size_t>(step.request)];
        ++seen[static_cast<std::size_t>(step.request)];
        EXPECT_EQ(request.lanes, step.lanes);
        EXPECT_EQ(request.warp, step.warp);
        EXPECT_EQ(request.array, step.array);
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
}

TEST(Replay, ecr1_fills_figure_4_slot_by_slot) {
    const auto& example = paper_examples()["ecr_figure_4"];
    Replay replay = replay_of("ecr1", "ecr_figure_4", {0, 0, 0});
    const std::vector<float> F_data = numbers(example["B1"]["F_data"]), K_data = numbers(example["B1"]["K_data"]);
    // Each slot, once filled, holds what the figure has there, and Ptr so far is the number of a thread's slots.
    const std::size_t f = array_named(replay, "F_data"), p = array_named(replay, "Ptr");
    const std::vector<float> counts{3, 4, 3};
    std::size_t most = 0;
    for (std::size_t done = 0; done <= replay.size(); ++done) {
        const ReplayState& state = replay.state(done);
        std::size_t slot = 0, filled = 0;
        for (std::size_t thread = 0; thread < 3; ++thread) {
            std::int64_t mine = 0;
            for (std::int64_t i = 0; i < static_cast<std::int64_t>(counts[thread]); ++i, ++slot) {
                const ElementState element = state.arrays[f].at(static_cast<std::int64_t>(thread) * 9 + i);
                EXPECT_EQ(element.known, element.written_by_block);
                if (!element.known) continue;
                ++mine;
                EXPECT_EQ(static_cast<float>(element.value), F_data[slot]) << done;
                EXPECT_EQ(element.writer, thread);
                EXPECT_LT(element.step, done);
            }
            filled += static_cast<std::size_t>(mine);
            EXPECT_EQ(state.threads[thread].stored[f], mine);
            if (state.arrays[p].at(static_cast<std::int64_t>(thread)).known) {
                EXPECT_EQ(mine, counts[thread]);
            }
        }
        EXPECT_GE(filled, most) << "no slot is emptied";
        most = filled;
    }
    EXPECT_EQ(written(replay, "F_data", replay.size()), F_data);
    EXPECT_EQ(written(replay, "K_data", replay.size()), K_data);
    EXPECT_EQ(written(replay, "Ptr", replay.size()), counts);
    const std::vector<float> output = numbers(example["output"]);
    EXPECT_EQ(written(replay, "y", replay.size()), std::vector<float>(output.begin(), output.begin() + 3));
    const ReplayState& end = replay.state(replay.size());
    for (std::size_t thread = 0; thread < 3; ++thread) {
        EXPECT_EQ(end.threads[thread].multiplications, counts[thread]);
        EXPECT_EQ(static_cast<float>(end.threads[thread].accumulator.value()), output[thread]);
        EXPECT_TRUE(end.threads[thread].finished);
    }
}

TEST(Replay, shows_what_the_block_found) {
    const auto& example = paper_examples()["ecr_figure_4"];
    Replay replay = replay_of("ecr1", "ecr_figure_4", {1, 0, 0});
    const std::vector<float> x = numbers(example["feature_map"]);
    const std::size_t array = array_named(replay, "x"), y = array_named(replay, "y");
    EXPECT_EQ(replay.trace().arrays[array].elements, static_cast<std::int64_t>(x.size()));
    for (const std::size_t done : {std::size_t{0}, replay.size()}) {
        const ReplayState& state = replay.state(done);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const ElementState element = state.arrays[array].at(static_cast<std::int64_t>(i));
            EXPECT_TRUE(element.known);
            EXPECT_FALSE(element.written_by_block);
            EXPECT_EQ(static_cast<float>(element.value), x[i]);
        }
        EXPECT_FALSE(state.arrays[array].at(static_cast<std::int64_t>(x.size())).known);
        EXPECT_FALSE(state.arrays[y].at(0).known) << "another block's";
        EXPECT_EQ(state.arrays[y].at(3).known, done > 0);
    }
}

TEST(Replay, pecr_fills_figures_7_and_8) {
    const auto& example = paper_examples()["pecr_figures_7_8"];
    std::vector<float> data, index, count;
    for (const char* window : {"PW(0,0)", "PW(0,1)"})
        for (auto [to, array] : {std::pair{&data, "Data"}, std::pair{&index, "Index"}, std::pair{&count, "Count"}})
            for (const float value : numbers(example["pooling_windows"][window][array])) to->push_back(value);
    const std::vector<float> y = numbers(example["relu_max_pooled"]);

    Replay pecr1 = replay_of("pecr1", "pecr_figures_7_8", {0, 0, 0});
    EXPECT_EQ(written(pecr1, "all_Data", pecr1.size()), data);
    EXPECT_EQ(written(pecr1, "all_Index", pecr1.size()), index);
    EXPECT_EQ(written(pecr1, "all_Count", pecr1.size()), count);
    EXPECT_EQ(written(pecr1, "y", pecr1.size()), std::vector<float>(y.begin(), y.begin() + 2));

    Replay pecr2 = replay_of("pecr2", "pecr_figures_7_8", {0, 0, 0});
    const auto starts_with = [&](const char* array, const std::vector<float>& expected) {
        std::vector<float> values = written(pecr2, array, pecr2.size());
        ASSERT_GE(values.size(), expected.size());
        values.resize(expected.size());
        EXPECT_EQ(values, expected) << array;
    };
    starts_with("Data", data);
    starts_with("Index", index);
    starts_with("Count", count);
    starts_with("y", {y[0], y[1]});
}

TEST(Replay, mec_fills_l) {
    Replay replay = replay_of("mec1", "mec_figures_1_2", {0, 0, 0}, "mec_lower");
    const std::vector<float> L = numbers(paper_examples()["mec_figures_1_2"]["L"]);
    const std::size_t array = array_named(replay, "L");
    std::size_t filled = 0;
    for (std::size_t i = 0; i < L.size(); ++i) {
        const ElementState element = replay.state(replay.size()).arrays[array].at(static_cast<std::int64_t>(i));
        if (!element.written_by_block) continue;
        EXPECT_EQ(static_cast<float>(element.value), L[i]) << i;
        ++filled;
    }
    EXPECT_EQ(filled, L.size()) << "one block lowers all of the example";
}

TEST(Replay, goes_from_barrier_to_barrier_and_along_a_thread) {
    Replay replay = replay_of("ecr2", "ecr_figure_4", {0, 0, 0});
    const std::size_t barrier = replay.next_barrier(0);
    ASSERT_LT(barrier, replay.size());
    EXPECT_EQ(replay.at(barrier - 1).kind, EventKind::barrier);
    EXPECT_EQ(replay.at(barrier).phase, 1u);
    EXPECT_EQ(replay.next_barrier(barrier), replay.size());
    EXPECT_EQ(replay.previous_barrier(replay.size()), barrier);
    EXPECT_EQ(replay.previous_barrier(barrier), 0u);
    EXPECT_TRUE(replay.state(barrier).threads[0].source >= 0);
    EXPECT_FALSE(replay.state(barrier).threads[0].waiting) << "passed";
}

/// A block of two warps that goes through so many rounds of load, multiply-add and store to its own segment, a barrier
/// in the middle, as the recorder would note it.
BlockTrace long_trace(std::size_t events) {
    constexpr unsigned threads = 64;
    BlockTrace trace;
    trace.launch.kernel = "long";
    trace.launch.block = {threads, 1, 1};
    trace.arrays.push_back({"data", Space::shared, true, 1 << 20, {}, {}});
    trace.sources.push_back(std::source_location::current());
    const std::size_t rounds = events / threads / 8;
    for (int half = 0; half < 2; ++half)
        for (std::uint16_t thread = 0; thread < threads; ++thread) {
            for (std::size_t round = 0; round < rounds; ++round) {
                const auto index = static_cast<std::int64_t>(thread * 4096 + round % 4096);
                const double value = static_cast<double>(round) + half;
                TraceEvent event{.thread = thread,
                                 .array = 0,
                                 .index = index,
                                 .address = 4 * static_cast<std::uint64_t>(index),
                                 .value = value};
                const auto add = [&](EventKind kind, std::uintptr_t position) {
                    event.kind = kind;
                    event.position = position;
                    event.bytes = kind == EventKind::basic_block || kind == EventKind::multiply_add ? 0 : 4;
                    event.array = event.bytes > 0 ? std::int16_t{0} : std::int16_t{-1};
                    trace.events.push_back(event);
                };
                add(EventKind::basic_block, 100);
                add(EventKind::store, 110);
                add(EventKind::load, 120);
                add(EventKind::multiply_add, 130);
            }
            if (half == 0) trace.events.push_back({.kind = EventKind::barrier, .thread = thread});
        }
    return trace;
}

TEST(Replay, takes_the_largest_traces) {
    Replay replay(long_trace(2'000'000));
    ASSERT_GT(replay.trace().events.size(), 1'990'000u);
    const std::size_t barrier = replay.next_barrier(0);
    EXPECT_EQ(replay.at(barrier - 1).kind, EventKind::barrier);
    const auto stored_at = [&](std::size_t done) {
        std::int64_t sum = 0;
        for (const ThreadState& thread : replay.state(done).threads) sum += thread.stored[0];
        return sum;
    };
    EXPECT_EQ(stored_at(0), 0);
    const std::int64_t half = stored_at(barrier);
    EXPECT_EQ(stored_at(replay.size()), 2 * half);
    const ReplayState middle = replay.state(replay.size() / 3);
    replay.state(replay.size());
    EXPECT_TRUE(replay.state(replay.size() / 3) == middle);
}

TraceRequest figure_4(const char* method) {
    TraceRequest request;
    request.workload = testing::example_workload("ecr_figure_4").spec;
    request.method = method;
    return request;
}

void expect_rejection(const TraceRequest& request, ErrorKind kind, const std::string& part, std::stop_token stop = {}) {
    try {
        trace_block(request, std::move(stop));
        ADD_FAILURE() << "no exception: " << part;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
}

TEST(TraceBlock, rejects_in_one_sentence) {
    TraceRequest outside = figure_4("ecr1");
    outside.block = {3, 0, 0};
    expect_rejection(outside, ErrorKind::usage, "block 3,0,0 is outside the grid of ecr1, which is 3x1x1");
    outside.block = {0, -1, 0};
    expect_rejection(outside, ErrorKind::usage, "block 0,-1,0 is outside");
    expect_rejection(figure_4("onednn"), ErrorKind::not_found, "'onednn' cannot be traced");
    TraceRequest kernel = figure_4("ecr1");
    kernel.kernel = "ecr2";
    expect_rejection(kernel, ErrorKind::usage, "no kernel 'ecr2' here; give ecr1");
    TraceRequest few = figure_4("ecr1");
    few.max_events = 10;
    expect_rejection(few, ErrorKind::usage, "too many to trace");
}

TEST(TraceBlock, ends_when_it_is_stopped) {
    std::stop_source stopped;
    stopped.request_stop();
    expect_rejection(figure_4("ecr1"), ErrorKind::failed, "was stopped", stopped.get_token());
}

TEST(TraceBlock, rejects_what_would_run_too_long_before) {
    TraceRequest request = figure_4("ecr3");
    request.kernel = "ecr3_multiply";
    request.max_seconds_before = 1e-9;
    expect_rejection(request, ErrorKind::usage, "ecr3_multiply works on what");
}

}  // namespace
}  // namespace convscope::simt
