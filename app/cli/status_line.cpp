#include "app/cli/status_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "app/cli/table.h"
#include "kernels/core/say.h"

namespace convscope::cli {
namespace {

constexpr const char* erase_line = "\r\x1b[K";  // back to the first column, and erase to the end of the line

}  // namespace

StatusLine::StatusLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

void StatusLine::show(const std::string& text) {
    if (!terminal_) return;
    std::fputs(erase_line, stderr);
    say("{}{}{}", prefix_, prefix_.empty() ? "" : "  ", text);
    std::fflush(stderr);
    shown_ = true;
    last_ = std::chrono::steady_clock::now();
}

void StatusLine::show(const Progress& progress) {
    if (!terminal_ || std::chrono::steady_clock::now() - last_ < std::chrono::milliseconds(100)) return;
    std::string text = fmt::format("{} {}", progress.phase, progress.method);
    if (progress.samples > 0)
        text += fmt::format(": {} after {} samples, noise {:.1f} %", time_text(progress.median_us), progress.samples,
                            progress.noise_pct);
    show(text);
}

void StatusLine::clear() {
    if (!shown_) return;
    std::fputs(erase_line, stderr);
    std::fflush(stderr);
    shown_ = false;
}

void StatusLine::warn(const std::string& sentence) {
    clear();
    say("convscope: {}\n", sentence);
}

}  // namespace convscope::cli
