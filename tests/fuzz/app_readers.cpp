// Readers of app/: flags, lessons, sessions and what the app keeps between runs.
#include <string>

#include "app/lessons/lesson.h"
#include "app/lessons/progress.h"
#include "app/request/axes.h"
#include "app/request/request.h"
#include "app/session/file/session_file.h"
#include "app/session/settings/settings.h"
#include "kernels/core/text.h"
#include "kernels/method/registry.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/readers.h"

namespace convscope::testing {
namespace {

void read_settings(std::string_view bytes) {
    const MemoryFile file(bytes);
    app::load_settings(file.path());
}

void read_progress(std::string_view bytes) {
    const MemoryFile file(bytes);
    lessons::load_progress(file.path());
}

void read_session(std::string_view bytes) {
    accepted([&] {
        const app::SessionFile file = app::read_session_text(std::string(bytes), "/tmp/a.convscope.toml", {}).file;
        const std::string text = app::session_text(file);
        require(app::session_text(app::read_session_text(text, "/tmp/a.convscope.toml", {}).file) == text,
                "a session that was read is not what it is once it was written");
    });
}

void read_lesson_file(std::string_view bytes) {
    static const Registry none;
    lessons::read_lesson("lesson.md", std::string(bytes), none);
}

/// Lines of a flag and its value.
void read_flags(std::string_view bytes) {
    FlagValues flags;
    for (const std::string& line : split(std::string(bytes), '\n')) {
        const std::size_t space = line.find(' ');
        const std::string flag = line.substr(0, space);
        // These would read whatever file is named.
        if (flag == "--preset" || flag == "--input" || flag == "--weights" || space == std::string::npos) continue;
        flags.set(flag, line.substr(space + 1));
    }
    accepted([&] { span_points(flags, find_axes(flags), 100); });
    accepted([&] { read_workload(flags); });
    accepted([&] { read_timing(flags); });
    accepted([&] { read_launch(flags); });
}

constexpr FuzzedReader of_app[] = {{"flags", read_flags},
                                   {"lesson", read_lesson_file},
                                   {"progress", read_progress},
                                   {"session", read_session},
                                   {"settings", read_settings}};

}  // namespace

std::span<const FuzzedReader> app_readers() {
    return of_app;
}

}  // namespace convscope::testing
