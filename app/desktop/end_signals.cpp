#include "app/desktop/end_signals.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace convscope::app {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
std::atomic<int> write_end{-1};

/// A handler may do little: a byte tells the thread that waits.
void on_signal(int) {
    const int error = errno;
    if (const int end = write_end; end >= 0 && write(end, "!", 1) < 0) _exit(1);
    errno = error;
}

}  // namespace

EndSignals::EndSignals(std::function<void()> wake) {
    if (pipe2(pipe_, O_CLOEXEC) != 0) return;
    write_end = pipe_[1];
    waiter_ = std::thread([this, wake = std::move(wake)] {
        char byte = 0;
        while (read(pipe_[0], &byte, 1) < 0 && errno == EINTR) {
        }
        if (byte != '!') return;
        came_ = true;
        wake();
    });
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);  // the second one ends it at once
    for (const int each : signals) sigaction(each, &action, nullptr);
}

EndSignals::~EndSignals() {
    if (!waiter_.joinable()) return;
    for (const int each : signals) signal(each, SIG_DFL);
    write_end = -1;
    close(pipe_[1]);  // the waiter reads its end
    waiter_.join();
    close(pipe_[0]);
}

}  // namespace convscope::app
