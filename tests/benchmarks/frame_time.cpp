// How long a frame of the first screen takes, in percentiles: still, with the pointer moving over the picture, and
// while a measurement runs; and whether drawing changes what is measured. Drawn off screen at 1600x1000 (or WIDTH
// HEIGHT), GL finished in each frame.
//   frame_time [WIDTH HEIGHT]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "app/tour/headless.h"
#include "app/ui/shell/shell.h"

namespace {

using namespace convscope;
using namespace convscope::app;
using Clock = std::chrono::steady_clock;

double timed_frame(Headless& headless, Shell& shell) {
    const Clock::time_point start = Clock::now();
    headless.frame([&] {
        shell.frame(headless.fonts(), 1.0F, 0);
        return shell.background();
    });
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// 'cpu_ms' is the time of all threads together, which another program's load does not stretch.
void report(const char* name, std::vector<double> ms, double cpu_ms) {
    std::ranges::sort(ms);
    auto at = [&ms](double share) { return ms[static_cast<std::size_t>(share * static_cast<double>(ms.size() - 1))]; };
    fmt::print(
        "{:<10} p50 {:6.2f} ms  p90 {:6.2f} ms  p99 {:6.2f} ms  {:5.0f} frames/s at the median, {:.1f} ms of CPU\n",
        name, at(0.5), at(0.9), at(0.99), 1000 / at(0.5), cpu_ms / static_cast<double>(ms.size()));
}

std::vector<double> still(Headless& headless, Shell& shell, int frames) {
    std::vector<double> ms;
    for (int i = 0; i < frames; ++i) ms.push_back(timed_frame(headless, shell));
    return ms;
}

std::vector<double> pointing(Headless& headless, Shell& shell, int frames) {
    std::vector<double> ms;
    for (int i = 0; i < frames; ++i) {
        const float along = static_cast<float>(i) / static_cast<float>(frames);
        const auto width = static_cast<float>(headless.width()), height = static_cast<float>(headless.height());
        headless.move_to({width * (0.2F + 0.5F * along), height * (0.15F + 0.4F * along)});
        ms.push_back(timed_frame(headless, shell));
    }
    return ms;
}

/// Frames at 60 a second during a measurement, in turns with its samples.
std::vector<double> measuring(Headless& headless, Shell& shell, int frames) {
    shell.live().start(shell.session());
    std::vector<double> ms;
    for (int i = 0; i < frames; ++i) {
        const Clock::time_point next = Clock::now() + std::chrono::microseconds(16667);
        shell.live().gate().begin_frame(std::chrono::milliseconds(25));
        ms.push_back(timed_frame(headless, shell));
        shell.live().gate().end_frame();
        std::this_thread::sleep_until(next);
    }
    shell.live().stop();
    return ms;
}

using Medians = std::map<std::string, std::vector<double>>;

/// Adds the medians that whole rounds of the live measurement give in 'seconds', with frames or without.
void collect(Headless& headless, Shell& shell, double seconds, bool draw, Medians& medians) {
    const std::size_t before = shell.live().snapshot().records.size();
    shell.live().start(shell.session());
    const Clock::time_point end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    while (Clock::now() < end) {
        const Clock::time_point next = Clock::now() + std::chrono::microseconds(16667);
        if (draw) {
            shell.live().gate().begin_frame(std::chrono::milliseconds(25));
            timed_frame(headless, shell);
            shell.live().gate().end_frame();
        }
        std::this_thread::sleep_until(next);
    }
    shell.live().stop();
    do {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        shell.live().update(shell.session());
    } while (shell.live().running());
    const std::vector<Record>& records = shell.live().snapshot().records;
    for (std::size_t i = before; i < records.size(); ++i)
        if (records[i].status == Status::passed && records[i].time_median_us)
            medians[records[i].method].push_back(*records[i].time_median_us);
}

double middle(std::vector<double> values) {
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
}

/// Whether drawing disturbs what is measured: the same measurement with and without frames, in turns.
void compare_medians(Headless& headless, Shell& shell) {
    Medians drawn, alone;
    for (int turn = 0; turn < 3; ++turn) {
        collect(headless, shell, 3, true, drawn);
        collect(headless, shell, 3, false, alone);
    }
    for (const auto& [method, medians] : drawn)
        fmt::print("{:<12} median {:8.3f} us with frames, {:8.3f} us without, ratio {:.3f}\n", method, middle(medians),
                   middle(alone[method]), middle(medians) / middle(alone[method]));
}

template <class Run>
void run(const char* name, Run frames) {
    const std::clock_t start = std::clock();
    const std::vector<double> ms = frames();
    report(name, ms, 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
}

int benchmark(int width, int height) {
    auto registry = make_registry();
    Headless headless(width, height, 1.0F);
    Shell shell(*registry, [] {});
    still(headless, shell, 10);  // fonts, shaders, the first layer
    fmt::print("first screen, {}x{}, {}, {}\n", width, height, headless.describe(), shell.layouts().path());
    run("still", [&] { return still(headless, shell, 200); });
    run("pointing", [&] { return pointing(headless, shell, 200); });
    run("measuring", [&] { return measuring(headless, shell, 200); });
    const SampleGate& gate = shell.live().gate();
    fmt::print("samples taken {}, frames drawn inside a sample {}\n", gate.samples(), gate.disturbed());
    compare_medians(headless, shell);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return argc == 3 ? benchmark(std::atoi(argv[1]), std::atoi(argv[2])) : benchmark(1600, 1000);
    } catch (const std::exception& error) {
        fmt::print(stderr, "frame_time: {}\n", error.what());
        return 5;
    }
}
