// Seconds of CPU time that counting a whole run takes, on the kernels' source (trace --whole-launch) and on what nvcc
// made of it (--counts ptx), in turn; and of the methods that have no other build, the dense multiply-adds in a second.
// Convolution with 64 channels of 28 x 28, 64 filters of 3 x 3, 70 % zeros.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "kernels/registry/compiled_methods.h"
#include "kernels/simt/launch_cost.h"
#include "kernels/simt/on_checked/checked_device.h"
#include "tests/support/run_method.h"

namespace convscope {
namespace {

template <class Run>
double cpu_seconds(const Run& run) {
    const std::clock_t begin = std::clock();
    run();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

void count_source(const std::string& id, const Workload& workload) {
    CheckedDevice watched;
    simt::LaunchCounter counter;
    watched.checker().recorder = &counter;
    testing::run_method(watched.registry().get(id, DeviceKind::sim), workload, watched.device());
    counter.launches();
}

void count_ptx(CompiledMethods& compiled, const std::string& id, const Workload& workload) {
    testing::run_execution(*compiled.instantiate(id, workload.spec.shape, {}), workload);
}

void print_speeds(CompiledMethods& compiled) {
    WorkloadSpec spec;
    spec.shape = {.c = 64, .h = 28, .w = 28, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    spec.sparsity = 0.7;
    const Workload workload = make_workload(spec);
    constexpr int pairs = 3;
    fmt::print("{:<14} {:>10} {:>10} {:>8}\n", "method", "source, s", "PTX, s", "ratio");
    for (const char* id : {"im2col", "csr1", "ecr4", "tiled-multi2"}) {
        std::vector<double> source, ptx, ratios;
        for (int i = 0; i < pairs; ++i) {
            source.push_back(cpu_seconds([&] { count_source(id, workload); }));
            ptx.push_back(cpu_seconds([&] { count_ptx(compiled, id, workload); }));
            ratios.push_back(source.back() / ptx.back());
        }
        std::ranges::nth_element(ratios, ratios.begin() + pairs / 2);
        fmt::print("{:<14} {:>10.2f} {:>10.2f} {:>8.1f}\n", id, std::ranges::min(source), std::ranges::min(ptx),
                   ratios[pairs / 2]);
    }
    fmt::print("\n{:<14} {:>10} {:>22}\n", "method", "PTX, s", "dense M products / s");
    for (const std::string& id : compiled.ids()) {
        WorkloadSpec taken = spec;
        taken.weight_pattern = WeightPattern::two_of_four;  // nm1 takes no other
        taken.weight_sparsity = two_of_four_sparsity;
        if (!compiled.reason(id, spec.shape).empty())
            taken.shape.pool_h = taken.shape.pool_w = taken.shape.pool_stride = 2;
        const Workload pooled = make_workload(taken);
        double best = cpu_seconds([&] { count_ptx(compiled, id, pooled); });
        for (int i = 1; i < pairs; ++i) best = std::min(best, cpu_seconds([&] { count_ptx(compiled, id, pooled); }));
        const auto products = static_cast<double>(taken.shape.conv_elements() * taken.shape.reduction());
        fmt::print("{:<14} {:>10.2f} {:>22.1f}\n", id, best, 1e-6 * products / best);
    }
}

}  // namespace
}  // namespace convscope

int main() {
    std::string reason;
    convscope::CompiledMethods* const compiled = convscope::compiled_methods(&reason);
    if (!compiled) {
        fmt::print(stderr, "counting_speed: {}\n", reason);
        return 1;
    }
    convscope::print_speeds(*compiled);
    return 0;
}
