#include "app/start_times.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace convscope::app {
namespace {

double now_ms() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
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
    double begin = wanted ? process_began_ms() : 0, last = begin;
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
    const double now = now_ms();
    all.parts += fmt::format("{}{:.0f} ms {}", all.parts.empty() ? "" : ", ", now - all.last, part);
    all.last = now;
}

void note_first_frame() {
    Times& all = times();
    if (!all.wanted) return;
    note_start("drawing");
    fmt::print(stderr, "convscope: first frame after {:.0f} ms: {}\n", all.last - all.begin, all.parts);
    all.wanted = false;
}

}  // namespace convscope::app
