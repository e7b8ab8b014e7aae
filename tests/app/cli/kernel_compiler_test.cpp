// How convscope kernel calls a compiler, and how long it lets it run. A script stands in for the compiler where only
// the call matters; a real one, where there is one, compiles sources that are too much for it.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <sstream>
#include <thread>

#include "tests/app/cli/user_kernel.h"
#include "tests/kernels/ptx/compiler_here.h"

namespace convscope {
namespace {

using testing::expect_rejected;
using testing::Finished;
using testing::read_file;
using testing::run;

/// Names that a shell would take for more than a name; $RAN is a file.
constexpr const char* shell_words[] = {
    "a b",
    "$(touch $RAN)",
    "`touch $RAN`",
    "; touch $RAN;",
    "\"; touch $RAN; \"",
    "'; touch $RAN; '",
    "\ntouch $RAN\n",
    "| touch $RAN & touch $RAN",
    "a\\\"b",
};

/// A script in the place of nvcc, or of clang, whose kind goes by its name.
class Compiler : public ::testing::TestWithParam<const char*> {
protected:
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const { return folder_.write(name, text); }
    /// Calls the compiler on a kernel's file in the working folder 'here'.
    Finished compile(const std::string& script, const std::filesystem::path& file, std::vector<std::string> more = {},
                     const std::string& here = "", const std::string& temporary = "tmp") const {
        more.insert(more.begin(), {"kernel", file.string()});
        const std::filesystem::path before = std::filesystem::current_path();
        std::filesystem::current_path(folder_ / here);
        const Finished finished = run(more, environment(script, temporary));
        std::filesystem::current_path(before);
        return finished;
    }
    std::vector<std::string> environment(const std::string& script, const std::string& temporary = "tmp") const {
        const std::string compiler = write(GetParam(), "#!/bin/sh\n" + script + "\n");
        std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
        std::filesystem::create_directories(path(temporary));
        return {"CONVSCOPE_CUDA_COMPILER=" + compiler, "TMPDIR=" + path(temporary), "RAN=" + path("ran")};
    }
    /// Writes what it was called with, from where, and with which folders in its environment.
    std::string telling() const {
        return "{ printf '%s\\n' \"$@\"; pwd; env | grep -a -e ^TMPDIR= -e ^PWD= -e ^OLDPWD= -e ^LD_LIB; } > '" +
               path("told") + "'\ntest -f .source/beside.h || echo 'error: no folder'\nexit 1";
    }
    /// Nothing of the word, but for a blank.
    void expect_untold() const {
        const std::string told = read_file(path("told"));
        EXPECT_NE(told, "");
        for (const char* part : {"touch", "a b", "a\\", "$", "`", "'", "\""})
            EXPECT_EQ(told.find(part), std::string::npos) << part << " in " << told;
        std::filesystem::remove(path("told"));
    }
    std::filesystem::path kernel(const std::string& folder, const std::string& name) const {
        std::filesystem::create_directories(path(folder));
        write(folder + "/beside.h", "");
        return write(folder + "/" + name, "__global__ void f(float* a) { a[0] = MORE; }\n");
    }

    TempFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(, Compiler, ::testing::Values("nvcc", "clang++"), [](const auto& made) {
    return std::string(made.param).substr(0, 5) == "clang" ? "clang" : "nvcc";
});

TEST_P(Compiler, is_told_nothing_of_the_files_name) {
    for (const std::string word : shell_words) {
        SCOPED_TRACE(word);
        const Finished finished = compile(telling(), kernel("plain", word + ".cu"));
        EXPECT_EQ(finished.status, 2) << finished.err;
        EXPECT_EQ(finished.err.find("no folder"), std::string::npos) << "it finds what lies beside the file";
        expect_untold();
    }
}

TEST_P(Compiler, is_told_nothing_of_the_files_folder) {
    for (const std::string word : shell_words) {
        SCOPED_TRACE(word);
        const Finished finished = compile(telling(), kernel("of " + word, "one.cu"));
        EXPECT_EQ(finished.err.find("no folder"), std::string::npos) << "it finds what lies beside the file";
        expect_untold();
    }
}

TEST_P(Compiler, is_told_nothing_of_the_working_folder) {
    for (const std::string word : shell_words) {
        SCOPED_TRACE(word);
        kernel("in " + word, "one.cu");
        compile(telling(), "one.cu", {}, "in " + word);
        expect_untold();
    }
}

TEST_P(Compiler, is_told_nothing_of_the_folder_for_temporary_files) {
    for (const std::string word : shell_words) {
        SCOPED_TRACE(word);
        compile(telling(), kernel("plain", "one.cu"), {}, "", "temporary " + word);
        expect_untold();
    }
}

TEST_P(Compiler, is_told_nothing_of_a_defines_value) {
    for (const std::string word : shell_words) {
        SCOPED_TRACE(word);
        compile(telling(), kernel("plain", "one.cu"), {"--define", "MORE=" + word});
        expect_untold();
    }
}

TEST_P(Compiler, that_crashes_is_one_sentence_with_the_file) {
    const std::string file = kernel("plain", "one.cu"), sentence = file + ": " + GetParam() + " crashes on it";
    for (const char* script :
         {"echo 'PLEASE submit a bug report'; printf 'Stack dump:\\n0. clang\\n1. at\\n'; kill -SEGV $$",
          "echo \"nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)\"; exit 139",
          "printf 'PLEASE submit a bug report to X and include the crash backtrace\\n#0 0x7f\\n'; exit 1"})
        expect_rejected({"kernel", file}, 2, sentence, environment(script));
    expect_rejected({"kernel", file}, 2, file + ": " + GetParam() + ": error: no such flag",
                    environment("printf 'a word\\nerror: no such flag\\nsee help\\n'; exit 1"));
}

TEST_P(Compiler, has_two_gigabytes_of_memory_and_files_of_64_megabytes) {
    const std::string file = kernel("plain", "one.cu");
    expect_rejected({"kernel", file}, 2, "needs more than 2 GB of memory",
                    environment("exec dd if=/dev/zero of=/dev/null bs=3G count=1"));
    expect_rejected({"kernel", file}, 2, "makes more than 64 MB of it",
                    environment("exec head -c 1G /dev/zero > .made"));
    EXPECT_TRUE(std::filesystem::is_empty(path("tmp")));
}

TEST_P(Compiler, that_waits_for_ever_is_ended) {
    const auto begin = std::chrono::steady_clock::now();
    expect_rejected({"kernel", kernel("plain", "one.cu").string()}, 2, "waits for something that never comes",
                    environment("sleep 1000 & sleep 1001"));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8)) << "a slow disk is waited for";
}

/// Ends convscope by the signal while a compiler and a process that it has started run; both have to end.
TEST_P(Compiler, ends_with_the_process_that_has_started_it) {
    const std::string file = kernel("plain", "one.cu");
    const auto wait_until = [](const std::function<bool()>& there) {
        for (int i = 0; i < 6000 && !there(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return there();
    };
    const auto pids = [&] {
        std::vector<pid_t> list;
        std::istringstream text(read_file(path("pids")));
        for (pid_t pid = 0; text >> pid;) list.push_back(pid);
        return list;
    };
    const auto ended = [](pid_t pid) {
        const std::string stat = read_file("/proc/" + std::to_string(pid) + "/stat");
        return stat.empty() || stat.find(") Z ") != std::string::npos;
    };
    for (const int number : {SIGKILL, SIGTERM, SIGINT}) {
        SCOPED_TRACE(number);
        std::filesystem::remove(path("pids"));
        testing::Program program({"kernel", file},
                                 environment("sleep 1000 & echo $$ $! > '" + path("pids") + "'; wait"));
        ASSERT_TRUE(wait_until([&] { return pids().size() == 2; }));
        program.signal(number);
        EXPECT_NE(program.wait().status, 0);
        EXPECT_TRUE(wait_until([&] { return std::ranges::all_of(pids(), ended); }));
        EXPECT_TRUE(wait_until([&] { return std::filesystem::is_empty(path("tmp")); })) << "its folder goes as well";
    }
}

class RealCompiler : public testing::UserKernel {
protected:
    void SetUp() override {
        UserKernel::SetUp();
        for (const std::string& name : testing::compilers_in_turn(0))
            if (const auto here = testing::compiler_here(name)) compilers_.push_back(here->string());
        if (compilers_.empty()) GTEST_SKIP() << "neither nvcc nor clang++ is here";
    }
    /// Runs with nvcc where it is here, else with clang; in the long ring with each.
    void with_each(const std::function<void(const std::vector<std::string>&)>& action) const {
        for (const std::string& compiler : compilers_) {
            SCOPED_TRACE(compiler);
            action({"CONVSCOPE_CUDA_COMPILER=" + compiler, "RAN=" + path("ran")});
        }
    }

private:
    std::vector<std::string> compilers_;
};

/// nvcc starts its programs through a shell.
TEST_F(RealCompiler, runs_no_name_as_a_command) {
    for (const std::string word : shell_words) {
        SCOPED_TRACE(word);
        const std::string here = "in " + word;
        for (const std::string& folder : {here + "/of " + word, "temporary " + word})
            std::filesystem::create_directories(path(folder));
        const std::string file = "of " + word + "/two " + word + ".cu";
        write(here + "/of " + word + "/two.h", "#define VALUE 2\n");
        write(here + "/" + file, "#include \"two.h\"\n// convscope: grid = 1, block = 1, a = zeros(1)\n" +
                                     std::string("__global__ void two(float* a) { a[0] = VALUE + MORE; }\n"));
        with_each([&](std::vector<std::string> environment) {
            environment.push_back("TMPDIR=" + path("temporary " + word));
            const std::filesystem::path before = std::filesystem::current_path();
            std::filesystem::current_path(path(here));
            const Finished finished = run({"kernel", file, "--define", "MORE=1 /* " + word + " */"}, environment);
            std::filesystem::current_path(before);
            EXPECT_EQ(finished.status, 0) << finished.err;
        });
        EXPECT_FALSE(std::filesystem::exists(path("ran")));
    }
}

/// Where the toolkit has no nvdisasm, one of the test's own is started.
TEST_F(RealCompiler, has_its_code_listed_and_no_name_is_run_as_a_command) {
    std::filesystem::create_directory(path("tools"));
    const auto tool = [&](const std::string& name, const std::string& said) {
        write("tools/" + name,
              "#!/bin/sh\nprintf '%s\\n' \"$@\" >> '" + path("told") + "'\ncat <<'END'\n" + said + "END\n");
        std::filesystem::permissions(path("tools/" + name), std::filesystem::perms::owner_all);
    };
    tool("ptxas", "Compiling entry function 'two' for 'sm_80'\nUsed 8 registers\n");
    tool("nvdisasm", ".text.two:\n        /*0010*/                   EXIT ;\n");
    for (const std::string word : shell_words) {
        SCOPED_TRACE(word);
        const std::string file =
            write("two " + word + ".cu", "extern \"C\" __global__ void two(float* a) { a[0] = 2; }\n");
        const Finished finished = run({"kernel", file, "--sass", path(word + ".sass")},
                                      {"PATH=" + path("tools") + ":" + std::getenv("PATH"), "RAN=" + path("ran")});
        EXPECT_EQ(finished.status, 0) << finished.err;
        EXPECT_TRUE(std::filesystem::exists(path(word + ".sass")));
        EXPECT_EQ(read_file(path("told")).find("touch"), std::string::npos) << read_file(path("told"));
        EXPECT_FALSE(std::filesystem::exists(path("ran")));
    }
}

TEST_F(RealCompiler, is_ended_where_a_source_doubles_what_it_says) {
    std::string macros = "#define M0 a[0] += 1;\n", calls = "__global__ void f(float* a) { M30 }\n";
    for (int i = 1; i <= 30; ++i)
        macros += "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) + " M" + std::to_string(i - 1) + "\n";
    const std::string templates =
        "template <int D, long N> struct T { static constexpr long v = T<D - 1, 2 * N>::v + T<D - 1, 2 * N + 1>::v; "
        "};\n"
        "template <long N> struct T<0, N> { static constexpr long v = 1; };\n"
        "__global__ void f(float* a) { a[0] = T<40, 0>::v; }\n";
    for (const std::string& source : {macros + calls, templates}) {
        const std::string file = write("doubles.cu", source);
        with_each([&](const std::vector<std::string>& environment) {
            // A compiler that reaches its limit of memory may say so itself, with the line.
            expect_rejected({"kernel", file, "--grid", "1", "--block", "1", "--out", "a=1"}, 2,
                            "convscope: " + file + ":", environment);
        });
    }
}

TEST_F(RealCompiler, is_ended_where_a_source_includes_a_device_or_a_pipe) {
    ASSERT_EQ(mkfifo(path("pipe.h").c_str(), 0600), 0);
    for (const char* included : {"/dev/zero", "pipe.h"}) {
        const std::string file = write("includes.cu", "#include \"" + std::string(included) +
                                                          "\"\n// convscope: grid = 1, block = 1, a = out(1)\n"
                                                          "__global__ void f(float* a) { a[0] = 1; }\n");
        with_each([&](const std::vector<std::string>& environment) {
            const Finished finished = run({"kernel", file}, environment);
            if (finished.status == 0) return;  // clang takes a device for an empty file
            EXPECT_EQ(finished.status, 2) << finished.err;
            EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
            expect_contains(finished.err, "includes.cu:");
        });
    }
}

TEST_F(RealCompiler, that_a_source_exhausts_is_one_sentence_with_the_file) {
    const std::string file =
        write("deep.cu", "__global__ void f(float* a) { a[0] = " + std::string(300000, '!') + "1; }\n");
    with_each([&](const std::vector<std::string>& environment) {
        const Finished finished = run({"kernel", file, "--grid", "1", "--block", "1", "--out", "a=1"}, environment);
        if (finished.status == 0) return;  // it is deep, and right
        EXPECT_EQ(finished.status, 2) << finished.err;
        EXPECT_EQ(std::ranges::count(finished.err, '\n'), 1) << finished.err;
        expect_contains(finished.err, file + ":");
        EXPECT_EQ(finished.err.find("PLEASE"), std::string::npos) << finished.err;
    });
}

}  // namespace
}  // namespace convscope
