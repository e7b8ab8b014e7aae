#include "app/dialogs/program_dialog.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

extern char** environ;

namespace convscope::app {
namespace {

constexpr int look_again_ms = 100;

bool on_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access(((folder.empty() ? "." : folder) + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

/// "Sessions | *.convscope.toml *.toml", as both programs take it.
std::string filter_text(const FileFilter& filter, const char* between) {
    return fmt::format("{}{}{}", filter.name, between, fmt::join(filter.patterns, " "));
}

struct Ended {
    int status = -1;  ///< the exit status; -1: it could not be started, was stopped, or died
    bool stopped = false;
    std::string output, problem;
};

/// Runs a program and reads what it writes; its complaints are of its toolkit, and go nowhere.
Ended run(const std::vector<std::string>& command, const std::stop_token& stop) {
    Ended ended;
    int out[2] = {-1, -1};
    if (pipe2(out, O_CLOEXEC) != 0) {
        ended.problem = std::strerror(errno);
        return ended;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    std::vector<char*> arguments;
    for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    pid_t child = -1;
    const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    if (failed != 0) {
        close(out[0]);
        ended.problem = std::strerror(failed);
        return ended;
    }
    pollfd waiting{out[0], POLLIN, 0};
    char buffer[4096];
    while (true) {
        if (stop.stop_requested() && !ended.stopped) {
            ended.stopped = true;
            kill(child, SIGTERM);
        }
        if (poll(&waiting, 1, look_again_ms) <= 0) continue;
        const ssize_t count = read(out[0], buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        ended.output.append(buffer, static_cast<std::size_t>(count));
    }
    close(out[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
    return ended;
}

FileAnswer answer_of(const Ended& ended, const std::string& program) {
    if (ended.stopped || ended.status == 1) return {FileAnswer::Outcome::cancelled, {}, {}};
    if (ended.status != 0)
        return {
            FileAnswer::Outcome::unavailable,
            {},
            fmt::format("{} could not ask for a file{}{}", program, ended.problem.empty() ? "" : ": ", ended.problem)};
    FileAnswer answer{FileAnswer::Outcome::chosen, {}, {}};
    std::istringstream lines(ended.output);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) answer.files.emplace_back(line);
    if (answer.files.empty()) answer.outcome = FileAnswer::Outcome::cancelled;
    return answer;
}

}  // namespace

std::vector<std::string> zenity_command(const FileQuestion& question) {
    const bool save = question.kind == FileQuestion::Kind::save;
    // A folder is told from a file by the slash at its end.
    std::vector<std::string> command{"zenity", "--file-selection", "--title=" + question.title,
                                     fmt::format("--filename={}{}", question.start.string(), save ? "" : "/")};
    if (save) command.insert(command.end(), {"--save", "--confirm-overwrite"});
    if (question.several) command.insert(command.end(), {"--multiple", "--separator=\n"});
    for (const FileFilter& filter : question.filters) command.push_back("--file-filter=" + filter_text(filter, " | "));
    return command;
}

std::vector<std::string> kdialog_command(const FileQuestion& question) {
    const bool save = question.kind == FileQuestion::Kind::save;
    std::vector<std::string> command{"kdialog", "--title", question.title};
    if (question.several) command.insert(command.end(), {"--multiple", "--separate-output"});
    command.insert(command.end(), {save ? "--getsavefilename" : "--getopenfilename", question.start.string()});
    std::string filters;
    for (const FileFilter& filter : question.filters)
        filters += fmt::format("{}{} ({})", filters.empty() ? "" : "\n", filter.name, fmt::join(filter.patterns, " "));
    if (!filters.empty()) command.push_back(filters);
    return command;
}

FileAnswer ask_program(const FileQuestion& question, const std::stop_token& stop) {
    const char* desktop = std::getenv("XDG_CURRENT_DESKTOP");
    const bool kde = desktop && std::strstr(desktop, "KDE");
    FileAnswer answer{FileAnswer::Outcome::unavailable, {}, "neither zenity nor kdialog is installed"};
    for (const bool kdialog : {kde, !kde}) {
        const std::string program = kdialog ? "kdialog" : "zenity";
        if (!on_path(program)) continue;
        answer = answer_of(run(kdialog ? kdialog_command(question) : zenity_command(question), stop), program);
        if (answer.outcome != FileAnswer::Outcome::unavailable) return answer;
    }
    return answer;
}

}  // namespace convscope::app
