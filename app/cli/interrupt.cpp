#include "app/cli/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "kernels/core/error.h"

namespace convscope::cli {
namespace {

std::array<int, 2> channel{-1, -1};  // what the handler writes to, and what the thread reads from
volatile sig_atomic_t signals_seen = 0;

constexpr char stop_byte = 's', end_byte = 'e';

void handle(int) {
    if (signals_seen > 0) _exit(interrupted_status);
    signals_seen = 1;
    const int kept = errno;
    [[maybe_unused]] const ssize_t written = write(channel[1], &stop_byte, 1);
    errno = kept;
}

void set_handler(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    for (int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt(const char* sentence) : sentence_(sentence) {
    if (pipe2(channel.data(), O_CLOEXEC) != 0)
        throw Error(ErrorKind::failed, std::string("no pipe for Ctrl-C: ") + std::strerror(errno));
    signals_seen = 0;
    thread_ = std::thread([this] { watch(); });
    set_handler(handle);
}

Interrupt::~Interrupt() {
    set_handler(SIG_DFL);
    [[maybe_unused]] const ssize_t written = write(channel[1], &end_byte, 1);
    thread_.join();
    for (int& end : channel) close(end);
}

void Interrupt::watch() {
    char byte = 0;
    while (read(channel[0], &byte, 1) < 0 && errno == EINTR) {
    }
    if (byte != stop_byte) return;
    source_.request_stop();
    std::fprintf(stderr, "\nconvscope: %s; Ctrl-C again ends at once\n", sentence_);
}

}  // namespace convscope::cli
