#include "tests/app/cli/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "tests/support/wait.h"

namespace convscope::testing {
namespace {

void redirect(const std::filesystem::path& file, int descriptor) {
    const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(opened, descriptor);
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
    std::vector<std::string> words{CONVSCOPE_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::filesystem::path out = folder_ / "out", err = folder_ / "err";
    pid_ = fork();
    if (pid_ != 0) return;
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    for (const std::string& entry : environment) putenv(const_cast<char*>(entry.c_str()));
    execv(argv[0], argv.data());
    _exit(127);
}

Program::~Program() {
    if (waited_) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void Program::signal(int number) const {
    kill(pid_, number);
}

Finished Program::wait() {
    int state = 0;
    if (!wait_until([&] { return waitpid(pid_, &state, WNOHANG) != 0; })) {
        ADD_FAILURE() << "the program does not end";
        kill(pid_, SIGKILL);
        waitpid(pid_, &state, 0);
    }
    waited_ = true;
    Finished finished;
    finished.status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    finished.out = read_file(folder_ / "out");
    finished.err = read_file(folder_ / "err");
    return finished;
}

Finished run(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
    return Program(arguments, environment).wait();
}

void expect_rejected(const std::vector<std::string>& arguments, int status, const std::string& part,
                     const std::vector<std::string>& environment) {
    const Finished finished = run(arguments, environment);
    std::string line;
    for (const std::string& word : arguments) line += word + " ";
    EXPECT_EQ(finished.status, status) << line << "\n" << finished.err;
    expect_contains(finished.err, part);
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << "one sentence: " << finished.err;
    EXPECT_TRUE(finished.err.starts_with("convscope: ")) << finished.err;
    EXPECT_EQ(finished.out, "");
}

const std::vector<std::string> quick_timing{"--device", "cpu",           "--methods", "im2col,mec2", "--timeout",
                                            "0.01",     "--min-samples", "3",         "--max-noise", "90"};

std::vector<std::string> sweep_of_seeds(std::size_t seeds, const std::string& csv,
                                        const std::vector<std::string>& more) {
    std::vector<std::string> words{"sweep", "--h", "6", "--r", "3", "--seed", "1:" + std::to_string(seeds) + ":1",
                                   "--csv", csv};
    words.insert(words.end(), quick_timing.begin(), quick_timing.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::size_t told(const std::string& out) {
    std::size_t rows = 0;
    for (const std::string status : {" passed\n", " timeout\n"})  // as a busy machine has it
        for (std::size_t at = out.find(status); at != std::string::npos; at = out.find(status, at + 1)) ++rows;
    return rows;
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string npy_bytes(const std::string& shape, const std::vector<float>& values, bool fortran,
                      const std::string& type) {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xFF);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return bytes;
}

}  // namespace convscope::testing
