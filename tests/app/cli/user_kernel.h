// A folder for a kernel of one's own, and the program run on it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/ptx/toolchain/compile.h"
#include "tests/app/cli/program.h"

namespace convscope::testing {

class UserKernel : public ::testing::Test {
protected:
    void SetUp() override {
        if (!ptx::find_cuda_compiler()) GTEST_SKIP() << "neither nvcc nor clang is here";
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }
    /// With the test's folder as the working directory.
    Finished run_here(const std::vector<std::string>& words, const std::vector<std::string>& environment = {}) const {
        const std::filesystem::path before = std::filesystem::current_path();
        std::filesystem::current_path(path(""));
        const Finished finished = run(words, environment);
        std::filesystem::current_path(before);
        return finished;
    }
    static constexpr const char* one =
        "// convscope: grid = 1, block = 32, a = out(32)\n"
        "__global__ void one(float* a) { a[threadIdx.x] = 1; }\n";
    static std::string sample(const std::string& name) { return CONVSCOPE_SAMPLES "/" + name + ".cu"; }

private:
    TempFolder folder_;
};

}  // namespace convscope::testing
