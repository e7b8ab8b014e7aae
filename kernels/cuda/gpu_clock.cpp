#include "kernels/cuda/gpu_clock.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "kernels/cuda/graph.h"
#include "kernels/cuda/timing_kernels.h"

namespace convscope {
namespace {

constexpr long long calibration_cycles = 20'000;  // about 10 us
constexpr int calibration_copies = 9;
constexpr int calibration_pairs = 21;
constexpr std::chrono::milliseconds warm_up{30};  // an idle GPU takes this long to raise its clock

}  // namespace

void GpuClock::enqueue_lead() {
    constexpr long long submit_ns = 40'000;  // a virtual machine can need as long for a graph
    enqueue_spin_nanoseconds(stream(), submit_ns);
}

void GpuClock::prepare_flush() {
    if (flush_buffer_) return;
    const auto bytes = static_cast<std::size_t>(2 * l2_bytes_);
    flush_buffer_ = gpu_.allocate(bytes);
    gpu_.fill_bytes(flush_buffer_, 0, bytes);
    gpu_.synchronize();
}

void GpuClock::enqueue_flush() {
    prepare_flush();
    convscope::enqueue_flush(stream(), static_cast<float4*>(flush_buffer_), static_cast<std::size_t>(2 * l2_bytes_),
                             static_cast<unsigned>(8 * sms_));
}

double GpuClock::boundary_us() {
    if (!boundary_us_) boundary_us_ = measure_boundary();
    return *boundary_us_;
}

double GpuClock::measure_boundary() {
    Event begin, end;
    const auto spins = [&](int copies) {
        return Graph(stream(), [&, copies] {
            enqueue_lead();
            begin.record_node(stream());
            for (int i = 0; i < copies; ++i) enqueue_spin_cycles(stream(), calibration_cycles);
            end.record_node(stream());
        });
    };
    Graph once = spins(1), many = spins(calibration_copies);
    const auto time = [&](Graph& graph) {
        graph.launch();
        gpu_.synchronize();
        return end.us_since(begin);
    };
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < warm_up) time(many);

    // Each pair is taken back to back, so that a drifting clock cannot tilt the slope.
    std::vector<double> boundaries;
    for (int i = 0; i < calibration_pairs; ++i) {
        const double single = time(once);
        boundaries.push_back(single - (time(many) - single) / (calibration_copies - 1));
    }
    const auto median = boundaries.begin() + calibration_pairs / 2;
    std::nth_element(boundaries.begin(), median, boundaries.end());
    return *median;
}

}  // namespace convscope
