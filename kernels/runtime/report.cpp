#include "kernels/runtime/report.h"

#include <execinfo.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "kernels/runtime/launch_recorder.h"

namespace convscope::runtime {
namespace {

Settings read_settings() {
    Settings settings;
    const char* text = std::getenv(settings_variable);
    const Json json = text ? Json::parse(text, nullptr, false) : Json();
    if (!json.is_object()) return settings;
    settings.report = json.value("report", -1);
    settings.launches = json.value("launches", -1);
    settings.lines = json.value("lines", false);
    settings.counts = json.value("counts", false);
    settings.max_seconds = json.value("max_seconds", settings.max_seconds);
    settings.model = json.value("model", settings.model);
    return settings;
}

/// Where the program's file lies in memory.
struct Range {
    std::uint64_t base = 0, begin = 0, end = 0;
};
Range program_range() {
    Range range;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {  // the first is the program
            Range& found = *static_cast<Range*>(result);
            found.base = info->dlpi_addr;
            found.begin = ~std::uint64_t{0};
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const auto& part = info->dlpi_phdr[i];
                if (part.p_type != PT_LOAD) continue;
                found.begin = std::min<std::uint64_t>(found.begin, found.base + part.p_vaddr);
                found.end = std::max<std::uint64_t>(found.end, found.base + part.p_vaddr + part.p_memsz);
            }
            return 1;
        },
        &range);
    return range;
}

/// The program lives no longer than who started it, and what it starts itself is none of ours.
__attribute__((constructor)) void begin() {
    if (settings().report < 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    fcntl(settings().report, F_SETFD, FD_CLOEXEC);
    unsetenv("LD_PRELOAD");
    unsetenv(settings_variable);
    if (settings().lines) std::setvbuf(stdout, nullptr, _IOLBF, 0);
    LaunchRecorder::get();  // before the program sees its descriptor
    report({{"event", "begin"}});
}

thread_local std::vector<std::uint64_t> given_frames;

}  // namespace

AsIfFrom::AsIfFrom(std::vector<std::uint64_t> frames) {
    given_frames = std::move(frames);
}
AsIfFrom::~AsIfFrom() {
    given_frames.clear();
}

const Settings& settings() {
    static const Settings* const read = new Settings(read_settings());
    return *read;
}

std::string name_token(std::int64_t allocation) {
    return fmt::format("{{{}}}", allocation);
}

std::vector<std::uint64_t> frames_here(std::uint64_t interrupted) {
    if (!given_frames.empty()) return given_frames;
    static const Range program = program_range();
    constexpr std::size_t most = 8;
    std::array<void*, 48> all{};
    const int count = backtrace(all.data(), static_cast<int>(all.size()));
    std::vector<std::uint64_t> frames;
    for (int i = 0; i < count && frames.size() < most; ++i) {
        const auto at = reinterpret_cast<std::uint64_t>(all[static_cast<std::size_t>(i)]);
        if (at > program.begin && at < program.end) frames.push_back(at - (at == interrupted ? 0 : 1) - program.base);
    }
    return frames;
}

void report(const Json& event) {
    if (settings().report < 0) return;
    const std::string line = event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    for (std::size_t done = 0; done < line.size();) {
        const ssize_t written = write(settings().report, line.data() + done, line.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        done += static_cast<std::size_t>(written);
    }
}

}  // namespace convscope::runtime
