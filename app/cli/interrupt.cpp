#include "app/cli/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace convscope::cli {
namespace {

sigset_t watched_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGUSR1);  // our own: the watching thread is to end
    return signals;
}

}  // namespace

Interrupt::Interrupt() {
    const sigset_t signals = watched_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    thread_ = std::thread([this] { watch(); });
}

Interrupt::~Interrupt() {
    pthread_kill(thread_.native_handle(), SIGUSR1);
    thread_.join();
}

void Interrupt::watch() {
    const sigset_t signals = watched_signals();
    for (int signal = 0; sigwait(&signals, &signal) == 0 && signal != SIGUSR1;) {
        if (source_.stop_requested()) _exit(interrupted_status);
        source_.request_stop();
        std::fputs("\nconvscope: stopping after the sample under way; Ctrl-C again ends at once\n", stderr);
    }
}

}  // namespace convscope::cli
