#include "app/program/program_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/files/module_folders.h"
#include "kernels/runtime/report.h"

extern char** environ;

namespace convscope::app {
namespace {

using Clock = std::chrono::steady_clock;

/// Descriptors in the program, which few programs have that many files open to meet. The folder of the runtime is named
/// by one of them: what LD_PRELOAD names may have no space and no colon.
constexpr int folder_descriptor = 197, report_descriptor = 198, launches_descriptor = 199;
constexpr const char* library_name = "convscope_cudart.so";
constexpr int poll_milliseconds = 50;
constexpr std::size_t max_output = 1 << 16;  ///< bytes that are kept
constexpr double launch_share = 0.75;        ///< of the time of the whole run, so that a launch can say where it hangs

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { reset(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return number_; }
    void reset() {
        if (number_ >= 0) close(number_);
        number_ = -1;
    }

private:
    int number_;
};

std::vector<std::string> environment_for(const ProgramStart& start) {
    std::vector<std::string> words;
    std::string preload = fmt::format("LD_PRELOAD=/proc/self/fd/{}/{}", folder_descriptor, library_name);
    for (char** each = environ; *each; ++each) {
        const std::string_view word(*each);
        if (word.starts_with("LD_PRELOAD="))
            preload += ":" + std::string(word.substr(word.find('=') + 1));
        else if (!word.starts_with(std::string(runtime::settings_variable) + "="))
            words.emplace_back(word);
    }
    const nlohmann::json settings{{"report", report_descriptor},
                                  {"counts", start.counts},
                                  {"max_seconds", launch_share * start.max_seconds},
                                  {"model", start.model},
                                  {"launches", start.launches < 0 ? -1 : launches_descriptor},
                                  {"lines", start.launches >= 0}};
    words.push_back(preload);
    words.push_back(fmt::format("{}={}", runtime::settings_variable, settings.dump()));
    return words;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> all;
    for (std::string& word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

/// In a group of its own, so that what it has started ends with it; but where a terminal is what it reads, only the
/// terminal's own group may.
pid_t start_process(const ProgramStart& start, int folder, int report, int output, bool own_group) {
    std::vector<std::string> words{start.name}, variables = environment_for(start);
    words.insert(words.end(), start.arguments.begin(), start.arguments.end());
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, folder, folder_descriptor);
    posix_spawn_file_actions_adddup2(&actions, report, report_descriptor);
    if (start.launches >= 0) {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
            posix_spawn_file_actions_adddup2(&actions, output, stream);
        posix_spawn_file_actions_adddup2(&actions, start.launches, launches_descriptor);
    }
    if (!start.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, start.folder.c_str());
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             static_cast<short>(POSIX_SPAWN_SETSIGDEF | (own_group ? POSIX_SPAWN_SETPGROUP : 0)));
    sigset_t heeded;
    sigemptyset(&heeded);
    for (const int signal : {SIGXFSZ, SIGPIPE}) sigaddset(&heeded, signal);
    posix_spawnattr_setsigdefault(&attributes, &heeded);
    pid_t child = -1;
    const int error = posix_spawn(&child, start.file.c_str(), &actions, &attributes, pointers(words).data(),
                                  pointers(variables).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        throw Error(ErrorKind::failed, fmt::format("{} cannot be started: {}", start.name, std::strerror(error)));
    const auto memory = static_cast<rlim_t>(host_memory_bytes());
    const rlimit data{memory, memory}, no_dumps{0, 0};
    prlimit(child, RLIMIT_DATA, &data, nullptr);
    prlimit(child, RLIMIT_CORE, &no_dumps, nullptr);
    return child;
}

/// A pipe that the program writes into.
class Pipe {
public:
    explicit Pipe(const ProgramStart& start) {
        std::array<int, 2> ends{-1, -1};
        if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
            throw Error(ErrorKind::failed, fmt::format("{} cannot be started: {}", start.name, std::strerror(errno)));
        read_end_.emplace(ends[0]);
        write_end_.emplace(ends[1]);
        fcntl(ends[1], F_SETFL, 0);  // the program waits where we are slow
    }
    int write_end() const { return write_end_->get(); }
    void close_write_end() { write_end_.reset(); }
    pollfd waited_for() const { return {open_ ? read_end_->get() : -1, POLLIN, 0}; }
    /// All that is there now.
    template <class Take>
    void read_all(Take& take) {
        std::array<char, 1 << 16> some{};
        while (open_) {
            const ssize_t count = read(read_end_->get(), some.data(), some.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0 && errno == EAGAIN) return;
            open_ = count > 0;
            if (open_) take(std::string_view(some.data(), static_cast<std::size_t>(count)));
        }
    }

private:
    std::optional<Descriptor> read_end_, write_end_;
    bool open_ = true;
};

/// Reads output line by line.
class Lines {
public:
    explicit Lines(const std::function<void(const std::string&)>& line) : line_(line) {}
    void operator()(std::string_view more) {
        text_ += more;
        std::size_t begin = 0;
        for (std::size_t end; (end = text_.find('\n', begin)) != std::string::npos; begin = end + 1)
            line_(text_.substr(begin, end - begin));
        text_.erase(0, begin);
    }

private:
    const std::function<void(const std::string&)>& line_;
    std::string text_;
};

/// As much of what comes as is kept.
class Output {
public:
    void operator()(std::string_view more) {
        const std::string_view taken = more.substr(0, max_output - text_.size());
        text_ += taken;
        dropped_ += more.size() - taken.size();
    }
    std::string take() {
        if (dropped_ > 0) text_ += fmt::format("\n... and {} bytes more\n", dropped_);
        return std::move(text_);
    }

private:
    std::string text_;
    std::size_t dropped_ = 0;
};

}  // namespace

std::filesystem::path runtime_library() {
    std::error_code none;
    for (const std::filesystem::path& folder : module_folders())
        if (std::filesystem::exists(folder / library_name, none)) return folder / library_name;
    throw Error(ErrorKind::not_found, fmt::format("this build has no {}, which whole programs run with", library_name));
}

ProcessEnd run_process(const ProgramStart& start, const std::function<void(const std::string&)>& event,
                       const std::stop_token& stop) {
    const Descriptor folder(open(runtime_library().parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    Pipe reports(start), written(start);
    const bool own_group = start.launches >= 0 || isatty(STDIN_FILENO) == 0;
    const pid_t child = start_process(start, folder.get(), reports.write_end(), written.write_end(), own_group);
    reports.close_write_end();
    written.close_write_end();
    const Clock::time_point deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(start.max_seconds));
    Lines lines(event);
    Output output;
    ProcessEnd end;
    int status = 0;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) break;
        const bool late = Clock::now() > deadline;
        if (late || stop.stop_requested()) {
            kill(own_group ? -child : child, SIGKILL);
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
            }
            if (stop.stop_requested()) throw Error(ErrorKind::failed, "the program was stopped");
            end.failure = fmt::format("did not end within {} s", start.max_seconds);
            break;
        }
        std::array<pollfd, 2> more{reports.waited_for(), written.waited_for()};
        poll(more.data(), more.size(), poll_milliseconds);
        reports.read_all(lines);
        written.read_all(output);
    }
    if (own_group) kill(-child, SIGKILL);
    reports.read_all(lines);
    written.read_all(output);
    end.output = output.take();
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
    return end;
}

}  // namespace convscope::app
