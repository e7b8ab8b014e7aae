// The registry of this machine and its first GPU, for tests that need one.
#pragma once

#include <gtest/gtest.h>

#include "kernels/method/registry.h"

namespace convscope::testing {

Registry& gpu_registry();

/// Why there is no GPU to test on; empty when cuda:0 is available.
std::string no_gpu_reason();

/// Skips its tests where there is no GPU.
class GpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string reason = no_gpu_reason(); !reason.empty()) GTEST_SKIP() << "no GPU: " << reason;
    }
    Device& device() { return gpu_registry().device("cuda:0"); }
    /// Compute capability 9.0, which the methods of kernels/hopper/ need.
    bool hopper();
};

/// Skips its tests where the GPU has another compute capability, too.
class HopperTest : public GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (!IsSkipped() && !hopper()) GTEST_SKIP() << "needs compute capability 9.0";
    }
};

}  // namespace convscope::testing
