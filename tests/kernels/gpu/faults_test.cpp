// A GPU that runs out of memory, and one whose context is lost.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "kernels/core/error.h"
#include "tests/kernels/gpu/faulting_kernel.h"
#include "tests/kernels/gpu/gpu_fixture.h"

namespace convscope {
namespace {

class GpuFaults : public testing::GpuTest {};

TEST_F(GpuFaults, running_out_of_memory_names_the_figures_and_leaves_the_gpu_usable) {
    Gpu& gpu = *device().gpu();
    const std::size_t too_much = std::size_t{1} << 46;
    try {
        gpu.release(gpu.allocate(too_much));
        FAIL() << "70 TB were allocated";
    } catch (const OutOfMemory& error) {
        const std::string sentence = error.what();
        EXPECT_NE(sentence.find("70368.744 GB were requested"), std::string::npos) << sentence;
        EXPECT_NE(sentence.find("GB free of"), std::string::npos) << sentence;
    }
    const std::vector<float> sent(1000, 3.5F);
    std::vector<float> received(sent.size());
    void* memory = gpu.allocate(sent.size() * sizeof(float));
    gpu.upload(memory, sent.data(), sent.size() * sizeof(float));
    gpu.download(received.data(), memory, received.size() * sizeof(float));
    gpu.release(memory);
    EXPECT_EQ(received, sent);
}

/// Exits with 0 when each call after an illegal access fails as an Error that names the call.
[[noreturn]] void lose_the_context() {
    const auto registry = make_registry();
    Gpu& gpu = *registry->device("cuda:0").gpu();
    void* memory = gpu.allocate(64);
    testing::enqueue_illegal_write(static_cast<cudaStream_t>(gpu.stream()));
    int failures = 0;
    const auto expect_error = [&](auto action) {
        try {
            action();
        } catch (const Error& error) {
            std::fprintf(stderr, "%s\n", error.what());
            ++failures;
        }
    };
    expect_error([&] { gpu.synchronize(); });
    expect_error([&] { gpu.allocate(64); });
    expect_error([&] { gpu.fill_bytes(memory, 0, 64); });
    expect_error([&] { registry->device("cuda:0").make_stage_timer(); });
    gpu.release(memory);
    std::exit(failures == 4 ? 0 : 1);
}

TEST_F(GpuFaults, an_illegal_access_is_an_error_now_and_later) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(lose_the_context(), ::testing::ExitedWithCode(0), "cudaStreamSynchronize.*illegal memory access");
}

}  // namespace
}  // namespace convscope
