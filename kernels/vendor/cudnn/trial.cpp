#include "kernels/vendor/cudnn/trial.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/cuda/graph.h"
#include "kernels/cuda/timing_kernels.h"
#include "kernels/vendor/cudnn/staging.h"

namespace convscope::cudnn {
namespace {

constexpr int copies = 4;   // runs in one graph
constexpr int replays = 5;  // of which the fastest counts
constexpr double long_run_us = 5000;
constexpr long long lead_ns = 20'000;  // keeps the GPU busy while the host submits the graph

double replay(Gpu& gpu, const std::function<void()>& enqueue, int runs, int times) {
    auto* stream = static_cast<cudaStream_t>(gpu.stream());
    Event begin, end;
    Graph graph(stream, [&] {
        enqueue_spin_nanoseconds(stream, lead_ns);
        enqueue();  // fills the cache as the runs after it find it
        begin.record_node(stream);
        for (int i = 0; i < runs; ++i) enqueue();
        end.record_node(stream);
    });
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < times; ++i) {
        graph.launch();
        gpu.synchronize();
        best = std::min(best, end.us_since(begin) / runs);
    }
    return best;
}

}  // namespace

TrialMemory::TrialMemory(Gpu& gpu, std::int64_t bytes) : gpu_(gpu), bytes_(bytes) {
    if (bytes > 0) memory_ = gpu.allocate(static_cast<std::size_t>(bytes));
}

void TrialMemory::fill_with_numbers(DType dtype) {
    std::vector<float> numbers(static_cast<std::size_t>(bytes_ / element_bytes(dtype)));
    std::uint32_t state = 1;
    for (float& number : numbers) {
        state = 1664525U * state + 1013904223U;
        number = static_cast<float>(static_cast<std::int32_t>(state)) * 0x1p-31F;
    }
    const std::vector<std::byte> host = pack(numbers, dtype);
    gpu_.upload(memory_, host.data(), host.size());
}

double time_us(Gpu& gpu, const std::function<void()>& enqueue) {
    enqueue();  // loads the kernels, and shows whether this way runs at all
    gpu.synchronize();
    const double once = replay(gpu, enqueue, 1, 1);
    return once > long_run_us ? once : replay(gpu, enqueue, copies, replays);
}

}  // namespace convscope::cudnn
