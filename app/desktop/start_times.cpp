#include "app/desktop/start_times.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "kernels/core/say.h"

namespace convscope::app {
namespace {

double read_ms(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// When the kernel made this process, to a tick (10 ms): field 22 of its stat, counted behind the name, which may hold
/// spaces.
double process_began_ms() {
    std::ifstream file("/proc/self/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(line.rfind(')') + 2));
    std::string field;
    for (int i = 3; i <= 22; ++i) fields >> field;
    return 1e3 * std::atof(field.c_str()) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

struct Times {
    bool wanted = std::getenv("CONVSCOPE_TIMES") != nullptr;
    double begin = wanted ? process_began_ms() : 0, last = begin, last_cpu = 0;
    std::string parts;
};

Times& times() {
    static Times all;
    return all;
}

}  // namespace

void note_start(const char* part) {
    Times& all = times();
    if (!all.wanted) return;
    const double now = read_ms(CLOCK_BOOTTIME), cpu = read_ms(CLOCK_PROCESS_CPUTIME_ID);
    all.parts +=
        fmt::format("{}{:.0f} ms ({:.0f}) {}", all.parts.empty() ? "" : ", ", now - all.last, cpu - all.last_cpu, part);
    all.last = now;
    all.last_cpu = cpu;
}

void note_first_frame() {
    Times& all = times();
    if (!all.wanted) return;
    note_start("drawing");
    say("convscope: first frame after {:.0f} ms ({:.0f} of CPU time): {}\n", all.last - all.begin, all.last_cpu,
        all.parts);
    all.wanted = false;
}

}  // namespace convscope::app
