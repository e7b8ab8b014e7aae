// Whole programs as strangers write them, run by the program as a user does, with the compilers that are here, in turn
// or each (compilers_in_turn). What comes of each stands in its head:
//   // expect: status 4, 1 finding   the exit status, and text on stderr
//   // expect: TEXT                  on stderr
//   // expect-output: TEXT           on stdout
//   // arguments: ..., // flags: ... of the command line, "" around words with spaces
//   // needs nvcc: REASON            clang does not take it
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "app/program/program_run.h"
#include "tests/app/cli/program.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/ptx/compiler_here.h"

namespace convscope {
namespace {

namespace fs = std::filesystem;
using testing::compiler_here;
using testing::compilers_in_turn;
using testing::Finished;
using testing::plain_name;
using testing::run;

const fs::path programs(CONVSCOPE_PROGRAMS);

/// Skips where a compiler is not here.
class WithCompiler : public ::testing::Test {
protected:
    void require(const std::string& name) {
        compiler_ = compiler_here(name).value_or("");
        if (compiler_.empty()) GTEST_SKIP() << "there is no " << name;
    }
    std::vector<std::string> environment() const { return {"CONVSCOPE_CUDA_COMPILER=" + compiler_.string()}; }
    Finished run_with(const std::vector<std::string>& command) const { return run(command, environment()); }

    fs::path compiler_;
};
/// The values after "// KEY: " in the head of a program.
std::vector<std::string> head(const fs::path& file, const std::string& key) {
    std::ifstream source(file);
    const std::string begin = "// " + key + ": ";
    std::vector<std::string> values;
    for (std::string line; std::getline(source, line) && line.starts_with("//");)
        if (line.starts_with(begin)) values.push_back(line.substr(begin.size()));
    return values;
}

/// Every program's name, with the compilers that it is run with.
std::vector<std::pair<std::string, std::string>> programs_and_compilers() {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator(programs))
        if (file.path().extension() == ".cu") names.push_back(file.path().stem().string());
    std::ranges::sort(names);
    return testing::with_compilers(
        names, [](const std::string& name) { return !head(programs / (name + ".cu"), "needs nvcc").empty(); });
}

class Programs : public WithCompiler, public ::testing::WithParamInterface<std::pair<std::string, std::string>> {
protected:
    void SetUp() override { require(GetParam().second); }
};

TEST_P(Programs, EndAsTheirHeadsSay) {
    const auto& [name, compiler] = GetParam();
    const fs::path file = programs / (name + ".cu");
    std::vector<std::string> command{"program", file.string()};
    for (const std::string& flags : head(file, "flags"))
        for (const std::string& word : app::words_in(flags)) command.push_back(word);
    for (const std::string& arguments : head(file, "arguments")) {
        command.emplace_back("--");
        for (const std::string& word : app::words_in(arguments)) command.push_back(word);
    }
    const Finished finished = run_with(command);
    int status = -1;
    bool counted = false;
    for (const std::string& expected : head(file, "expect")) {
        std::string text = expected;
        if (expected.starts_with("status ")) {
            status = std::atoi(expected.c_str() + 7);
            text.erase(0, std::min(expected.find(','), expected.size()));
        }
        counted |= text.find(" finding") != std::string::npos;
        EXPECT_NE(finished.err.find(text), std::string::npos) << text << "\n" << finished.err;
    }
    for (const std::string& expected : head(file, "expect-output"))
        EXPECT_NE(finished.out.find(expected), std::string::npos) << expected << "\n" << finished.out;
    EXPECT_EQ(finished.status, status) << finished.err;
    EXPECT_EQ(finished.err.find(".kernel.cu"), std::string::npos) << "the compiler's copy\n" << finished.err;
    EXPECT_TRUE(status != 4 || counted) << "the head says no number of findings";
    if (status == 0) {
        EXPECT_NE(finished.err.find("nothing found"), std::string::npos) << finished.err;
    }
}
INSTANTIATE_TEST_SUITE_P(All, Programs, ::testing::ValuesIn(programs_and_compilers()),
                         [](const auto& each) { return each.param.first + "_" + plain_name(each.param.second); });

/// Programs that only nvcc builds: clang links with the runtime itself.
class NvccProgram : public WithCompiler {
protected:
    void SetUp() override { require("nvcc"); }
    fs::path build(const std::string& flags) {
        const fs::path made = folder_ / "made";
        const std::string command = compiler_.string() + " " + flags + " -o '" + made.string() + "' '" +
                                    (programs / "vector_add_past_the_end.cu").string() + "'";
        EXPECT_EQ(std::system(command.c_str()), 0);
        return made;
    }
    TempFolder folder_;
};

TEST_F(NvccProgram, ThatIsThereAlreadyRunsWithPtxCompressedToo) {
    const Finished finished = run({"program", build("-cudart shared -arch=compute_80 -lineinfo").string()});
    EXPECT_EQ(finished.status, 4) << finished.err;
    EXPECT_NE(finished.err.find("out_of_bounds vector_add_past_the_end.cu:12 block (3,0,0) thread (232,0,0) c[1000]"),
              std::string::npos)
        << finished.err;
}

TEST_F(NvccProgram, WithTheStaticRuntimeIsToldHowToCompile) {
    testing::expect_rejected({"program", build("-cudart static -arch=compute_80").string()}, 2,
                             "compile it with nvcc -cudart shared");
}

TEST_F(NvccProgram, WithoutPtxIsToldHowToCompile) {
    testing::expect_rejected(
        {"program", build("-cudart shared -gencode arch=compute_80,code=sm_80").string()}, 2,
        "holds no PTX, but machine code alone; compile it with nvcc -cudart shared -arch=compute_80");
}

TEST_F(NvccProgram, OfAnotherRuntimeIsNotRun) {
    const fs::path older = folder_ / "nvcc";
    std::ofstream(older)
        << "#!/bin/sh\n'" << compiler_.string()
        << "' \"$@\" && if [ -x .made ]; then sed -i 's/libcudart[.]so[.]13/libcudart.so.12/' .made; fi\n";
    fs::permissions(older, fs::perms::owner_all);
    const Finished finished =
        run({"program", (programs / "vector_add.cu").string()}, {"CONVSCOPE_CUDA_COMPILER=" + older.string()});
    EXPECT_EQ(finished.status, 3);
    EXPECT_NE(finished.err.find("the compiler's runtime is libcudart.so.12, and the simulated GPU takes the place of "
                                "libcudart.so.13: name another compiler"),
              std::string::npos)
        << finished.err;
}

TEST_F(NvccProgram, IsNotSaidToBeCleanWhereNothingWatchedIt) {
    const fs::path copy = folder_ / "convscope", said = folder_ / "said";
    fs::copy_file(CONVSCOPE_PROGRAM, copy);
    std::ofstream(folder_ / "convscope_cudart.so") << "no library";
    const std::string command = environment().front() + " '" + copy.string() + "' program '" +
                                (programs / "own_status.cu").string() + "' 2>'" + said.string() + "'";
    const int status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 5);
    const std::string text = testing::read_file(said);
    EXPECT_NE(text.find("own_status ran without the simulated GPU"), std::string::npos) << text;
}

class Program : public WithCompiler, public ::testing::WithParamInterface<std::string> {
protected:
    void SetUp() override { require(GetParam()); }
    fs::path write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name.c_str()) << text;
        return folder_ / name.c_str();
    }
    TempFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(With, Program, ::testing::ValuesIn(compilers_in_turn(0)),
                         [](const auto& each) { return plain_name(each.param); });

TEST_P(Program, ItsNameIsNeverAShells) {
    const fs::path file = write("a$(touch X) b;touch Y.cu", "int main() { return 0; }\n");
    const Finished finished = run_with({"program", file.string()});
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_FALSE(fs::exists("X"));
    EXPECT_FALSE(fs::exists(folder_ / "X"));
    EXPECT_FALSE(fs::exists("Y.cu"));
}

TEST_P(Program, MeansTheFileAloneToo) {
    const Finished finished = run_with({(programs / "own_status.cu").string()});
    EXPECT_EQ(finished.status, 5);
    EXPECT_NE(finished.err.find("ended with status 3"), std::string::npos) << finished.err;
}

TEST_P(Program, MeansTheFileWithFlagsToo) {
    const Finished finished = run_with({(programs / "own_status.cu").string(), "--timeout", "600"});
    EXPECT_NE(finished.err.find("ended with status 3"), std::string::npos) << finished.err;
}

TEST_P(Program, IsNotRunWhereFilesAreOpened) {
    const Finished finished = run_with({"--", "program", (programs / "own_status.cu").string()});
    EXPECT_NE(finished.status, 0);
    EXPECT_EQ(finished.err.find("ended with status"), std::string::npos) << finished.err;
}

TEST_P(Program, OfALongLineNamesNoAllocation) {
    const std::string name(200'000, 'a');
    const fs::path file = write("long.cu", "int main() { char *" + name + "; cudaMalloc(&" + name + ", 4); }\n");
    const Finished finished = run_with({"program", file.string()});
    EXPECT_EQ(finished.status, 4) << finished.err;
    EXPECT_NE(finished.err.find("leak long.cu:1 cudaMalloc: allocation 1"), std::string::npos) << finished.err;
}

TEST_P(Program, ThatWritesIntoTheReportIsToldSo) {
    const fs::path file = write("writes.cu", R"(
#include <cstring>
#include <unistd.h>
int main(int, char** arguments) {
    for (int file = 3; file < 1024; ++file) {
        write(file, arguments[1], std::strlen(arguments[1]));
        write(file, "\n", 1);
    }
}
)");
    for (const char* line : {R"({"event":"launch","kernel":5,"findings":7})", R"({"event":"launch","grid":[]})",
                             R"({"event":"launch","kernel":"k","kept":{"symbol":"k"}})"}) {
        const Finished finished = run_with({"program", file.string(), "--", line});
        EXPECT_EQ(finished.status, 5) << line;
        EXPECT_NE(finished.err.find("has written into what the simulated GPU reports"), std::string::npos)
            << line << finished.err;
    }
}

TEST_P(Program, WritesAllLaunchesAndFindings) {
    const fs::path json = folder_ / "run.json";
    run_with({"program", (programs / "use_after_free.cu").string(), "--json", json.string()});
    const auto all = nlohmann::json::parse(testing::read_file(json));
    EXPECT_FALSE(all["clean"]);
    ASSERT_EQ(all["launches"].size(), 1u);
    EXPECT_EQ(all["launches"][0]["kernel"], "touch");
    EXPECT_EQ(all["launches"][0]["at"], "use_after_free.cu:16");
    EXPECT_EQ(all["launches"][0]["block"], nlohmann::json({32, 1, 1}));
    EXPECT_GT(all["launches"][0]["figures"]["warp_instructions"], 0);
    ASSERT_EQ(all["findings"].size(), 2u);
    EXPECT_EQ(all["findings"][0]["kind"], "use_after_free");
    EXPECT_EQ(all["findings"][0]["launches"], nlohmann::json({0}));
    EXPECT_EQ(all["findings"][1]["error"], "cudaErrorInvalidValue");
}

TEST_P(Program, ThatDoesNotCompileNamesTheLine) {
    const fs::path file = write("bad.cu", "int main() {\n    return x;\n}\n");
    const Finished finished = run_with({"program", file.string()});
    EXPECT_EQ(finished.status, 2);
    const std::size_t line = finished.err.find("bad.cu:2:");
    EXPECT_NE(line, std::string::npos) << finished.err;
    EXPECT_EQ(finished.err.find("bad.cu:2:", line + 1), std::string::npos) << "said once: " << finished.err;
}

TEST_P(Program, WithoutMainIsAKernelAlone) {
    const fs::path file = write("k1.cu", "__global__ void one(float* a) { a[threadIdx.x] = 1; }\n");
    const Finished finished = run_with({"program", file.string()});
    EXPECT_EQ(finished.status, 2);
    EXPECT_EQ(finished.err, "convscope: " + file.string() + " has no main(); 'convscope kernel " + file.string() +
                                "' runs a kernel of it alone\n");
}

TEST(ProgramCommand, RejectsWhatItCannotTake) {
    testing::expect_rejected({"program"}, 2, "program needs a file");
    testing::expect_rejected({"program", "missing.cu"}, 6, "'missing.cu' cannot be read: No such file or directory");
    testing::expect_rejected({"program", (programs / "leak.cu").string(), "--gpu", "Voodoo"}, 2,
                             "--gpu: 'Voodoo' is not accepted; give one of GTX 1080");
    testing::expect_rejected({"program", "/bin/sh"}, 2, "'/bin/sh' holds no CUDA code");
    const TempFolder folder;
    const std::string binary = folder.write("binary.cu", std::string("\x1f\x8b\0\0 int main() {}", 18)).string();
    testing::expect_rejected({"program", binary}, 2, "'" + binary + "' is not text: it holds bytes of value 0");
}

TEST_P(Program, AddsAMillionElements) {
    const fs::path file = write("million.cu", R"(
__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
int main() {
    const int n = 1 << 20;
    float *a, *b, *c;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    cudaMemset(b, 0, n * sizeof(float));
    add<<<n / 256, 256>>>(a, b, c, n);
    cudaDeviceSynchronize();
    cudaFree(a); cudaFree(b); cudaFree(c);
}
)");
    const Finished finished = run_with({"program", file.string(), "--timeout", "600"});
    EXPECT_EQ(finished.status, 0) << finished.err;
}

}  // namespace
}  // namespace convscope
