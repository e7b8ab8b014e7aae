#include "kernels/measure/isolated/measuring_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "kernels/core/error.h"

extern char** environ;

namespace convscope {
namespace {

[[noreturn]] void reject(const std::string& what, int error) {
    throw Error(ErrorKind::failed,
                fmt::format("the process that measures cannot be started: {}: {}", what, std::strerror(error)));
}

pid_t wait_for(pid_t pid, int& status) {
    pid_t ended = 0;
    while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR) {
    }
    return ended;
}

}  // namespace

std::vector<std::string> own_measuring_command() {
    std::error_code none;
    return {std::filesystem::read_symlink("/proc/self/exe", none).string(), "measure-worker"};
}

MeasuringProcess::MeasuringProcess(const std::vector<std::string>& command) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) reject("socketpair", errno);
    pipe_.emplace(ends[0]);
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], socket_number);
    const int error = posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) reject(command.front(), error);
}

MeasuringProcess::~MeasuringProcess() {
    if (pid_ < 0) return;
    kill(pid_, SIGKILL);
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + std::chrono::seconds(5);
    int status = 0;
    // A kernel that never ends may keep the process in the driver for a while.
    while (waitpid(pid_, &status, WNOHANG) == 0 && Clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::string MeasuringProcess::last_words() {
    int status = 0;
    if (wait_for(std::exchange(pid_, -1), status) < 0) return "is gone";
    if (WIFSIGNALED(status))
        return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return fmt::format("ended with status {}", WEXITSTATUS(status));
}

}  // namespace convscope
