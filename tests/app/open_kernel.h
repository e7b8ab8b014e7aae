// A kernel of one's own, opened in the window.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "kernels/ptx/toolchain/compile.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {

class OpenKernelTest : public ::testing::Test {
protected:
    explicit OpenKernelTest(int width = 1600, int height = 1000) : app_(width, height) {}
    void SetUp() override {
        if (!ptx::find_cuda_compiler()) GTEST_SKIP() << "neither nvcc nor clang is here";
    }
    /// Saved so much later than now: some file systems' clocks are coarser than a test is quick.
    std::filesystem::path write_later(const std::string& text, std::chrono::seconds later) {
        const auto path = folder_ / "mine.cu";
        std::ofstream(path, std::ios::binary) << text;
        std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() + later);
        return path;
    }
    /// Whether it was compiled and run.
    bool ready() {
        app_.frames(2);
        const bool there = app_.wait([this] { return !app_.shell().kernel().busy(app_.session()); });
        app_.frames(3);
        return there && check();
    }
    const KernelCheckResult* check() { return app_.shell().kernel().shown(); }

    TempFolder folder_;
    Driver app_;
};

}  // namespace convscope::app
