// How fast the simulated GPU reaches memory on one core, unchecked and with each check, and what each check costs.
// A kernel that streams through shared memory, as the methods' kernels do: per element two loads, a multiply-add and
// a store.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "tests/benchmarks/simt_speed.h"

namespace {

using namespace convscope;

/// Million accesses to memory per second of CPU time: the best of some runs, for other programs run, too.
double speed(const bench::Run& run) {
    constexpr int runs = 7;
    double best = 0;
    for (int i = 0; i < runs; ++i) {
        const std::clock_t begin = std::clock();
        const double accesses = run();
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        best = std::max(best, 1e-6 * accesses / seconds);
    }
    return best;
}

void print(const char* what, double speed, double before) {
    fmt::print("{:<42} {:>7.1f} M/s {:>7.2f} ns", what, speed, 1e3 / speed);
    if (before > 0) fmt::print("  {:+.2f} ns", 1e3 / speed - 1e3 / before);
    fmt::print("\n");
}

}  // namespace

int main() {
    fmt::print("{:<42} {:>11} {:>10}  cost\n", "accesses to memory, one core", "speed", "each");
    const double fast = speed(bench::unchecked());
    print("unchecked", fast, 0);
    const double bounds = speed(bench::checked(false, false));
    print("bounds, alignment, barriers, step limit", bounds, fast);
    print("+ uninitialised", speed(bench::checked(true, false)), bounds);
    print("+ races", speed(bench::checked(false, true)), bounds);
    print("every check", speed(bench::checked(true, true)), fast);
    const std::clock_t begin = std::clock();
    bench::trace_ecr1();
    fmt::print("ecr1 on a 14x14 map, its first block traced: {:.1f} ms\n",
               1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    const bench::ReplayTimes replay = bench::replay_ecr1();
    fmt::print("  the same made a replay: {:.1f} ms, a state at a random moment at most {:.3f} ms\n", replay.built,
               replay.state);
    return 0;
}
