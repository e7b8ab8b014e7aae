#include "kernels/ptx/toolchain/compiler_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

#include "kernels/core/error.h"

extern char** environ;

namespace convscope::ptx {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_output = 64 << 20, max_complaints = 1 << 20;  ///< bytes; of what failed
constexpr std::chrono::seconds max_idle{8};
constexpr std::chrono::milliseconds poll_interval{5}, sample_interval{250};

/// The shell script around the program: limits (2 GB of data in kB, files of 64 MB in blocks of 512 bytes, no dumps),
/// and a second process that removes the folder and ends the group when descriptor 3 closes, which this process holds
/// open until it dies.
constexpr const char* guard =
    "{ ulimit -d 2000000; ulimit -f 131072; ulimit -c 0; } 2>/dev/null\n"
    "\"$@\" 3<&- & program=$!\n"
    "{ read -r end; rm -rf -- \"$PWD\"; kill -9 0; } <&3 2>/dev/null & watcher=$!\n"
    "wait $program; status=$?\n"
    "{ kill -9 $watcher; wait $watcher; } 2>/dev/null\n"
    "exit $status\n";

/// This process's environment, with temporary files in the folder in which the program runs, and without the names of
/// those in which this one does. nvcc puts "FOLDER:" before $LD_LIBRARY_PATH, so that the programs it starts take
/// libraries from the working directory where that is empty.
class Environment {
public:
    explicit Environment(const std::filesystem::path& folder) {
        const char* libraries = std::getenv("LD_LIBRARY_PATH");
        libraries_ = "LD_LIBRARY_PATH=" + (libraries && *libraries ? std::string(libraries) : folder.string());
        for (char** each = environ; *each; ++each) {
            const std::string_view variable(*each);
            if (std::ranges::none_of(std::array{"TMPDIR=", "LD_LIBRARY_PATH=", "PWD=", "OLDPWD="},
                                     [&](const char* name) { return variable.starts_with(name); }))
                variables_.push_back(*each);
        }
        variables_.insert(variables_.end(), {temporary_.data(), libraries_.data(), nullptr});
    }
    char** variables() { return variables_.data(); }

private:
    std::string temporary_ = "TMPDIR=.", libraries_;
    std::vector<char*> variables_;
};

/// A pipe that closes in whatever way this process ends.
class Pipe {
public:
    Pipe() {
        if (pipe2(ends_.data(), O_CLOEXEC) != 0)
            throw Error(ErrorKind::failed, fmt::format("a compiler cannot be started: {}", std::strerror(errno)));
    }
    ~Pipe() {
        for (const int end : ends_) close(end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    int read_end() const { return ends_[0]; }

private:
    std::array<int, 2> ends_{};
};

/// In a process group of its own, so that it can be ended with all that it has started. This process ignores signals
/// that the program obeys: that it makes too large a file is one.
pid_t start(const std::vector<std::string>& command, const std::filesystem::path& folder,
            const std::filesystem::path& output, const Pipe& alive) {
    const std::filesystem::path program(command[0]);
    if (!program.is_absolute())
        throw Error(ErrorKind::not_found, fmt::format("{} cannot be started: its folder is not known", command[0]));
    if (access(program.c_str(), X_OK) != 0)
        throw Error(ErrorKind::not_found, fmt::format("{} cannot be started: {}", command[0], std::strerror(errno)));
    std::vector<std::string> all{"/bin/sh", "-c", guard, "sh", command[0]};
    all.insert(all.end(), command.begin() + 1, command.end());
    std::vector<char*> arguments;
    for (std::string& each : all) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    Environment environment(folder);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_adddup2(&actions, alive.read_end(), 3);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    sigset_t defaulted;
    sigemptyset(&defaulted);
    for (const int signal : {SIGXFSZ, SIGPIPE}) sigaddset(&defaulted, signal);
    posix_spawnattr_setsigdefault(&attributes, &defaulted);
    pid_t child = -1;
    const int error =
        posix_spawn(&child, arguments[0], &actions, &attributes, arguments.data(), environment.variables());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        throw Error(ErrorKind::failed, fmt::format("{} cannot be started: {}", command[0], std::strerror(error)));
    return child;
}

struct Use {
    double cpu_seconds = 0;  ///< of the group's processes, with those that they have waited for
    bool waits = true;       ///< none of them runs, or would if it had a processor or what it reads from a disk
};

Use use_of(pid_t group) {
    double ticks = 0;
    bool waits = true;
    std::error_code problem;
    auto entry = std::filesystem::directory_iterator("/proc", problem);
    for (; !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem)) {
        if (std::isdigit(static_cast<unsigned char>(entry->path().filename().native().front())) == 0) continue;
        std::ifstream file(entry->path() / "stat");
        std::string text;
        if (!std::getline(file, text, '\0')) continue;  // it has just ended, which a stream's buffer throws at
        std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));  // behind its name
        std::string state, other;
        pid_t of = 0;
        fields >> state >> other >> of;
        if (of != group) continue;
        if (state == "R" || state == "D") waits = false;
        for (int i = 0; i < 8; ++i) fields >> other;  // session to cmajflt
        double part = 0;
        for (int i = 0; i < 4 && fields >> part; ++i) ticks += part;  // utime, stime, cutime, cstime
    }
    return {ticks / static_cast<double>(sysconf(_SC_CLK_TCK)), waits};
}

/// Why a program that runs has to be ended, looked at again and again; empty while it may go on.
class Watch {
public:
    Watch(pid_t group, double max_cpu_seconds) : group_(group), max_cpu_seconds_(max_cpu_seconds) {}
    std::string reason() {
        const Clock::time_point now = Clock::now();
        if (now < next_) return {};
        next_ = now + sample_interval;
        const auto [used, waits] = use_of(group_);
        if (used > used_ || !waits) active_ = now;
        used_ = std::max(used_, used);
        if (used > max_cpu_seconds_) return fmt::format("takes more than {} s", max_cpu_seconds_);
        if (now - active_ > max_idle) return "waits for something that never comes, such as a pipe that is included";
        return {};
    }

private:
    pid_t group_;
    double max_cpu_seconds_;
    Clock::time_point active_ = Clock::now(), next_ = active_ + sample_interval;
    double used_ = 0;
};

/// Why a program failed: that it crashed, or ran into a limit, in which case its output may be anything.
std::string why_it_failed(int status, const std::string& output) {
    const auto says = [&](std::initializer_list<const char*> all) {
        return std::ranges::any_of(all, [&](const char* each) { return output.find(each) != std::string::npos; });
    };
    if (status == 128 + SIGXFSZ || says({"File size limit exceeded"})) return "makes more than 64 MB of it";
    if (says({"out of memory", "Out of memory", "bad_alloc", "annot allocate memory", "emory exhausted"}))
        return "needs more than 2 GB of memory";
    if (status > 128 || says({"PLEASE submit a", "died due to signal", "internal compiler error", "terminated program",
                              "nternal error", "Stack dump:", "LLVM ERROR"}))
        return "crashes on it";
    return {};
}

std::string beginning_of(const std::filesystem::path& path, std::size_t max_bytes) {
    std::error_code none;
    std::string text(std::min<std::uintmax_t>(max_bytes, std::filesystem::file_size(path, none)), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

}  // namespace

std::string program_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

ProgramEnd run_program(const std::vector<std::string>& command, const std::filesystem::path& folder,
                       const std::stop_token& stop, double max_cpu_seconds) {
    const std::filesystem::path output = folder / ".output";
    const Pipe alive;
    const pid_t child = start(command, folder, output, alive);
    Watch watch(child, max_cpu_seconds);
    ProgramEnd end;
    int status = 0;
    for (pid_t ended = 0; (ended = waitpid(child, &status, WNOHANG)) <= 0;) {
        if (ended < 0 && errno != EINTR)
            throw Error(ErrorKind::failed,
                        fmt::format("how {} ended is not known: {}", program_name(command[0]), std::strerror(errno)));
        end.reason = watch.reason();
        if (stop.stop_requested() || !end.reason.empty()) {
            kill(-child, SIGKILL);
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
            }
            if (stop.stop_requested()) throw Error(ErrorKind::failed, "the compiler was stopped");
            return end;
        }
        std::this_thread::sleep_for(poll_interval);
    }
    end.well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    end.output = beginning_of(output, end.well ? max_output : max_complaints);
    if (!end.well) end.reason = why_it_failed(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + SIGKILL, end.output);
    return end;
}

}  // namespace convscope::ptx
